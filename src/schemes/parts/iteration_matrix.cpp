#include "src/schemes/parts/iteration_matrix.hpp"

#include <algorithm>
#include <limits>

#include "src/math/positive_definite.hpp"
#include "src/math/vectors.hpp"

namespace esc {

IterationMatrix::IterationMatrix(const System& system, Scratch& scratch)
    : system_(system),
      M_(system.matrix_size()),
      A_(system.tangent_size()),
      T_(scratch.vector()),
      pivots_(scratch.vector()),
      factor_(system) {
  scratch.on_poison([this] { poison(); });
  for (const Component& component : system.components()) {
    varying_without_joints_ = varying_without_joints_ || (!component.linear && component.joints == 0);
    const auto joints = system.joints().subspan(component.joint0, component.joints);
    without_loops_.push_back(std::all_of(joints.begin(), joints.end(), [](const Joint& j) { return j.owner >= 0; }));
  }
}

bool IterationMatrix::factor_constant(const Point& at, TangentWeights weights) {
  weights_ = none;  // until every component is factored
  system_.mass(at, M_, Part::all);
  std::copy(M_.begin(), M_.end(), A_.begin());
  std::fill(A_.begin() + system_.matrix_size(), A_.end(), 0.0);
  system_.add_tangent(at, weights.q, weights.v, A_, Part::all);
  const auto components = system_.components();
  for (int c = 0; c < static_cast<int>(components.size()); ++c)
    if (components[c].linear && !factor_.factor(c, A_, {})) return false;
  weights_ = weights;
  return true;
}

void IterationMatrix::clear_varying() {
  for (const MatrixBlock& block : system_.blocks())
    if (!block.linear) std::fill_n(A_.begin() + block.a0, block.values(), 0.0);
  std::fill(A_.begin() + system_.matrix_size(), A_.end(), 0.0);
}

void IterationMatrix::linearise(const Point& at, double h, double theta, std::span<double> F) {
  known_ = true;
  clear_varying();
  system_.linearise(at, {h * h * theta * theta, h * theta}, F, M_, A_);
}

bool IterationMatrix::factor_varying(const Point& at, TangentWeights weights, const MovingRows& joints,
                                     bool keep_jointed) {
  if (keep_jointed && !varying_without_joints_) return true;
  for (const MatrixBlock& block : system_.blocks()) {
    if (block.linear) continue;
    double* A = A_.data() + block.a0;
    const double* M = M_.data() + block.a0;
    if (known_)
      elementwise(block.values(), [=](auto i) { A[i] += M[i]; });
    else
      elementwise(block.values(), [=](auto i) { A[i] = M[i]; });
  }
  if (!known_) {
    std::fill(A_.begin() + system_.matrix_size(), A_.end(), 0.0);
    system_.add_tangent(at, weights.q, weights.v, A_, Part::varying);
  }
  known_ = false;
  const bool turning = joints.s > 0.0 && !keep_jointed;
  if (turning) {
    T_ = joints.set.G;
    system_.add_joint_frame_tangent(joints.at, joints.s, joints.lambda, A_, T_);
  }
  const auto components = system_.components();
  for (int c = 0; c < static_cast<int>(components.size()); ++c) {
    if (components[c].linear || (keep_jointed && components[c].joints > 0)) continue;
    const std::span<const double> T = turning && without_loops_[c] ? T_ : joints.set.G;
    if (!factor_.factor(c, A_, joints.set, T)) return false;
  }
  return true;
}

int IterationMatrix::look_for_lost_mass() { return esc::lost_mass(system_.blocks(), M_, pivots_); }

void IterationMatrix::poison() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const MatrixBlock& block : system_.blocks()) {
    if (!block.linear) std::fill_n(A_.begin() + block.a0, block.values(), nan);
    if (!block.constant_mass) std::fill_n(M_.begin() + block.a0, block.values(), nan);
  }
}

}  // namespace esc
