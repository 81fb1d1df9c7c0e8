// A look at a scene before it runs: what a careful colleague would ask about.
#pragma once

#include <string>
#include <vector>

#include <escapement/io/scene.hpp>
#include <escapement/system.hpp>

namespace esc::study {

enum class Severity { fact, warning };

struct Diagnosis {
  Severity severity = Severity::fact;
  std::string topic;  // "freedom", "joints", "gaps", "masses", "stiffness", "step", "parameters"
  std::string text;
};

// The system is the compiled scene. Facts first, then warnings, each in a fixed order.
[[nodiscard]] std::vector<Diagnosis> diagnose(const io::Scene& scene, const System& system);

}  // namespace esc::study
