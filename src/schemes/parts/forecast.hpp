// Which contacts a step treats as active at velocity level, acary section 4.4.
#pragma once

#include <vector>

#include <escapement/promise.hpp>
#include <escapement/scratch.hpp>
#include <escapement/state.hpp>
#include <escapement/system.hpp>

namespace esc {

// (61): { a | g_k + gamma h U_k <= tol }.
struct PositionForecast {
  double h = 0.0, gamma = 0.0, tol = 0.0;
};
void find_closing_ahead(const System& system, const State& x, const PositionForecast& rule, ContactSet& set);
inline void find_closing(const System& system, const State& x, const PositionForecast& rule, ContactSet& set) {
  if (rule.gamma != 0.0) return find_closing_ahead(system, x, rule, set);
  system.detect(x.t, x.q, rule.tol, set);
}

// (62): { a | g_k + h (theta U_free + (1 - theta) U_k) <= tol }, v_free being the velocity without contact.
struct FreeForecast {
  double h = 0.0, theta = 0.5, tol = 0.0;
  const std::vector<double>& v_free;
};
void find_closing(const System& system, const State& x, const FreeForecast& rule, ContactSet& set);

// { a | g_a(t_k + gamma h, q*) <= tol }, q* = retract(q_k, gamma h v_k): as (61) for gaps that are flat along the step.
struct PredictedForecast {
  double h = 0.0, gamma = 0.0, tol = 0.0;
  std::vector<double>& q;  // scratch: q*
};
void find_closing(const System& system, const State& x, const PredictedForecast& rule, ContactSet& set);

// The forecast that the options of a scheme ask for.
struct ForecastOptions {
  Forecast rule = Forecast::position;
  double gamma = 0.0, theta = 0.5, tol = 0.0;
};
template <class Options>
ForecastOptions forecast_options(const Options& o) {
  return {.rule = o.forecast, .gamma = o.gamma, .theta = o.theta, .tol = o.activation_tol};
}

class ForecastRule {
 public:
  ForecastRule(const System& system, const ForecastOptions& options, Scratch& scratch)
      : memory_(scratch), system_(system), options_(options), q_(scratch.vector()) {}

  bool asks_free_motion() const { return options_.rule == Forecast::free; }
  // v_free: the velocity without contact, where it asks for it.
  void find(const State& x, double h, const std::vector<double>& v_free, ContactSet& set);

 private:
  Scratch& memory_;
  const System& system_;
  ForecastOptions options_;
  std::vector<double>& q_;
};

}  // namespace esc
