#include "src/schemes/parts/theta_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace esc {

ThetaStep::ThetaStep(const System& system, const ThetaOptions& options)
    : system_(system),
      options_(options),
      theta_(options.theta),
      extrapolate_(options.first == FirstIterate::extrapolated || system.linear()),
      matrix_(system),
      scratch_(system.scratch_size()) {
  for (auto* vector : {&v, &f, &v_theta_, &F_, &F_k_, &xi_}) vector->resize(system.nv());
  for (auto* vector : {&q, &q_theta_}) vector->resize(system.nq());
  for (auto* rows : {&Lambda, &rows_}) rows->resize(system.joint_rows());
}

bool ThetaStep::prepare(const State& x, double h) {
  x_ = &x;
  h_ = h;
  return matrix_.prepare({x.t, x.q.data(), x.v.data(), x.u.data(), scratch_.data(), options_.tangents}, h, theta_);
}

void ThetaStep::take_point(double t, const std::vector<double>& q_at, const std::vector<double>& v_at) {
  at_ = {t, q_at.data(), v_at.data(), x_->u.data(), scratch_.data(), options_.tangents};
  system_.dynamics(at_, matrix_.mass(), F_, Part::varying);
  if (options_.quadrature == Quadrature::endpoints)
    for (int i = 0; i < system_.nv(); ++i) F_[i] = theta_ * F_[i] + (1.0 - theta_) * F_k_[i];
}

// Linear systems start from q_k + h v_k in any case: that is (42) with the stiffness term of the corrected Eq. (48),
// and makes the first iteration exact.
void ThetaStep::begin() {
  v = x_->v;
  if (options_.quadrature == Quadrature::endpoints)
    system_.force({x_->t, x_->q.data(), x_->v.data(), x_->u.data(), scratch_.data()}, F_k_);
  if (extrapolate_) {
    move();
  } else {
    q = x_->q;
    take_point(x_->t + (options_.quadrature == Quadrature::endpoints ? h_ : theta_ * h_), x_->q, x_->v);
  }
  for (int i = 0; i < system_.nv(); ++i) f[i] = h_ * F_[i];
  std::fill(Lambda.begin(), Lambda.end(), 0.0);
  if (system_.joint_rows() == 0) return;
  if (options_.frame == FrameAt::begin)
    system_.evaluate({x_->t, x_->q.data(), x_->v.data(), x_->u.data(), scratch_.data()}, joints_);
  take_joints();
}

// The joint rows at the frame of this iterate (those at the beginning stay), their defects, and f += G^T Lambda.
void ThetaStep::take_joints() {
  if (system_.joint_rows() == 0) return;
  if (options_.frame != FrameAt::begin) {
    const bool end = options_.frame == FrameAt::end;
    const auto& where = end ? q : q_theta();
    const double t = x_->t + (end ? h_ : theta_ * h_);
    system_.evaluate({t, where.data(), v.data(), x_->u.data(), scratch_.data()}, joints_);
  }
  for (const Joint& joint : system_.joints()) {
    velocity(joints_, joint, v, rows_.data() + joint.first_row);
    add_impulse(joints_, joint, Lambda.data() + joint.first_row, f);
  }
  for (double& row : rows_) row = -row;
}

double ThetaStep::joint_defect() const {
  double worst = 0.0;
  for (const double row : rows_)
    if (!(std::abs(row) <= worst)) worst = std::abs(row);
  return worst;
}

void ThetaStep::place() {
  const double* before = x_->v.data();
  const double* now = v.data();
  double* __restrict mean = v_theta_.data();
  double* __restrict way = xi_.data();
  for (int i = 0; i < system_.nv(); ++i) {
    mean[i] = (1.0 - theta_) * before[i] + theta_ * now[i];
    way[i] = h_ * mean[i];
  }
  system_.retract(x_->q, xi_, q);
}

// q^n, and M and F there.
void ThetaStep::move() {
  place();
  if (options_.quadrature == Quadrature::endpoints) return take_point(x_->t + h_, q, v);
  take_point(x_->t + theta_ * h_, q_theta(), v_theta_);
}

void ThetaStep::update() {
  const int n = system_.nv();
  move();
  for (int i = 0; i < n; ++i) {
    f[i] = h_ * F_[i];
    xi_[i] = v[i] - x_->v[i];
  }
  add_times(system_.blocks(), matrix_.mass(), -1.0, xi_, f);
  take_joints();
}

bool ThetaStep::solve(Factors factors) {
  if (!matrix_.factor_varying(at_, h_, theta_, joints_, factors == Factors::keep)) return false;
  for (int c = 0; c < static_cast<int>(system_.components().size()); ++c)
    matrix_.factor().solve(c, f.data(), rows_.data());
  for (int i = 0; i < system_.nv(); ++i) v[i] += f[i];
  for (int i = 0; i < system_.joint_rows(); ++i) Lambda[i] += rows_[i];
  return true;
}

// q^n = retract(q_k, h v_theta), so the point between is on the same geodesic.
const std::vector<double>& ThetaStep::q_theta() {
  if (theta_ == 1.0) return q;
  system_.interpolate(x_->q, q, theta_, q_theta_);
  return q_theta_;
}

void ThetaStep::poison() {
  for (auto* vector : {&v, &q, &f, &Lambda, &v_theta_, &q_theta_, &F_, &F_k_, &xi_, &rows_, &scratch_, &joints_.g,
                       &joints_.G, &joints_.g_t})
    std::fill(vector->begin(), vector->end(), std::numeric_limits<double>::quiet_NaN());
  matrix_.poison();
}

}  // namespace esc
