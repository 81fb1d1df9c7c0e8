#include "src/schemes/parts/theta_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/math/vectors.hpp"

namespace esc {

namespace {

// The usual lengths, of a body in space and in the plane, are unrolled.
double dot_columns(const double* G, const double* x, int length) {
  if (length == 6) return (G[0] * x[0] + G[1] * x[1] + G[2] * x[2]) + (G[3] * x[3] + G[4] * x[4] + G[5] * x[5]);
  if (length == 3) return G[0] * x[0] + G[1] * x[1] + G[2] * x[2];
  double sum = 0.0;
  for (int j = 0; j < length; ++j) sum += G[j] * x[j];
  return sum;
}

void add_columns(const double* G, double p, double* y, int length) {
  if (length == 6) {
    for (int j = 0; j < 6; ++j) y[j] += G[j] * p;
  } else {
    for (int j = 0; j < length; ++j) y[j] += G[j] * p;
  }
}

}  // namespace

ThetaStep::ThetaStep(const System& system, const ThetaOptions& options, Scratch& scratch)
    : memory_(scratch), system_(system), options_(options), theta_(options.theta), matrix_(system, scratch) {
  scratch_.resize(system.scratch_size());
  for (auto* vector : {&v, &f, &shift, &v_theta_, &F_, &F_k_, &xi_}) vector->resize(system.nv());
  for (auto* vector : {&q, &q_theta_, &q_free_}) vector->resize(system.nq());
  for (auto* rows : {&Lambda, &rows_}) rows->resize(system.joint_rows());
  if (options_.first == FirstIterate::automatic)
    options_.first = system.constant_matrix()  ? FirstIterate::extrapolated
                     : system.joint_rows() > 0 ? FirstIterate::predicted
                                               : FirstIterate::printed;
}

bool ThetaStep::prepare(const State& x, double h, std::span<double> history) {
  x_ = &x;
  h_ = h;
  history_ = history;
  return matrix_.prepare({x.t, x.q.data(), x.v.data(), x.u.data(), scratch_.data(), options_.tangents}, h, theta_);
}

void ThetaStep::evaluate_forces(double t, const std::vector<double>& q_at, const std::vector<double>& v_at) {
  at_ = {t, q_at.data(), v_at.data(), x_->u.data(), scratch_.data(), options_.tangents};
  if (system_.linearises() && linearise_-- > 0)
    matrix_.linearise(at_, h_, theta_, F_);
  else
    matrix_.dynamics(at_, F_);
  if (options_.quadrature == Quadrature::endpoints)
    for (int i = 0; i < system_.nv(); ++i) F_[i] = theta_ * F_[i] + (1.0 - theta_) * F_k_[i];
}

// Linear systems start from q_k + h v_k: that is (42) with the stiffness term of the corrected Eq. (48), and makes the
// first iteration exact.
void ThetaStep::begin() {
  memory_.clock.enter(Stage::evaluation);
  elementwise(v.size(), [to = v.data(), from = x_->v.data()](std::size_t i) { to[i] = from[i]; });
  if (!Lambda.empty()) std::fill(Lambda.begin(), Lambda.end(), 0.0);
  if (options_.corrected) std::fill(shift.begin(), shift.end(), 0.0);
  if (options_.quadrature == Quadrature::endpoints)
    system_.force({x_->t, x_->q.data(), x_->v.data(), x_->u.data(), scratch_.data()}, F_k_);
  if (system_.joint_rows() > 0 && options_.frame == FrameAt::begin)
    system_.evaluate({x_->t, x_->q.data(), x_->v.data(), x_->u.data(), scratch_.data()}, joints_);

  // Another solve follows: always on the start, and from the printed one on the first iterate as well.
  linearise_ = options_.first == FirstIterate::printed ? 2 : 1;
  rows_known_ = options_.frame == FrameAt::begin;
  if (options_.first == FirstIterate::predicted && !history_.empty()) {
    if (history_.back() > 0.0)  // only its turning counts: the first iteration replaces it
      for (int i = 0; i < system_.joint_rows(); ++i) Lambda[i] = h_ / x_->h * x_->joint_impulse[i];
    const double* a = history_.data();
    const double* change = a + system_.nv();
    const double* second = change + system_.nv();
    for (int i = 0; i < system_.nv(); ++i) v[i] += h_ * (a[i] + change[i] + second[i]);
    return update();
  }
  if (options_.first == FirstIterate::printed) {
    elementwise(q.size(), [to = q.data(), from = x_->q.data()](std::size_t i) { to[i] = from[i]; });
    evaluate_forces(x_->t + (options_.quadrature == Quadrature::endpoints ? h_ : theta_ * h_), x_->q, x_->v);
  } else {
    move();
  }
  elementwise(f.size(), [h = h_, out = f.data(), F = F_.data()](std::size_t i) { out[i] = h * F[i]; });
  evaluate_joints();
}

std::span<const HistoryField> ThetaStep::history() const {
  using enum HistoryField::Over;
  static constexpr HistoryField fields[] = {
      {"acceleration", "", velocity, "over the last step"},
      {"acceleration_change", "", velocity, "since the step before"},
      {"acceleration_second_change", "", velocity, "the change of that change"},
      {"known", "1", number, "how many of these three are known; none after contact"}};
  if (options_.first != FirstIterate::predicted) return {};
  return fields;
}

void ThetaStep::remember(const State& x, bool contact) const {
  if (history_.empty()) return;
  if (contact) return std::fill(history_.begin(), history_.end(), 0.0);
  double* a = history_.data();
  double* change = a + system_.nv();
  double* second = change + system_.nv();
  double& known = history_.back();
  for (int i = 0; i < system_.nv(); ++i) {
    const double now = (v[i] - x.v[i]) / h_;
    const double difference = known > 0.0 ? now - a[i] : 0.0;
    second[i] = known > 1.0 ? difference - change[i] : 0.0;
    change[i] = difference;
    a[i] = now;
  }
  known = std::min(known + 1.0, 3.0);
}

void ThetaStep::finish(State& x, bool contact) {
  remember(x, contact);
  x.t += h_;
  x.h = x.impulse_time = h_;
  x.joint_impulse.swap(Lambda);
  x.q.swap(q);
  x.v.swap(v);
}

// The joint rows at the frame of this iterate (those at the beginning stay), their defects, and f += G^T Lambda.
void ThetaStep::evaluate_joints() {
  if (system_.joint_rows() == 0) return;
  if (options_.frame != FrameAt::begin) {
    const bool end = options_.frame == FrameAt::end;
    const auto& where = end ? q : q_theta();
    const double t = x_->t + (end ? h_ : theta_ * h_);
    joints_at_ = {t, where.data(), v.data(), x_->u.data(), scratch_.data()};
    if (rows_known_)
      system_.reexpress_joints(joints_at_, joints_, Lambda);
    else
      system_.evaluate(joints_at_, joints_);
    rows_known_ = true;
  }
  const double* G = joints_.G.data();
  int row = 0;
  for (const Joint& joint : system_.joints())
    for (const int last = row + joint.row_count; row < last; ++row) {
      double rate = joints_.g_t[row];
      for (const Segment& segment : joint.segments) {
        rate += dot_columns(G, v.data() + segment.first, segment.length);
        add_columns(G, Lambda[row], f.data() + segment.first, segment.length);
        G += segment.length;
      }
      if (options_.level == JointLevel::position && joint.position) rate = joints_.g[row] / (h_ * theta_);
      rows_[row] = -rate;
    }
}

double ThetaStep::joint_defect() const {
  double worst = 0.0;
  for (const double row : rows_)
    if (!(std::abs(row) <= worst)) worst = std::abs(row);
  return worst;
}

double ThetaStep::joint_drift() const {
  double worst = 0.0;
  for (const Joint& joint : system_.joints()) {
    if (!joint.position) continue;
    for (int row = joint.first_row; row < joint.first_row + joint.row_count; ++row)
      if (!(std::abs(joints_.g[row]) <= worst)) worst = std::abs(joints_.g[row]);
  }
  return worst;
}

// v_theta and the way h v_theta.
void ThetaStep::find_displacement() {
  const double h = h_, theta = theta_;
  const double* before = x_->v.data();
  const double* now = v.data();
  double* mean = v_theta_.data();
  double* way = xi_.data();
  elementwise(v.size(), [=](std::size_t i) {
    mean[i] = (1.0 - theta) * before[i] + theta * now[i];
    way[i] = h * mean[i];
  });
}

const std::vector<double>& ThetaStep::q_free() {
  find_displacement();
  system_.retract(x_->q, xi_, q_free_);
  return q_free_;
}

void ThetaStep::place() {
  if (options_.corrected) return place_corrected();
  find_displacement();
  system_.retract(x_->q, xi_, q);
}

[[gnu::noinline]] void ThetaStep::place_corrected() { system_.retract(q_free(), shift, q); }

// q^n, and M and F there.
void ThetaStep::move() {
  place();
  if (options_.quadrature == Quadrature::endpoints) return evaluate_forces(x_->t + h_, q, v);
  if (options_.corrected) {
    system_.interpolate(x_->q, q, theta_, q_theta_);
  } else {
    // The same geodesic: cheaper than to interpolate.
    elementwise(xi_.size(), [theta = theta_, way = xi_.data()](std::size_t i) { way[i] *= theta; });
    system_.retract(x_->q, xi_, q_theta_);
  }
  evaluate_forces(x_->t + theta_ * h_, q_theta_, v_theta_);
}

void ThetaStep::update() {
  memory_.clock.enter(Stage::evaluation);
  move();
  const double* before = x_->v.data();
  elementwise(f.size(), [=, h = h_, out = f.data(), dv = xi_.data(), F = F_.data(), now = v.data()](std::size_t i) {
    out[i] = h * F[i];
    dv[i] = now[i] - before[i];
  });
  add_times(system_.blocks(), matrix_.mass(), -1.0, xi_, f);
  evaluate_joints();
}

// The multipliers of redundant joints are those of least norm for the present rows only with their factors.
bool ThetaStep::any_redundant() const {
  if (system_.joint_rows() == 0) return false;
  for (int c = 0; c < static_cast<int>(system_.components().size()); ++c)
    if (matrix_.factor().redundant(c)) return true;
  return false;
}

// How far the frame of the joint rows moves along dv; 0 where the rows stay, or where S is to be symmetric or is also
// the metric of a correction.
double ThetaStep::turning() const {
  if (system_.joint_rows() == 0) return 0.0;
  if (options_.frame == FrameAt::begin || options_.tangents == TangentForm::semidefinite) return 0.0;
  if (options_.level == JointLevel::position || options_.corrected) return 0.0;
  return h_ * theta_ * (options_.frame == FrameAt::end ? 1.0 : theta_);
}

bool ThetaStep::solve(Factors factors) {
  memory_.clock.enter(Stage::factorisation);
  note_mass(matrix_, memory_, f);
  if (memory_.lost_mass >= 0) return false;
  const bool keep = factors == Factors::keep && !any_redundant();
  if (!system_.constant_matrix() &&
      !matrix_.factor_varying(at_, h_, theta_, {joints_, joints_at_, turning(), Lambda}, keep))
    return false;
  matrix_.factor().solve_all(f.data(), rows_.data());
  elementwise(v.size(), [to = v.data(), dv = f.data()](std::size_t i) { to[i] += dv[i]; });
  elementwise(Lambda.size(), [to = Lambda.data(), change = rows_.data()](std::size_t i) { to[i] += change[i]; });
  if (any_redundant())
    for (int c = 0; c < static_cast<int>(system_.components().size()); ++c)
      if (matrix_.factor().redundant(c)) matrix_.factor().project_to_least_norm(c, Lambda.data());
  return true;
}

void ThetaStep::inertias(std::vector<double>& out) const {
  out.resize(v.size());
  for (const MatrixBlock& block : system_.blocks())
    for (int i = 0; i < block.n; ++i) out[block.v0 + i] = matrix_.mass()[block.diagonal(i)];
}

// v is stored in doubles, and its momenta are added up with those of F and of contacts, which cancel where they have
// levers: 128 eps of the largest term, half of what the certificate allows.
double ThetaStep::rounding(double impulses) const {
  double largest = impulses;
  for (const MatrixBlock& block : system_.blocks())
    for (int i = 0; i < block.n; ++i) {
      const int row = block.v0 + i;
      const double speed = std::max(std::abs(v[row]), std::abs(x_->v[row]));
      largest = std::max(largest, matrix_.mass()[block.diagonal(i)] * speed + h_ * std::abs(F_[row]));
    }
  return 128.0 * std::numeric_limits<double>::epsilon() * largest;
}

void ThetaStep::evaluate_stiffness() {
  K_.assign(system_.tangent_size(), 0.0);
  system_.add_tangent(at_, 1.0, 0.0, K_, Part::all);
}

void ThetaStep::add_stiffness(double alpha, std::span<const double> x, std::span<double> y) const {
  system_.add_times(K_, alpha, x, y);
}

const std::vector<double>& ThetaStep::q_theta() {
  system_.interpolate(x_->q, q, theta_, q_theta_);
  return q_theta_;
}

}  // namespace esc
