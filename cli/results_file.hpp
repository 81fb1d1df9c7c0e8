// A results file as the commands use it: what is wrong with what it holds is said with its name.
#pragma once

#include <escapement/io/results.hpp>
#include <escapement/io/scene.hpp>

namespace esc::cli {

// The scene as it was run. Throws ResultsError if the file has none, or one that cannot be read.
io::Scene scene_of(const io::ResultsReader& results);
// That scene compiled. Throws ResultsError if the recorded states are not of this model.
System system_of(const io::ResultsReader& results, const io::Scene& scene);

}  // namespace esc::cli
