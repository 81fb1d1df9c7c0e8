// The generalized-alpha method with gaps and joints at position level, bruels (51), (52), and Newmark's and HHT's as
// sets of its parameters: second order in smooth motion; impacts gain or lose energy. See docs/schemes/alpha_index3.md.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>

#include <escapement/executor.hpp>
#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/scheme.hpp>
#include <escapement/schemes/scheme_fields.hpp>
#include <escapement/solvers/cone_solver.hpp>

namespace esc {

// Which parameters alpha_m, alpha_f, beta, gamma follow from rho_inf.
enum class AlphaParameters : std::uint8_t {
  chung_hulbert,  // bruels (31)
  newmark,        // alpha_m = alpha_f = 0; of first order unless rho_inf = 1, the trapezoidal rule
  hht,            // alpha_m = 0; rho_inf >= 1/2
};
inline constexpr std::array<std::string_view, 3> alpha_parameters_names{"chung-hulbert", "newmark", "hht"};

struct AlphaIndex3Options {
  AlphaParameters method = AlphaParameters::chung_hulbert;
  double rho_inf = 0.8;  // [0, 1], of hht [1/2, 1]; spectral radius at infinite frequency
  double tol_s = 1e-10;  // on momentum, N s
  double tol_p = 1e-12;  // on gaps and joint positions, m or rad
  double tol_v = 1e-11;  // on joint rows that hold velocities, m/s
  TangentForm tangents = TangentForm::exact;
  int newton_max = 50;
  ConeSolver solver = ConeSolver::automatic;
  double solver_tol = 1e-12;
  double large_island_tol = 0.0;
  int solver_max = 10000;
  double impact_velocity = 1e-9;  // m/s
};

template <>
struct Fields<AlphaIndex3Options> {
  using O = AlphaIndex3Options;
  static constexpr std::string_view owner = "alpha-index3";
  static constexpr auto table = std::tuple_cat(
      std::tuple{
          choice("method", &O::method, alpha_parameters_names,
                 "chung-hulbert: generalized-alpha, bruels (31); newmark: first order unless rho_inf = 1; hht: rho_inf "
                 ">= 1/2"),
          number("rho_inf", &O::rho_inf, "1", Range{0.0, 1.0},
                 "how much of the fastest vibrations a step leaves; 1 damps nothing, 0 removes them"),
          number("tol_s", &O::tol_s, "N s", positive_range, "Newton tolerance on the balance of momentum"),
          number("tol_p", &O::tol_p, "m", positive_range, "Newton tolerance on gaps and joint positions; m or rad"),
          number("tol_v", &O::tol_v, "m/s", positive_range, "Newton tolerance on joint rows that hold velocities")},
      tangents_field<O>(), newton_max_field<O>(), solver_fields<O>());
};

ESC_API SchemeTraits traits_of(const AlphaIndex3Options& options);
ESC_API std::unique_ptr<Method> make_method(const System& system, const AlphaIndex3Options& options,
                                            Executor& executor);
using AlphaIndex3 = Configured<AlphaIndex3Options>;

}  // namespace esc
