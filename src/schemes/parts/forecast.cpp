#include "src/schemes/parts/forecast.hpp"

namespace esc {

namespace {

// Keeps the contacts whose gap after the way h (a U_k + b U_free) is at most tol.
template <class Way>
void keep_closing(const System& system, const State& x, double tol, ContactSet& set, Way way) {
  system.detect(x.t, x.q, everything, set);
  system.evaluate(x.t, x.q, set);
  std::erase_if(set.contacts, [&](const Contact& contact) { return contact.gap + way(contact) > tol; });
  set.layout();
}

}  // namespace

void forecast_position(const System& system, const State& x, double h, double gamma, double tol, ContactSet& set) {
  if (gamma == 0.0) return system.detect(x.t, x.q, tol, set);
  keep_closing(system, x, tol, set, [&](const Contact& contact) {
    double U[3] = {};
    velocity(set, contact, x.v, U);
    return gamma * h * U[0];
  });
}

void forecast_free(const System& system, const State& x, double h, double theta, const std::vector<double>& v_free,
                   double tol, ContactSet& set) {
  keep_closing(system, x, tol, set, [&](const Contact& contact) {
    double U_now[3] = {}, U_free[3] = {};
    velocity(set, contact, x.v, U_now);
    velocity(set, contact, v_free, U_free);
    return h * (theta * U_free[0] + (1.0 - theta) * U_now[0]);
  });
}

}  // namespace esc
