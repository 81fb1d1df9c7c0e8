// Which solver a scheme hands its contact problems to.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace esc {

enum class ConeSolver : std::uint8_t {
  automatic,  // several in turn, by the size of the island and its cones: docs/solvers/README.md
  enumerate,
  lemke,
  nsgs,
};
inline constexpr std::array<std::string_view, 4> cone_solver_names{"automatic", "enumerate", "lemke", "nsgs"};
inline constexpr std::array<std::string_view, 4> cone_solver_descriptions{
    "several solvers in turn until one solves the island, by its size and cones",
    "tries the open, sticking and sliding modes of every contact; exact, for small problems in the plane",
    "complementary pivoting; exact, with friction in the plane or polyhedral friction cones",
    "Gauss-Seidel over the contacts, each solved exactly; iterative, any size and every cone",
};

}  // namespace esc
