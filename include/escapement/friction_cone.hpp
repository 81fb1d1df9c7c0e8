// The cone that the friction of a contact in space stays in. In the plane both are the same.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace esc {

enum class FrictionCone : std::uint8_t {
  round,    // |P_T| <= mu P_N
  polygon,  // P_T in the regular polygon with the corners mu P_N d_i, d_i = (cos, sin)(2 pi i / n) along (T1, T2)
};
inline constexpr std::array<std::string_view, 2> friction_cone_names{"round", "polygon"};

}  // namespace esc
