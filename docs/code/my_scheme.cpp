#include "docs/code/my_scheme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/contact_impulses.hpp"
#include "src/schemes/parts/contact_records.hpp"
#include "src/schemes/parts/theta_step.hpp"

namespace esc {

struct BackwardEuler::Work {
  explicit Work(const System& sys)
      : system(sys),
        motion(sys, {.theta = 1.0, .first = FirstIterate::extrapolated, .frame = FrameAt::begin}),
        impulses(sys, {}, serial()) {}

  void activate(const State& x, double h);
  StepStatus newton(const BackwardEulerOptions& options, StepReport& report);
  bool solve_contacts(StepReport& report);
  double residual();

  const System& system;
  ThetaStep motion;  // v, q, f = h F - M (v - v_k) + Gb^T Lambda, and the factors of K
  ContactImpulses impulses;
  ContactRecords records;
  ContactSet set;  // the active contacts, G at q_k
  std::vector<double> U_k, b, P, r;
};

// I = { a | g_a + h U_a <= 0 }, all at the start of the step.
void BackwardEuler::Work::activate(const State& x, double h) {
  system.detect(x.t, x.q, everything, set);
  system.evaluate(x.t, x.q, set);
  std::erase_if(set.contacts, [&](const Contact& contact) {
    double U[3] = {};
    velocity(set, contact, x.v, U);
    return contact.gap + h * U[0] > 0.0;
  });
  set.layout();
  system.evaluate(x.t, x.q, set);
  for (auto* rows : {&U_k, &b, &P}) rows->resize(set.rows());
  for (const Contact& contact : set.contacts) velocity(set, contact, x.v, U_k.data() + contact.first_row);
  records.guess(x, set, P);
  impulses.couple(set);
}

// 0 <= U_N + e U_N,k _|_ P_N >= 0 and Coulomb's law for U = G v + g_t with v <- v + Mhat^-1 G^T P.
bool BackwardEuler::Work::solve_contacts(StepReport& report) {
  impulses.assemble(motion.factor());
  for (const Contact& contact : set.contacts) {
    velocity(set, contact, motion.v, b.data() + contact.first_row);
    b[contact.first_row] += contact.law.e * U_k[contact.first_row];
  }
  const auto outcome = impulses.solve(b, P);
  report.solver_iterations += outcome.iterations;
  report.solver_residual = outcome.residual;
  if (outcome.solved) impulses.add_to(motion.v, motion.Lambda, P);
  return outcome.solved;
}

// |h F - M (v - v_k) + Gb^T Lambda + G^T P|
double BackwardEuler::Work::residual() {
  r = motion.f;
  for (const Contact& contact : set.contacts) add_impulse(set, contact, P.data() + contact.first_row, r);
  return norm(r);
}

StepStatus BackwardEuler::Work::newton(const BackwardEulerOptions& options, StepReport& report) {
  motion.begin();  // v = v_k, q = q_k + h v_k
  for (report.iterations = 1; report.iterations <= options.newton_max; ++report.iterations) {
    if (!motion.solve()) return all_finite(motion.f) ? StepStatus::singular_matrix : StepStatus::not_finite;
    if (set.size() > 0 && !solve_contacts(report))
      return all_finite(b) ? StepStatus::solver_failed : StepStatus::not_finite;
    motion.update();  // q = q_k + h v, and f there
    report.residual = residual();
    if (!std::isfinite(report.residual) || !all_finite(motion.q)) return StepStatus::not_finite;
    if (report.residual <= options.tol) return StepStatus::ok;
  }
  return StepStatus::newton_stalled;
}

BackwardEuler::BackwardEuler(const System& system, const BackwardEulerOptions& options)
    : system_(system), options_(options), work_(std::make_unique<Work>(system)) {
  validate(options);
}

BackwardEuler::~BackwardEuler() = default;

void BackwardEuler::start(State& x) {
  x.history.clear();
  x.scheme = name();
}

StepReport BackwardEuler::step(State& x, double h) {
  StepReport report;
  Work& w = *work_;
  const auto fail = [&](StepStatus status) {
    report.status = status;
    return report;
  };
  if (!(h > 0.0) || !std::isfinite(h)) return fail(StepStatus::bad_step);
  if (!fits(system_, x) || x.scheme != name()) return fail(StepStatus::foreign_state);
  if (!std::isfinite(x.t)) return fail(StepStatus::not_finite);
  if (!w.motion.prepare(x, h)) return fail(StepStatus::singular_matrix);

  w.activate(x, h);
  if (const StepStatus status = w.newton(options_, report); status != StepStatus::ok) return fail(status);

  report.active = w.set.size();
  report.islands = w.set.size() > 0 ? w.impulses.islands() : 0;
  report.events = w.records.write(x, w.set, w.P, w.U_k, {x.t + h, 1e-9});
  report.advanced = h;
  x.t += h;
  x.h = h;
  x.joint_impulse.swap(w.motion.Lambda);
  x.q.swap(w.motion.q);
  x.v.swap(w.motion.v);
  return report;
}

Promise BackwardEuler::promise() const {
  Promise promise;
  promise.theta = 1.0;
  promise.frame = FrameAt::begin;
  promise.forecast = Forecast::position;
  promise.gamma = 1.0;
  promise.momentum_tolerance = 10.0 * options_.tol;
  return promise;
}

void BackwardEuler::poison() {
  Work& w = *work_;
  for (auto* scratch : {&w.U_k, &w.b, &w.P, &w.r, &w.set.G, &w.set.g_t})
    std::fill(scratch->begin(), scratch->end(), std::numeric_limits<double>::quiet_NaN());
  w.motion.poison();
  w.impulses.poison();
}

void BackwardEuler::invalidate() { work_->motion.invalidate(); }

}  // namespace esc
