// Where the Newton loop of a step starts.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace esc {

enum class FirstIterate : std::uint8_t {
  automatic,     // extrapolated for linear systems, predicted for systems with joints, else printed
  printed,       // v_k, q_k: acary Eq. (42)
  extrapolated,  // v_k, q_k + h v_k: fewer iterations where forces bend little over a step
  predicted,     // v_k + h a, q_k + h (v_k + theta h a), a extrapolated from the last three steps without contact
};
inline constexpr std::array<std::string_view, 4> first_iterate_names{"automatic", "printed", "extrapolated",
                                                                     "predicted"};

}  // namespace esc
