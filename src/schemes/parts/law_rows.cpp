#include "src/schemes/parts/law_rows.hpp"

#include <algorithm>
#include <limits>

#include "src/math/vectors.hpp"
#include "src/model/impulse_terms.hpp"

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

double LawRows::change_of_momentum(const Carried& by) {
  defect_.assign(static_cast<std::size_t>(system_.nv()), 0.0);
  for (const Contact& contact : set.contacts) {
    double dP[3] = {};
    for (int row = 0; row < contact.row_count; ++row)
      dP[row] = P[contact.first_row + row] - P_found_[contact.first_row + row];
    add_impulse(set, contact, dP, defect_);
  }
  for (const Joint& joint : system_.joints()) {
    double dLambda[max_joint_rows] = {};
    for (int row = 0; row < joint.row_count; ++row)
      dLambda[row] = by.Lambda[joint.first_row + row] - Lambda_found_[joint.first_row + row];
    add_impulse(by.joints, joint, dLambda, defect_);
  }
  return largest_block(system_.blocks(), defect_);
}

bool LawRows::finite() const { return all_finite(b_); }

void LawRows::add_impulses(std::vector<double>& f) const {
  for (const Contact& contact : set.contacts) add_impulse(set, contact, P.data() + contact.first_row, f);
}

double LawRows::largest_term() const { return esc::largest_term(set, P); }

void LawRows::write(State& x, const ContactRecords::Closing& closing, StepReport& report) {
  memory_.clock.enter(Stage::other);
  if (set.empty() && x.contacts.empty()) return;  // nothing is closed, and nothing was
  report.active = set.size();
  report.islands = !set.empty() ? impulses_.islands() : 0;
  report.events = records_.write(x, set, P, U_k, closing);
}

}  // namespace esc
