// The small models of bruels section 10 and of the tests of its scheme with friction, and a run of them step by step.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/models/constraint.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/schemes/alpha_ggl.hpp>

namespace esc::testing {

// A mass at the end of a massless rod with redundant coordinates (x, y, theta), that swings against a wall.
struct RodAgainstWall {
  double mass = 1.0, inertia = 0.1, length = 1.0, g = 10.0;  // kg, kg m^2, m, m/s^2
  double angle = std::numbers::pi / 12.0;                    // rad
  double wall = 0.5 * std::numbers::sqrt2, e = 0.8;          // m
  bool has_wall = true;

  Model model() const {
    Model model;
    const BlockId rod =
        model.add_coordinates("rod", {"x", "y", "theta"},
                              lagrangian<3>(
                                  [*this](double, const double*, MatrixView M) {
                                    for (int i = 0; i < 9; ++i) M(i / 3, i % 3) = 0.0;
                                    M(0, 0) = M(1, 1) = mass;
                                    M(2, 2) = inertia;
                                  },
                                  [*this](const auto&, const auto*, const auto*, auto* F) {
                                    F[0] = F[2] = 0.0;
                                    F[1] = -mass * g;
                                  },
                                  [*this](double, const double* q) { return mass * g * q[1]; }),
                              {length * std::cos(angle), length * std::sin(angle), angle}, {0.0, 0.0, 0.0});
    model.add_joint("pivot", {rod}, constraint<3, 2>([l = length](const auto&, const auto* q, auto* out) {
                      using std::cos, std::sin;
                      out[0] = q[0] - l * cos(q[2]);
                      out[1] = q[1] - l * sin(q[2]);
                    }));
    if (has_wall)
      model.add_contact("wall", {rod}, gap<3>([d = wall](const auto&, const auto* q) { return q[0] - d; }), {.e = e});
    return model;
  }
};

// A block on a plane: x along it, y its height; pushed along x by a force of time, and down by `weight`.
template <class Push>
Model block_on_plane(Push push, double weight, double mu, std::array<double, 2> start = {0.0, 0.0}) {
  Model model;
  const BlockId block = model.add_coordinates("block", {"x", "y"},
                                              lagrangian<2>(
                                                  [](double, const double*, MatrixView M) {
                                                    M(0, 0) = M(1, 1) = 1.0;
                                                    M(0, 1) = M(1, 0) = 0.0;
                                                  },
                                                  [push, weight](const auto& t, const auto*, const auto*, auto* F) {
                                                    F[0] = push(t);
                                                    F[1] = -weight;
                                                  }),
                                              {start[0], start[1]}, {0.0, 0.0});
  model.add_contact(
      "plane", {block},
      gap<2>([](const auto&, const auto* q) { return q[1]; }, [](const auto&, const auto* q) { return q[0]; }),
      {.mu = mu});
  return model;
}

// On a slope of 0.3 rad, along which its weight pushes it.
inline constexpr double g = 9.81;  // m/s^2
inline Model on_incline(double mu) {
  const double slope = 0.3;
  return block_on_plane([slope](const auto&) { return g * std::sin(slope); }, g * std::cos(slope), mu);
}

// What a step has left in the history of the scheme.
struct AlphaHistory {
  std::vector<double> a, vdot, lambda;
};
inline AlphaHistory alpha_history_of(const State& x, std::string_view owner = "alpha-ggl") {
  const auto values = find_history(x, owner)->values.begin();
  const auto n = static_cast<std::ptrdiff_t>(x.v.size()), rows = static_cast<std::ptrdiff_t>(x.joint_impulse.size());
  return {{values, values + n}, {values + n, values + 2 * n}, {values + 2 * n, values + 2 * n + rows}};
}

// Runs until `until`; every step must be certified. observe(system, state, report) after every step.
template <class Observe>
State run_certified(const System& system, Scheme& scheme, std::pair<double, double> step_until, Observe observe) {
  const auto [h, until] = step_until;
  Certifier certifier(system);
  State x = system.initial_state();
  scheme.start(x);
  State before = x;
  for (int k = 0; k < static_cast<int>(std::lround(until / h)); ++k) {
    before = x;
    const StepReport report = scheme.step(x, h);
    if (!report.ok()) {
      ADD_FAILURE() << to_string(report.status) << " at t = " << x.t;
      return x;
    }
    const Certificate certificate = certifier.certify(before, x, *report.promise);
    EXPECT_TRUE(certificate.ok()) << to_string(certificate.worst()) << " at t = " << x.t;
    observe(system, x, report);
  }
  return x;
}
template <class Observe>
State run_alpha(const System& system, const AlphaGglOptions& options, std::pair<double, double> step_until,
                Observe observe) {
  AlphaGgl scheme(system, options);
  return run_certified(system, scheme, step_until, observe);
}
inline State run_alpha(const System& system, const AlphaGglOptions& options, std::pair<double, double> step_until) {
  return run_alpha(system, options, step_until, [](const System&, const State&, const StepReport&) {});
}

// The impulses of impacts, in the order of their times.
struct Blow {
  double t, P;
  unsigned feature;
};
inline void note_blows(const StepReport& report, double least, std::vector<Blow>& blows) {
  for (const Event& event : report.events)
    if (event.kind == EventKind::impact && event.normal_impulse > least)
      blows.push_back({event.t, event.normal_impulse, event.key.feature});
}

}  // namespace esc::testing
