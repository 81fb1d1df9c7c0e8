// The combined projection/activation scheme, acary Eqs (65)-(70) and Algorithm 2: gaps stay nonnegative, Newton's
// impact law holds, joints hold at both levels, and bodies come to rest. See docs/schemes/combined_projection.md.
#pragma once

#include <memory>
#include <string_view>

#include <escapement/executor.hpp>
#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/scheme.hpp>
#include <escapement/schemes/first_iterate.hpp>
#include <escapement/schemes/scheme_fields.hpp>
#include <escapement/solvers/cone_solver.hpp>

namespace esc {

struct CombinedProjectionOptions {
  double theta = 0.5;  // [0, 1]
  Implementation implementation = Implementation::automatic;
  Metric metric = Metric::identity;
  const ProjectionMetric* user_metric = nullptr;  // of metric = user; outlives the scheme and its promises
  double gap_tol = 1e-12;                         // m or rad, on gaps, joints and the projection
  Quadrature quadrature = Quadrature::theta_point;
  FirstIterate first_iterate = FirstIterate::automatic;
  TangentForm tangents = TangentForm::exact;
  double tol = 1e-10;        // on the residual (41), N s
  double frame_tol = 1e-11;  // on how far U may move with the frame after the solve, m/s
  int newton_max = 50;
  FrictionCone friction_cone = FrictionCone::round;  // of contacts in space
  int friction_directions = 8;                       // corners of a polygon, [4, 64], even
  ConeSolver solver = ConeSolver::automatic;
  double solver_tol = 1e-12;
  double large_island_tol = 0.0;
  int solver_max = 10000;
  double impact_velocity = 1e-9;  // m/s
};

template <>
struct Fields<CombinedProjectionOptions> {
  using O = CombinedProjectionOptions;
  static constexpr std::string_view owner = "combined-projection";
  static constexpr auto table = std::tuple_cat(theta_field<O>(), projection_fields<O>(), newton_fields<O>(),
                                               friction_fields<O>(), solver_fields<O>());
};

ESC_API SchemeTraits traits_of(const CombinedProjectionOptions& options);
ESC_API std::unique_ptr<Method> make_method(const System& system, const CombinedProjectionOptions& options,
                                            Executor& executor);
using CombinedProjection = Configured<CombinedProjectionOptions>;

}  // namespace esc
