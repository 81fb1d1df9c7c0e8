// The unit of a figure over all gaps of a system: limits of angles have gaps in rad.
#pragma once

#include <algorithm>
#include <string>

#include <escapement/system.hpp>

namespace esc {

inline std::string gap_unit(const System& system) {
  const auto units = system.pair_units();
  const auto angles = std::ranges::count(units, std::string("rad"));
  return angles == 0 ? "m" : angles == std::ranges::ssize(units) ? "rad" : "m or rad";
}

}  // namespace esc
