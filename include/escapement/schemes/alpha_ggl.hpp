// The nonsmooth generalized-alpha method, bruels (29), (30) and Algorithm 1: second order in smooth motion, with joints
// too; gaps, Newton's impact law and joints at both levels, bodies come to rest. See docs/schemes/alpha_ggl.md.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>

#include <escapement/executor.hpp>
#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/scheme.hpp>
#include <escapement/schemes/scheme_fields.hpp>
#include <escapement/solvers/cone_solver.hpp>

namespace esc {

// How the smooth motion and the two levels of constraints are solved within a Newton iteration.
enum class AlphaForm : std::uint8_t {
  automatic,   // sequential; coupled for the rest of a step once an iteration does not halve the residual
  sequential,  // one after the other: Algorithm 1
  coupled,     // in one problem: (44)
};
inline constexpr std::array<std::string_view, 3> alpha_form_names{"automatic", "sequential", "coupled"};

enum class AfterImpact : std::uint8_t {
  keep,     // the accelerations of the step go on, with their transient: bruels
  restart,  // the next step begins with accelerations that are consistent with the velocities after the impact
};
inline constexpr std::array<std::string_view, 2> after_impact_names{"keep", "restart"};

// Rows that the schemes of this family share.
template <class O>
constexpr auto alpha_rho_field() {
  return std::tuple{number("rho_inf", &O::rho_inf, "1", Range{0.0, 1.0},
                           "how much of the fastest vibrations a step leaves; 1 damps nothing, 0 removes them")};
}
template <class O>
constexpr auto alpha_fields() {
  return std::tuple{
      choice("prediction", &O::prediction, prediction_names,
             "q* of (29h), where a gap <= 0 makes a contact active; start and extrapolated chatter at rest"),
      choice("after_impact", &O::after_impact, after_impact_names,
             "keep: accelerations go on and swing after an impact; restart: they are made consistent"),
      number("tol_s", &O::tol_s, "N s", positive_range, "Newton tolerance on the balances of momentum"),
      number("tol_p", &O::tol_p, "m", positive_range, "Newton tolerance on gaps and joint positions; m or rad"),
      number("tol_v", &O::tol_v, "m/s", positive_range,
             "Newton tolerance on joint velocities, and on those of contacts as frames turn")};
}

struct AlphaGglOptions {
  double rho_inf = 0.8;  // [0, 1]; spectral radius at infinite frequency: 1 damps nothing, 0 within a step or two
  AlphaForm form = AlphaForm::automatic;
  Levels levels = Levels::both;  // not position: that is alpha-index3
  GapLaw gap_law = GapLaw::nu;
  Prediction prediction = Prediction::tilde;
  AfterImpact after_impact = AfterImpact::keep;
  double tol_s = 1e-10;  // on momentum, (39a) and the balances of (39b), (39c), N s
  double tol_p = 1e-12;  // on gaps and joint positions, m or rad
  double tol_v = 1e-11;  // on joint velocities and how far U may move with the frame after the solve, m/s
  TangentForm tangents = TangentForm::exact;
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
struct Fields<AlphaGglOptions> {
  using O = AlphaGglOptions;
  static constexpr std::string_view owner = "alpha-ggl";
  static constexpr auto table = std::tuple_cat(
      alpha_rho_field<O>(),
      std::tuple{
          choice("form", &O::form, alpha_form_names,
                 "sequential: smooth motion, velocities, positions in turn, bruels' Algorithm 1; coupled: in one "
                 "problem, (44); automatic: coupled where sequential is slow"),
          choice("levels", &O::levels, std::span(levels_names).first(2),
                 "both: no penetration, no drift; velocity: gaps and joints at velocity level only"),
          choice("gap_law", &O::gap_law, gap_law_names,
                 "gaps are complementary to nu, (28), or to mu, (25) with (27): the modified LCP, which chatters")},
      alpha_fields<O>(), tangents_field<O>(), newton_max_field<O>(), friction_fields<O>(), solver_fields<O>());
};

ESC_API SchemeTraits traits_of(const AlphaGglOptions& options);
ESC_API std::unique_ptr<Method> make_method(const System& system, const AlphaGglOptions& options, Executor& executor);
using AlphaGgl = Configured<AlphaGglOptions>;

}  // namespace esc
