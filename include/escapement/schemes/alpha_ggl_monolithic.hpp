// The equations of alpha-ggl by a semismooth Newton method with the full matrix, bruels (37)-(46): smooth motion,
// positions, velocities, active sets and friction in one sparse linear problem an iteration.
// See docs/schemes/alpha_ggl_monolithic.md.
#pragma once

#include <memory>
#include <string_view>
#include <tuple>

#include <escapement/executor.hpp>
#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/scheme.hpp>
#include <escapement/schemes/alpha_ggl.hpp>
#include <escapement/schemes/scheme_fields.hpp>
#include <escapement/solvers/cone_solver.hpp>

namespace esc {

struct AlphaGglMonolithicOptions {
  double rho_inf = 0.8;  // [0, 1], as AlphaGglOptions
  double r = 1.0;        // penalty of (38) in the masses that contacts push; > 0, and of no effect on the solution
  Prediction prediction = Prediction::tilde;
  AfterImpact after_impact = AfterImpact::keep;
  double tol_s = 1e-10;  // N s
  double tol_p = 1e-12;  // m or rad
  double tol_v = 1e-11;  // m/s
  TangentForm tangents = TangentForm::exact;
  int newton_max = 50;
  FrictionCone friction_cone = FrictionCone::round;
  int friction_directions = 8;
  ConeSolver solver = ConeSolver::automatic;  // this and the next three: where active sets cycle
  double solver_tol = 1e-12;
  double large_island_tol = 0.0;
  int solver_max = 10000;
  double impact_velocity = 1e-9;  // m/s
};

template <>
struct Fields<AlphaGglMonolithicOptions> {
  using O = AlphaGglMonolithicOptions;
  static constexpr std::string_view owner = "alpha-ggl-monolithic";
  static constexpr auto table = std::tuple_cat(
      alpha_rho_field<O>(),
      std::tuple{number("r", &O::r, "1", positive_range,
                        "penalty of (38), in the masses that contacts push: decides who is tried, not the solution")},
      alpha_fields<O>(), tangents_field<O>(), newton_max_field<O>(), friction_fields<O>(), solver_fields<O>());
};

ESC_API SchemeTraits traits_of(const AlphaGglMonolithicOptions& options);
ESC_API std::unique_ptr<Method> make_method(const System& system, const AlphaGglMonolithicOptions& options,
                                            Executor& executor);
using AlphaGglMonolithic = Configured<AlphaGglMonolithicOptions>;

}  // namespace esc
