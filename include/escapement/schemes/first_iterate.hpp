// Where the Newton loop of a step starts.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace esc {

enum class FirstIterate : std::uint8_t {
  printed,       // v_k, q_k: acary Eq. (42)
  extrapolated,  // v_k, q_k + h v_k: fewer iterations where forces bend little over a step
};
inline constexpr std::array<std::string_view, 2> first_iterate_names{"printed", "extrapolated"};

}  // namespace esc
