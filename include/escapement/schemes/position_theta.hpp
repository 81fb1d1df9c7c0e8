// The theta-method with contact and joints at position level and without an impact law, acary section 6.2 and Fig. 11:
// no penetration at the end of a step, but contact velocities that oscillate. See docs/schemes/position_theta.md.
#pragma once

#include <memory>
#include <string_view>
#include <tuple>

#include <escapement/executor.hpp>
#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/scheme.hpp>
#include <escapement/schemes/first_iterate.hpp>
#include <escapement/schemes/scheme_fields.hpp>
#include <escapement/solvers/cone_solver.hpp>

namespace esc {

struct PositionThetaOptions {
  double theta = 0.5;  // (0, 1]; 1/2 is the trapezoidal rule
  Quadrature quadrature = Quadrature::theta_point;
  FirstIterate first_iterate = FirstIterate::automatic;
  TangentForm tangents = TangentForm::exact;
  double tol = 1e-10;       // on the momentum residual, N s
  double frame_tol = 1e-8;  // on how far U_T may move with the frame after the solve, m/s
  double gap_tol = 1e-12;   // m or rad, on gaps and joints at q_{k+1}
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
struct Fields<PositionThetaOptions> {
  using O = PositionThetaOptions;
  static constexpr std::string_view owner = "position-theta";
  static constexpr auto table =
      std::tuple_cat(theta_field<O>({0.0, 1.0, true}), newton_fields<O>(),
                     gap_tol_field<O>("Newton tolerance on gaps and joint positions; m or rad"), friction_fields<O>(),
                     solver_fields<O>());
};

ESC_API SchemeTraits traits_of(const PositionThetaOptions& options);
ESC_API std::unique_ptr<Method> make_method(const System& system, const PositionThetaOptions& options,
                                            Executor& executor);
using PositionTheta = Configured<PositionThetaOptions>;

}  // namespace esc
