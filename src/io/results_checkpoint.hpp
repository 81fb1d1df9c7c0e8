// Checkpoints as bytes: a version, the run so far, the exact state.
#pragma once

#include <vector>

#include <escapement/io/results.hpp>

namespace esc::io {

std::string checkpoint_bytes(const State& x, const Continuation& so_far, const StepTable& since);
// State, run so far and steps since; false if the bytes are damaged.
bool read_checkpoint(const std::vector<std::uint8_t>& bytes, Checkpoint& to);

}  // namespace esc::io
