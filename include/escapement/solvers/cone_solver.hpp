// Which solver a scheme hands its contact problems to.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace esc {

enum class ConeSolver : std::uint8_t {
  automatic,  // Enumerate for small islands, else Nsgs; what fails goes on, with friction in space to InteriorPoint,
              // Lemke last
  enumerate,
  lemke,
  nsgs,
};
inline constexpr std::array<std::string_view, 4> cone_solver_names{"automatic", "enumerate", "lemke", "nsgs"};
inline constexpr std::array<std::string_view, 4> cone_solver_descriptions{
    "enumerate for small islands, else nsgs; what fails goes on, with friction in space to interior_point, lemke last",
    "tries the open, sticking and sliding modes of every contact; exact, for small problems in the plane",
    "complementary pivoting; exact, with friction in the plane or polyhedral friction cones",
    "Gauss-Seidel over the contacts, each solved exactly; iterative, any size and every cone",
};

}  // namespace esc
