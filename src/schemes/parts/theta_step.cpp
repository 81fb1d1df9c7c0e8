#include "src/schemes/parts/theta_step.hpp"

#include <algorithm>
#include <limits>

namespace esc {

ThetaStep::ThetaStep(const System& system, double theta, Quadrature quadrature, FirstIterate first)
    : system_(system),
      theta_(theta),
      quadrature_(quadrature),
      extrapolate_(first == FirstIterate::extrapolated || system.linear()),
      matrix_(system),
      scratch_(system.scratch_size()) {
  for (auto* vector : {&v, &f, &v_theta_, &F_, &F_k_, &xi_}) vector->resize(system.nv());
  for (auto* vector : {&q, &q_theta_}) vector->resize(system.nq());
}

bool ThetaStep::prepare(const State& x, double h) {
  x_ = &x;
  h_ = h;
  return matrix_.prepare({x.t, x.q.data(), x.v.data(), x.u.data(), scratch_.data()}, h, theta_);
}

void ThetaStep::take_point(double t, const std::vector<double>& q_at, const std::vector<double>& v_at) {
  at_ = {t, q_at.data(), v_at.data(), x_->u.data(), scratch_.data()};
  system_.dynamics(at_, matrix_.mass(), F_, Part::varying);
  if (quadrature_ == Quadrature::endpoints)
    for (int i = 0; i < system_.nv(); ++i) F_[i] = theta_ * F_[i] + (1.0 - theta_) * F_k_[i];
}

// Linear systems start from q_k + h v_k in any case: that is (42) with the stiffness term of the corrected Eq. (48),
// and makes the first iteration exact.
void ThetaStep::begin() {
  v = x_->v;
  if (quadrature_ == Quadrature::endpoints)
    system_.force({x_->t, x_->q.data(), x_->v.data(), x_->u.data(), scratch_.data()}, F_k_);
  if (extrapolate_) {
    move();
  } else {
    q = x_->q;
    take_point(x_->t + (quadrature_ == Quadrature::endpoints ? h_ : theta_ * h_), x_->q, x_->v);
  }
  for (int i = 0; i < system_.nv(); ++i) f[i] = h_ * F_[i];
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
  if (quadrature_ == Quadrature::endpoints) return take_point(x_->t + h_, q, v);
  system_.interpolate(x_->q, q, theta_, q_theta_);
  take_point(x_->t + theta_ * h_, q_theta_, v_theta_);
}

void ThetaStep::update() {
  const int n = system_.nv();
  move();
  for (int i = 0; i < n; ++i) {
    f[i] = h_ * F_[i];
    xi_[i] = v[i] - x_->v[i];
  }
  add_times(system_.blocks(), matrix_.mass(), -1.0, xi_, f);
}

bool ThetaStep::solve() {
  if (!matrix_.factor_varying(at_, h_, theta_)) return false;
  matrix_.factor().solve_all(f);
  for (int i = 0; i < system_.nv(); ++i) v[i] += f[i];
  return true;
}

const std::vector<double>& ThetaStep::q_theta() {
  system_.interpolate(x_->q, q, theta_, q_theta_);
  return q_theta_;
}

void ThetaStep::poison() {
  for (auto* vector : {&v, &q, &f, &v_theta_, &q_theta_, &F_, &F_k_, &xi_, &scratch_})
    std::fill(vector->begin(), vector->end(), std::numeric_limits<double>::quiet_NaN());
  matrix_.poison();
}

}  // namespace esc
