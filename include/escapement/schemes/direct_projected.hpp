// The direct projected scheme, acary Eq. (28) and Algorithm 1: Moreau-Jean's velocities, and positions projected onto
// the constraints. No penetration at the end of a step, but it chatters at rest: see docs/schemes/direct_projected.md.
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

struct DirectProjectedOptions {
  double theta = 0.5;                      // [0, 1]
  Forecast forecast = Forecast::position;  // activation of the velocity level, Eq. (61) or (62)
  double gamma = 0.0;                      // Eq. (61), [0, 2]
  double activation_tol = 1e-10;           // m; a forecast up to this counts as closed
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
struct Fields<DirectProjectedOptions> {
  using O = DirectProjectedOptions;
  static constexpr std::string_view owner = "direct-projected";
  static constexpr auto table = std::tuple_cat(theta_field<O>(), forecast_fields<O>(), projection_fields<O>(),
                                               newton_fields<O>(), friction_fields<O>(), solver_fields<O>());
};

ESC_API SchemeTraits traits_of(const DirectProjectedOptions& options);
ESC_API std::unique_ptr<Method> make_method(const System& system, const DirectProjectedOptions& options,
                                            Executor& executor);
using DirectProjected = Configured<DirectProjectedOptions>;

}  // namespace esc
