// Rows of option tables that several schemes share: each option is described once.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include <escapement/friction_cone.hpp>
#include <escapement/options.hpp>
#include <escapement/promise.hpp>
#include <escapement/schemes/first_iterate.hpp>
#include <escapement/solvers/cone_solver.hpp>
#include <escapement/source.hpp>

namespace esc {

// How the two contact problems of a projected scheme are solved within a Newton iteration.
enum class Implementation : std::uint8_t {
  automatic,  // decoupled; coupled for the rest of a step once an iteration does not halve the residual
  decoupled,  // the velocities, then the positions: acary (57), (58)
  coupled,    // both in one problem: acary (53)
};
inline constexpr std::array<std::string_view, 3> implementation_names{"automatic", "decoupled", "coupled"};

template <class O>
constexpr auto theta_field(Range range = {0.0, 1.0}) {
  return std::tuple{
      number("theta", &O::theta, "1", range, "weight of the end of the step; 1/2 is second order between impacts"),
      DerivedField<O>{"rho_inf", &O::theta, Range{0.0, 1.0}, [](double rho_inf) { return 1.0 / (1.0 + rho_inf); },
                      [](double theta) { return 1.0 / theta - 1.0; }, "theta",
                      "in place of theta = 1 / (1 + rho_inf): how much of the fastest vibrations a step leaves, bruels "
                      "section 10"}};
}

template <class O>
constexpr auto forecast_fields() {
  return std::tuple{
      choice("forecast", &O::forecast, forecast_names,
             "activation: position is acary (61), free is (62), predicted the gap at q_k + gamma h v_k"),
      number("gamma", &O::gamma, "1", Range{0.0, 2.0},
             "look-ahead of the forecasts position, g + gamma h U, and predicted"),
      number("activation_tol", &O::activation_tol, "m", nonnegative_range,
             "a forecast up to this is closed, so that round-off does not decide; above gap_tol, where positions are "
             "projected, and well below h^2 times an acceleration; 0: the printed rule")};
}

template <class O>
constexpr auto tangents_field() {
  return std::tuple{
      choice("tangents", &O::tangents, tangent_form_names,
             "tangents in Mhat: exact, or semidefinite as potra (10.13), (10.14); the solution is the same")};
}

template <class O>
constexpr auto tol_field() {
  return std::tuple{number("tol", &O::tol, "N s", positive_range, "Newton tolerance on the momentum residual (41)")};
}

template <class O>
constexpr auto newton_max_field() {
  return std::tuple{
      number("newton_max", &O::newton_max, "1", Range{1.0, 10000.0}, "Newton iterations before a step fails")};
}

template <class O>
constexpr auto newton_fields() {
  return std::tuple_cat(
      std::tuple{choice("quadrature", &O::quadrature, quadrature_names,
                        "M and F at q_{k+theta}, or M at the end and F averaged"),
                 choice("first_iterate", &O::first_iterate, first_iterate_names,
                        "start of the Newton loop: v_k, q_k as printed; extrapolated, for linear systems; predicted, "
                        "with joints")},
      tangents_field<O>(), tol_field<O>(),
      std::tuple{number("frame_tol", &O::frame_tol, "m/s", positive_range,
                        "Newton tolerance on the contact velocities as frames turn")},
      newton_max_field<O>());
}

template <class O>
constexpr auto gap_tol_field(std::string_view doc) {
  return std::tuple{number("gap_tol", &O::gap_tol, "m", positive_range, doc)};
}

template <class O>
constexpr auto projection_fields() {
  return std::tuple{
      choice("implementation", &O::implementation, implementation_names,
             "decoupled: velocities, then positions, acary (57), (58); coupled: both in one problem, (53); automatic: "
             "coupled where decoupled is slow"),
      choice(
          "metric", &O::metric, metric_names,
          "of the projection, acary (59): identity; iteration-matrix, which is Mhat^-1; mass, which is M^-1; user, a "
          "function given in C++"),
      number("gap_tol", &O::gap_tol, "m", positive_range,
             "Newton tolerance on gaps, joint positions and the projection; m or rad")};
}

template <class O>
constexpr auto friction_fields() {
  return std::tuple{
      choice("friction_cone", &O::friction_cone, friction_cone_names,
             "of contacts in space: round, or a regular polygon inside it, whose corners alone have the full friction"),
      number("friction_directions", &O::friction_directions, "1", Range{4.0, 64.0},
             "corners of that polygon, an even number; the first lies along the first tangent of the contact")};
}

template <class O>
constexpr auto solver_fields() {
  return std::tuple{
      choice("solver", &O::solver, cone_solver_names, "contact solver; automatic picks by island size"),
      number("solver_tol", &O::solver_tol, "1", positive_range, "contact solver tolerance, dimensionless"),
      number(
          "large_island_tol", &O::large_island_tol, "1", nonnegative_range,
          "0: as solver_tol; else islands of more than 50 contacts are solved to this only, faster, and the run says "
          "so"),
      number("solver_max", &O::solver_max, "1", Range{1.0, 1e8}, "sweeps of an iterative contact solver"),
      number("impact_velocity", &O::impact_velocity, "m/s", nonnegative_range,
             "slower closings are not reported as impacts")};
}

}  // namespace esc
