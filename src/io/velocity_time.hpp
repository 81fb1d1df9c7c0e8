// To which time the velocities of a state belong.
#pragma once

#include <algorithm>
#include <span>

#include <escapement/promise.hpp>

namespace esc::io {

// A two-step scheme ends a step with positions at its end and velocities at its beginning: a step behind.
inline bool velocities_are_behind(std::span<const Promise> promises) {
  return std::ranges::any_of(
      promises, [](const Promise& promise) { return equation_traits(promise.equations).velocities_behind; });
}

}  // namespace esc::io
