#include "papers/acary/consistency.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "examples/bouncing_ball.hpp"
#include "examples/linear_oscillator.hpp"
#include "examples/statistics.hpp"

namespace esc::papers::acary {

using examples::slope;

namespace {

constexpr int phases = 16;

std::string three_places(double value) { return text(std::round(1e3 * value) / 1e3, 4); }  // round-off is 0

template <class Example>
LocalErrors measure(const Example& example, const SchemeChoice& choice, double impact, int steps_before) {
  const System system = compile(example.model());
  const auto scheme = make_scheme(choice.name, system, choice.settings);
  LocalErrors errors;
  errors.jump = std::abs(example.exact(impact + 1e-9).v - example.exact(impact - 1e-9).v);
  for (const double h : {3e-2, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5}) {
    double q = 0.0, v = 0.0;
    for (int i = 0; i < phases; ++i) {
      const double t = impact - (i + 0.5) / phases * h - steps_before * h;
      State x = system.initial_state();
      x.t = t;
      x.q[0] = example.exact(t).q;
      x.v[0] = example.exact(t).v;
      scheme->start(x);
      if (const StepReport report = scheme->step(x, h); !report.ok())
        throw std::runtime_error(choice.name + ": " + std::string(to_string(report.status)));
      q = std::max(q, std::abs(x.q[0] - example.exact(t + h).q));
      v = std::max(v, std::abs(x.v[0] - example.exact(t + h).v));
    }
    errors.h.push_back(h);
    errors.q.push_back(q);
    errors.v.push_back(v);
  }
  return errors;
}

}  // namespace

LocalErrors local_errors(const SchemeChoice& scheme, Impact impact, int steps_before) {
  if (impact == Impact::ball) {
    const examples::BouncingBall ball;
    return measure(ball, scheme, ball.first_impact(), steps_before);
  }
  const examples::LinearOscillator oscillator;
  return measure(oscillator, scheme, oscillator.first_impact(), steps_before);
}

Judgement position_error_is_of_first_order(const LocalErrors& errors) {
  const double order = slope(errors.h, errors.q);
  return {"order " + three_places(order), std::abs(order - 1.0) <= 0.1};
}

Judgement velocity_error_is_bounded(const LocalErrors& errors) {
  const double largest = *std::max_element(errors.v.begin(), errors.v.end()) / errors.jump;
  return {"at most " + text(largest, 3) + " of the jump, order " + three_places(slope(errors.h, errors.v)),
          largest <= 1.05};
}

Judgement velocity_error_stays(const LocalErrors& errors) {
  const double order = slope(errors.h, errors.v), least = *std::min_element(errors.v.begin(), errors.v.end());
  return {"order " + three_places(order) + ", at least " + text(least / errors.jump, 3) + " of the jump",
          std::abs(order) <= 0.1 && least >= 0.5 * errors.jump};
}

}  // namespace esc::papers::acary
