// The slider-crank with clearance of acary section 6.4 three ways: minimal coordinates, planar bodies with revolute
// joints, rigid bodies in space with revolute joints; and what its tests look at.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "examples/slider_crank.hpp"
#include "tests/support/norms.hpp"

namespace esc::test {

enum class Way { minimal, planar, spatial };
constexpr std::array<Way, 3> ways{Way::minimal, Way::planar, Way::spatial};

inline std::string name(Way way) { return way == Way::minimal ? "minimal" : way == Way::planar ? "planar" : "spatial"; }

inline System system_of(Way way, const examples::SliderCrank& data = {}) {
  return compile(way == Way::minimal ? data.model() : way == Way::planar ? data.planar_model() : data.spatial_model());
}

inline double crank_angle(Way way, const System& system, const State& x) {
  if (way == Way::minimal) return x.q[system.coordinate("angle.crank")];
  if (way == Way::planar) return x.q[system.coordinate("crank.phi")];
  return 2.0 * std::atan2(x.q[system.coordinate("crank.qz")], x.q[system.coordinate("crank.qw")]);
}

// The upper corners are 0 and 1.
inline std::array<double, 4> corner_gaps(const System& system, const State& x) {
  const ContactSet set = contacts_at(system, x);
  std::array<double, 4> gaps{};
  for (int i = 0; i < 4; ++i) gaps[i] = set.contacts.at(i).gap;
  return gaps;
}

inline double corner_velocity(const System& system, const State& x) {  // of corner 0, along the normal
  const ContactSet set = contacts_at(system, x);
  double U[3];
  velocity(set, set.contacts[0], x.v, U);
  return U[0];
}

// After n steps to time t.
inline State fly(Scheme& scheme, double t, int n) {
  State x = scheme.system().initial_state();
  scheme.start(x);
  for (int k = 0; k < n; ++k) EXPECT_TRUE(scheme.step(x, t / n).ok());
  return x;
}

struct FirstContact {
  double t, U;
};

// n steps of t / n, with t found by Newton so that the gap after them is zero. For schemes that let it be negative.
inline FirstContact first_contact(Scheme& scheme, int n) {
  const System& system = scheme.system();
  double t = 2.6e-3;
  for (int i = 0; i < 6; ++i) {
    const State x = fly(scheme, t, n);
    t -= corner_gaps(system, x)[0] / corner_velocity(system, x);
  }
  return {t, corner_velocity(system, fly(scheme, t, n))};
}

// acary Fig. 26: corner 0 in the first long contact, from .15 to .25 revolutions, h = 1e-4 s. Below 1e-8 m/s, which the
// Newton loop may leave, a velocity has no sign.
struct CornerCourse {
  int steps = 0, sign_changes = 0;
  double largest_jump = 0.0;  // of U_N, m/s
};

template <class S = MoreauJean>
CornerCourse corner_course(const typename S::Options& options = {}, double shift = 0.0) {
  CornerCourse c;
  double before = 0.0;
  follow<S>(examples::SliderCrank{.angles = {shift, 0.0, 0.0}}.model(), options, {.step = 1e-4, .until = 0.02},
            [&](const System& system, const State& x) {
              const double revolutions = x.q[0] / (2.0 * std::numbers::pi);
              if (revolutions < 0.15 || revolutions > 0.25) return;
              const double U = corner_velocity(system, x);
              if (c.steps++ > 0) {
                c.largest_jump = std::max(c.largest_jump, std::abs(U - before));
                c.sign_changes += std::abs(U) > 1e-8 && std::abs(before) > 1e-8 && U * before < 0.0;
              }
              before = U;
            });
  return c;
}

// What a run leaves: the gaps of the corners every 0.1 ms, and the worst of the rest.
struct Course {
  std::vector<std::array<double, 4>> gaps;
  double revolutions = 0.0, violation = 0.0, tilt = 0.0, out_of_plane = 0.0;
  double gained = 0.0;  // the largest energy less the one at the start
  RunReport report;
};

inline double out_of_plane(const System& system, const State& x) {
  double worst = 0.0;
  for (const std::string body : {"crank", "rod", "slider"}) {
    for (const char* name : {".z", ".qx", ".qy"})
      worst = std::max(worst, std::abs(x.q[system.coordinate(body + name)]));
    for (const char* name : {".vz", ".wx", ".wy"}) worst = std::max(worst, std::abs(x.v[system.velocity(body + name)]));
  }
  return worst;
}

struct CourseOptions {
  double step;         // s
  double until = 0.2;  // s
  bool certify = true;
};

template <class S = MoreauJean>
Course course(Way way, const CourseOptions& run, const typename S::Options& options = {}) {
  Course c;
  const System system = system_of(way);
  const int every = static_cast<int>(std::lround(1e-4 / run.step));
  double angle = crank_angle(way, system, system.initial_state());
  int steps = 0;
  S scheme(system, options);
  State x = system.initial_state();
  const double start = energy(system, x);
  const auto observe = [&](const State& now) {
    angle += std::remainder(crank_angle(way, system, now) - angle, 2.0 * std::numbers::pi);  // unwrapped
    if (++steps % every != 0) return true;
    c.gaps.push_back(corner_gaps(system, now));
    for (const double gap : c.gaps.back()) c.violation = std::max(c.violation, -gap);
    c.tilt = std::max(c.tilt, std::abs(c.gaps.back()[0] - c.gaps.back()[1]));
    c.gained = std::max(c.gained, energy(system, now) - start);
    if (way == Way::spatial) c.out_of_plane = std::max(c.out_of_plane, out_of_plane(system, now));
    return true;
  };
  c.report = simulate(scheme, x, {.step = run.step, .until = run.until, .certify = run.certify, .keep_going = observe});
  EXPECT_TRUE(c.report.ok()) << c.report.message;
  EXPECT_EQ(c.report.failed_certificates, 0) << to_string(c.report.worst_check);
  c.violation = std::max(c.violation, c.report.max_penetration);
  c.revolutions = angle / (2.0 * std::numbers::pi);
  return c;
}

}  // namespace esc::test
