#include "src/schemes/parts/forecast.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace esc {

namespace {

// Keeps the contacts whose gap after this way is at most tol.
template <class Way>
void keep_closing(const System& system, const State& x, ContactSet& set, double tol, Way way) {
  system.detect(x.t, x.q, any_gap, set);
  system.evaluate(x.t, x.q, set);
  std::erase_if(set.contacts, [&](const Contact& contact) { return contact.gap + way(contact) > tol; });
  set.layout();
}

}  // namespace

void find_closing_ahead(const System& system, const State& x, const PositionForecast& rule, ContactSet& set) {
  keep_closing(system, x, set, rule.tol, [&](const Contact& contact) {
    double U[3] = {};
    velocity(set, contact, x.v, U);
    return rule.gamma * rule.h * U[0];
  });
}

void find_closing(const System& system, const State& x, const FreeForecast& rule, ContactSet& set) {
  keep_closing(system, x, set, rule.tol, [&](const Contact& contact) {
    double U_now[3] = {}, U_free[3] = {};
    velocity(set, contact, x.v, U_now);
    velocity(set, contact, rule.v_free, U_free);
    return rule.h * (rule.theta * U_free[0] + (1.0 - rule.theta) * U_now[0]);
  });
}

void find_closing(const System& system, const State& x, const PredictedForecast& rule, ContactSet& set) {
  std::vector<double>& q = rule.q;
  const auto nq = static_cast<std::ptrdiff_t>(system.nq());
  q.resize(static_cast<std::size_t>(system.nq()) + x.v.size());
  const std::span<double> star(q.begin(), q.begin() + nq), way(q.begin() + nq, q.end());
  for (int i = 0; i < system.nv(); ++i) way[i] = rule.gamma * rule.h * x.v[i];
  system.retract(x.q, way, star);
  system.detect(x.t + rule.gamma * rule.h, star, rule.tol, set);
}

void ForecastRule::find(const State& x, double h, const std::vector<double>& v_free, ContactSet& set) {
  memory_.clock.enter(Stage::detection);
  const auto& [rule, gamma, theta, tol] = options_;
  switch (rule) {
    case Forecast::position:
      return find_closing(system_, x, PositionForecast{h, gamma, tol}, set);
    case Forecast::free:
      return find_closing(system_, x, FreeForecast{h, theta, tol, v_free}, set);
    case Forecast::predicted:
      return find_closing(system_, x, PredictedForecast{h, gamma, tol, q_}, set);
  }
}

}  // namespace esc
