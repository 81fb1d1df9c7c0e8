#include "src/schemes/parts/forecast.hpp"

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

void find_closing(const System& system, const State& x, const PositionForecast& rule, ContactSet& set) {
  if (rule.gamma == 0.0) return system.detect(x.t, x.q, rule.tol, set);
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

}  // namespace esc
