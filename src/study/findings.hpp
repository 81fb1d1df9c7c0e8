// What the parts of check() share.
#pragma once

#include <limits>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <escapement/study/check.hpp>

#include "src/model/model_parts.hpp"

namespace esc::study {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_velocities = 600;  // of a mechanism that is decomposed as a dense matrix

class Findings {
 public:
  void fact(const char* topic, std::string text, std::string item = "") {
    list.push_back({Severity::fact, topic, std::move(item), std::move(text)});
  }
  void warn(const char* topic, std::string text, std::string item = "") {
    list.push_back({Severity::warning, topic, std::move(item), std::move(text)});
  }
  std::vector<Finding> list;
};

inline int first_velocity(const System& system, const Model::Parts::Block& block) {
  return system.velocity(block.name + "." + block.velocities.front().name);
}

void look_at_units(const io::Scene& scene, const System& system, Findings& findings);
void look_at_stiffness(const io::Scene& scene, const System& system, Findings& findings);
// Joints and motors that no velocity satisfies together.
void look_at_motors(const System& system, Findings& findings);
// Motors and walls whose velocity jumps.
void look_at_jumps(const io::Scene& scene, const System& system, Findings& findings);
// One step against the thickness of shapes; the set is evaluated at the start.
void look_at_passage(const io::Scene& scene, const System& system, const ContactSet& set, Findings& findings);
// Friction cones that are not pointed and obtuse kinetic angles; the set is evaluated at the start.
void look_at_cones(const System& system, const ContactSet& set, Findings& findings);
// Returns the contacts whose gaps at the start need no look of their own.
std::unordered_set<std::string> look_at_play(const io::Scene& scene, const System& system, Findings& findings);

}  // namespace esc::study
