// A results file as the commands use it: what is wrong with what it holds is said with its name.
#pragma once

#include <memory>

#include <escapement/io/results.hpp>
#include <escapement/io/scene.hpp>

namespace esc::cli {

// The scene as it was run. Throws ResultsError if the file has none, or one that cannot be read.
io::Scene scene_of(const io::ResultsReader& results);
// That scene compiled. Throws ResultsError if the recorded states are not of this model.
System system_of(const io::ResultsReader& results, const io::Scene& scene);
// Its scheme with the recorded options. Throws ResultsError if it cannot be made, or the run cannot be as recorded.
std::unique_ptr<Scheme> scheme_of(const io::ResultsReader& results, const System& system);
// Throws ResultsError if the last checkpoint, from which a run would go on, is not the state that was recorded with it,
// or if the step before it does not hold what the scheme promises and was not recorded as such.
void require_sound_checkpoint(const io::ResultsReader& results, const Scheme& scheme);

}  // namespace esc::cli
