#include <escapement/schemes/moreau_jean.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "src/math/block_factor.hpp"
#include "src/schemes/parts/contact_impulses.hpp"
#include "src/schemes/parts/contact_records.hpp"
#include "src/schemes/parts/iteration_matrix.hpp"

namespace esc {

// Letters of acary section 4.3: v, q are the Newton iterates v^n, q^n; U_k the velocities before; P the impulses.
struct MoreauJean::Work {
  Work(const System& sys, const MoreauJeanOptions& o, Executor& executor)
      : system(sys), options(o), matrix(sys), impulses(sys, {o.solver, o.solver_tol, o.solver_max}, executor) {
    for (auto* scratch : {&v, &v_theta, &F, &F_k, &f, &r, &xi}) scratch->resize(sys.nv());
    q.resize(sys.nq());
    q_theta.resize(sys.nq());
    evaluation_scratch.resize(sys.scratch_size());
  }

  bool forecast(const State& x, double h, StepReport& report);
  bool newton(const State& x, double h, StepReport& report);
  void move(const State& x, double h);
  void momentum(const State& x, double h);
  double evaluate_contacts(const State& x, double h);
  bool solve_contacts(StepReport& report);
  Point at(const State& x, double t, const std::vector<double>& qq, const std::vector<double>& vv) {
    return {t, qq.data(), vv.data(), x.u.data(), evaluation_scratch.data()};
  }

  const System& system;
  MoreauJeanOptions options;
  IterationMatrix matrix;
  ContactImpulses impulses;
  ContactSet set;  // the active contacts I
  ContactRecords records;
  std::vector<double> v, q, v_theta, q_theta, F, F_k, f, r, xi;
  std::vector<double> U_k, U, b, P;
  std::vector<double> evaluation_scratch;
};

namespace {

double norm(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

bool finite(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return std::isfinite(value); });
}

}  // namespace

// I = { a | forecast of g_a <= 0 }, and U_k of its contacts.
bool MoreauJean::Work::forecast(const State& x, double h, StepReport& report) {
  const bool now = options.forecast == Forecast::position && options.gamma == 0.0;
  set.clear();
  if (options.forecast == Forecast::free && !newton(x, h, report)) return false;  // v = v_free

  system.detect(x.t, x.q, now ? 0.0 : everything, set);
  if (!now) {
    system.evaluate(x.t, x.q, set);
    std::erase_if(set.contacts, [&](const Contact& contact) {
      double U_now[3], U_free[3];
      velocity(set, contact, x.v, U_now);
      if (options.forecast == Forecast::position) return contact.gap + options.gamma * h * U_now[0] > 0.0;  // (61)
      velocity(set, contact, v, U_free);
      return contact.gap + h * (options.theta * U_free[0] + (1.0 - options.theta) * U_now[0]) > 0.0;  // (62)
    });
    set.layout();
  }
  if (set.size() == 0) return true;

  system.evaluate(x.t, x.q, set);
  for (auto* scratch : {&U_k, &U, &b, &P}) scratch->resize(set.rows());
  for (const Contact& contact : set.contacts) velocity(set, contact, x.v, U_k.data() + contact.first_row);
  records.guess(x, set, P);
  return true;
}

// q^n = q_k + h v_theta (18b), and the point where M and F are taken.
void MoreauJean::Work::move(const State& x, double h) {
  const double theta = options.theta;
  for (int i = 0; i < system.nv(); ++i) {
    v_theta[i] = (1.0 - theta) * x.v[i] + theta * v[i];
    xi[i] = h * v_theta[i];
  }
  system.retract(x.q, xi, q);
  if (options.quadrature == Quadrature::theta_point) system.interpolate(x.q, q, theta, q_theta);
}

// f = h F - M (v^n - v_k), Eq. (48) with q^n = q_k + h v_theta.
void MoreauJean::Work::momentum(const State& x, double h) {
  const double theta = options.theta;
  if (options.quadrature == Quadrature::theta_point) {
    system.dynamics(at(x, x.t + theta * h, q_theta, v_theta), matrix.mass(), F, Part::varying);
  } else {
    system.dynamics(at(x, x.t + h, q, v), matrix.mass(), F, Part::varying);
    for (int i = 0; i < system.nv(); ++i) F[i] = theta * F[i] + (1.0 - theta) * F_k[i];
  }
  for (int i = 0; i < system.nv(); ++i) {
    f[i] = h * F[i];
    xi[i] = v[i] - x.v[i];
  }
  add_times(system.blocks(), matrix.mass(), -1.0, xi, f);
}

// G and U at the frame of this iterate; returns how far U moved from what the contact problem was solved for.
double MoreauJean::Work::evaluate_contacts(const State& x, double h) {
  if (options.frame == FrameAt::end) system.evaluate(x.t + h, q, set);
  if (options.frame == FrameAt::theta) {
    system.interpolate(x.q, q, options.theta, q_theta);
    system.evaluate(x.t + options.theta * h, q_theta, set);
  }
  double moved = 0.0;
  for (const Contact& contact : set.contacts) {
    double now[3];
    velocity(set, contact, v, now);
    for (int row = 0; row < contact.rows; ++row) {
      moved = std::max(moved, std::abs(now[row] - U[contact.first_row + row]));
      U[contact.first_row + row] = now[row];
    }
  }
  return moved;
}

