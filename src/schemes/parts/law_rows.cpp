#include "src/schemes/parts/law_rows.hpp"

#include <algorithm>
#include <limits>

#include "src/math/vectors.hpp"

namespace esc {

void LawRows::begin_step(const State& x) {
  memory_.clock.enter(Stage::evaluation);
  system_.evaluate(x.t, x.q, set);
  fit(U_k, set.g_t.size());
  for (const Contact& contact : set.contacts) velocity(set, contact, x.v, U_k.data() + contact.first_row);
  couple(x);
}

void LawRows::couple(const State& x) {
  for (auto* rows : {&U_k, &P, &b_}) fit(*rows, set.g_t.size());
  records_.guess(x, set, P);
  impulses_.couple(set);
}

bool LawRows::solve(Unknowns to, StepReport& report) {
  const auto outcome = impulses_.solve(b_, P);
  report.solver_iterations += outcome.iterations;
  report.solver_residual = outcome.residual;
  report.coarse_islands = outcome.coarse;
  if (!outcome.solved) return false;
  impulses_.add_to(to.v, to.Lambda, P);
  return true;
}

bool LawRows::finite() const { return all_finite(b_); }

void LawRows::add_impulses(std::vector<double>& f) const {
  for (const Contact& contact : set.contacts) add_impulse(set, contact, P.data() + contact.first_row, f);
}

void LawRows::write(State& x, const ContactRecords::Closing& closing, StepReport& report) {
  memory_.clock.enter(Stage::other);
  if (set.empty() && x.contacts.empty()) return;  // nothing is closed, and nothing was
  report.active = set.size();
  report.islands = !set.empty() ? impulses_.islands() : 0;
  report.events = records_.write(x, set, P, U_k, closing);
}

}  // namespace esc
