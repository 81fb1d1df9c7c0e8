// The Moreau-Jean scheme, acary Eq. (18): contact and Newton's impact law at velocity level, theta-method in between.
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

struct MoreauJeanOptions {
  double theta = 0.5;                                    // [0, 1]; 1/2: second order in smooth phases
  Forecast forecast = Forecast::position;                // activation rule, Eq. (61) or (62)
  double gamma = 0.0;                                    // Eq. (61), [0, 2]
  double activation_tol = 1e-10;                         // m; a forecast up to this counts as closed
  FrameAt frame = FrameAt::end;                          // where G is taken; end as printed in (18a), (18c)
  Quadrature quadrature = Quadrature::theta_point;       // M and F at q_{k+theta}, or the endpoint form
  FirstIterate first_iterate = FirstIterate::automatic;  // of the Newton loop, Eq. (42)
  TangentForm tangents = TangentForm::exact;             // in Mhat; semidefinite keeps it positive definite for any h
  double tol = 1e-10;                                    // on the residual (41), N s
  double frame_tol = 1e-8;                               // on how far U may move with the frame after the solve, m/s
  int newton_max = 50;
  FrictionCone friction_cone = FrictionCone::round;  // of contacts in space
  int friction_directions = 8;                       // corners of a polygon, [4, 64], even
  ConeSolver solver = ConeSolver::automatic;         // automatic: see solvers/cone_solver.hpp
  double solver_tol = 1e-12;                         // on residual() of cone_problem.hpp
  double large_island_tol = 0.0;  // > 0: islands of more than 50 contacts to this only; docs/solvers/README.md
  int solver_max = 10000;
  double impact_velocity = 1e-9;  // m/s; a newly closed contact faster than this is an impact event
};

template <>
struct Fields<MoreauJeanOptions> {
  using O = MoreauJeanOptions;
  static constexpr std::string_view owner = "moreau-jean";
  static constexpr auto table = std::tuple_cat(
      theta_field<O>(), forecast_fields<O>(),
      std::tuple{choice("frame", &O::frame, frame_names, "where in the step the contact frame G is taken")},
      newton_fields<O>(), friction_fields<O>(), solver_fields<O>());
};

ESC_API SchemeTraits traits_of(const MoreauJeanOptions& options);
ESC_API std::unique_ptr<Method> make_method(const System& system, const MoreauJeanOptions& options, Executor& executor);
using MoreauJean = Configured<MoreauJeanOptions>;

}  // namespace esc