// W P + b with 0 <= U_N + e U_N,k _|_ P_N >= 0 (18d) and Coulomb's law; v^{n+1} = v^n + Mhat^-1 (f + G^T P).
bool MoreauJean::Work::solve_contacts(StepReport& report) {
  impulses.assemble(set, matrix.factor());
  for (const Contact& contact : set.contacts) {
    velocity(set, contact, v, b.data() + contact.first_row);
    b[contact.first_row] += contact.law.e * U_k[contact.first_row];
  }
  const auto outcome = impulses.solve(b, P);
  report.solver_iterations += outcome.iterations;
  report.solver_residual = outcome.residual;
  if (!outcome.solved) return false;
  impulses.add_velocity(P, v);
  for (const Contact& contact : set.contacts) velocity(set, contact, v, U.data() + contact.first_row);
  return true;
}

bool MoreauJean::Work::newton(const State& x, double h, StepReport& report) {
  const auto fail = [&](StepStatus status) {
    report.status = status;
    return false;
  };
  v = x.v;  // v^0 = v_k
  if (options.quadrature == Quadrature::endpoints) system.force(at(x, x.t, x.q, x.v), F_k);
  v_theta = x.v;  // v^0 = v_k, q^0 = q_k (42)
  q = x.q;
  q_theta = x.q;
  momentum(x, h);
  if (set.size() > 0) {
    std::fill(U.begin(), U.end(), 0.0);
    evaluate_contacts(x, h);
  }

  for (int n = 1; n <= options.newton_max; ++n) {
    // Mhat = M + h theta C + h^2 theta^2 K (47), semi-Newton: M and G are updated as a fixed point.
    const Point point = options.quadrature == Quadrature::theta_point ? at(x, x.t + options.theta * h, q_theta, v_theta)
                                                                      : at(x, x.t + h, q, v);
    if (!matrix.factor_varying(point, h, options.theta)) return fail(StepStatus::singular_matrix);
    matrix.factor().solve_all(f);
    for (int i = 0; i < system.nv(); ++i) v[i] += f[i];
    if (set.size() > 0 && !solve_contacts(report))
      return fail(finite(b) ? StepStatus::solver_failed : StepStatus::not_finite);

    // Residual (41) at the new iterate.
    move(x, h);
    momentum(x, h);
    const double moved = set.size() > 0 ? evaluate_contacts(x, h) : 0.0;
    r = f;
    for (const Contact& contact : set.contacts) add_impulse(set, contact, P.data() + contact.first_row, r);
    report.iterations = n;
    report.residual = norm(r);
    if (!std::isfinite(report.residual) || !std::isfinite(moved)) return fail(StepStatus::not_finite);
    if (report.residual <= options.tol && moved <= options.tol * 100.0) return true;
  }
  return fail(StepStatus::newton_stalled);
}

MoreauJean::MoreauJean(const System& system, const MoreauJeanOptions& options, Executor& executor)
    : system_(system), options_(options) {
  validate(options);
  work_ = std::make_unique<Work>(system, options, executor);
}

MoreauJean::~MoreauJean() = default;

void MoreauJean::start(State& x) {
  x.history.clear();
  x.scheme = name();
}

StepReport MoreauJean::step(State& x, double h) {
  StepReport report;
  Work& w = *work_;
  const auto fail = [&](StepStatus status) {
    report.status = status;
    return report;
  };
  if (!(h > 0.0) || !std::isfinite(h)) return fail(StepStatus::bad_step);
  if (x.scheme != name() || static_cast<int>(x.q.size()) != system_.nq() ||
      static_cast<int>(x.v.size()) != system_.nv())
    return fail(StepStatus::foreign_state);
  const Point point = w.at(x, x.t, x.q, x.v);
  if (!w.matrix.prepare(point, h, options_.theta)) return fail(StepStatus::singular_matrix);

  if (!w.forecast(x, h, report)) return report;
  if (!w.newton(x, h, report)) return report;
  if (!finite(w.q) || !finite(w.v)) return fail(StepStatus::not_finite);

  report.active = w.set.size();
  report.islands = w.set.size() > 0 ? w.impulses.islands() : 0;
  report.events = w.records.write(x, w.set, w.P, w.U_k, {x.t + h, options_.impact_velocity});
  report.advanced = h;
  x.t += h;
  x.q = w.q;
  x.v = w.v;
  return report;
}

Promise MoreauJean::promise() const {
  Promise promise;
  promise.theta = options_.theta;
  promise.quadrature = options_.quadrature;
  promise.frame = options_.frame;
  promise.forecast = options_.forecast;
  promise.gamma = options_.gamma;
  promise.gap = GapPromise::measured;
  promise.momentum_tolerance = 10.0 * options_.tol;
  return promise;
}

void MoreauJean::poison() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Work& w = *work_;
  for (auto* scratch : {&w.v, &w.q, &w.v_theta, &w.q_theta, &w.F, &w.F_k, &w.f, &w.r, &w.xi, &w.U_k, &w.U, &w.b, &w.P,
                        &w.evaluation_scratch, &w.set.G, &w.set.g_t})
    std::fill(scratch->begin(), scratch->end(), nan);
  w.matrix.poison();
  w.impulses.poison();
}

void MoreauJean::invalidate() { work_->matrix.invalidate(); }

}  // namespace esc
