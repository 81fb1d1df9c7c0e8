// What acary section 6.2 reads off its figures of the impacting bar.
#pragma once

#include <algorithm>
#include <cmath>

#include "examples/elastic_bar.hpp"
#include "tests/support/norms.hpp"

namespace esc::test {

// With t1 = gap / v0 and T = 2 L / c0 the exact contact is [t1, t1 + T]. A step from t - h to t with impulse P is in
// contact if P > 0, and its force F = P / h belongs to t.
struct BarFigures {
  double force, force_sd;  // over t in [t1 + .1 T, t1 + .9 T], population standard deviation, / r
  double peak;             // largest F / r
  double duration;         // from the first to the last step in contact, both counted, / T
  double violation;        // largest penetration / (h v0)
  double speed;            // largest |v| of the tip in contact, first step left out, / v0
  double after, after_sd;  // velocity of the tip away from the wall over t in [t1 + 1.15 T, t1 + 2 T], / v0
  double energy;           // at 1.5 ms / start
  double gap = 0.0;        // largest |gap| in contact, m
};

template <class S>
BarFigures measure_bar(const examples::ElasticBar& bar, double h, const typename S::Options& options = {}) {
  const double t1 = bar.gap / bar.velocity, T = bar.contact_time();
  Sample force, after;
  BarFigures f{};
  double first = 0.0, last = 0.0;
  const RunReport report = follow<S>(
      bar.model(), options, {.step = h, .until = 1.5e-3, .certify = false}, [&](const System&, const State& x) {
        const double P = x.contacts.empty() ? 0.0 : x.contacts[0].P[0];
        const double F = P / h / bar.contact_force(), v = x.v[bar.tip()] / bar.velocity;
        if (P > 0.0) {
          if (first == 0.0)
            first = x.t;
          else
            f.speed = std::max(f.speed, std::abs(v));
          last = x.t;
          f.gap = std::max(f.gap, std::abs(x.q[bar.tip()] - bar.gap));
        }
        if (x.t >= t1 + 0.1 * T && x.t <= t1 + 0.9 * T) force.add(F);
        if (x.t >= t1 + 1.15 * T && x.t <= t1 + 2.0 * T) after.add(-v);
        f.peak = std::max(f.peak, F);
        f.violation = std::max(f.violation, (x.q[bar.tip()] - bar.gap) / (h * bar.velocity));
      });
  f.force = force.mean();
  f.force_sd = force.deviation();
  f.duration = (last - first + h) / T;
  f.after = after.mean();
  f.after_sd = after.deviation();
  f.energy = (report.final.kinetic + report.final.potential) / report.initial.kinetic;
  return f;
}

// All but violation, speed and gap; a NaN is not compared.
inline void expect_figures(const BarFigures& f, const BarFigures& expected) {
  EXPECT_NEAR(f.force, expected.force, 1e-3);
  EXPECT_NEAR(f.force_sd, expected.force_sd, 1e-3);
  EXPECT_NEAR(f.peak, expected.peak, 1e-3);
  EXPECT_NEAR(f.duration, expected.duration, 1e-3);
  EXPECT_NEAR(f.after, expected.after, 1e-3);
  if (!std::isnan(expected.after_sd)) {
    EXPECT_NEAR(f.after_sd, expected.after_sd, 1e-3);
  }
  EXPECT_NEAR(f.energy, expected.energy, 1e-5);
}

}  // namespace esc::test
