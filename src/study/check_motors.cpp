// Rates that contradict each other: no velocity satisfies the joint rows U = G v + g_t = 0 of the start.
#include <cmath>
#include <vector>

#include <Eigen/QR>

#include "src/math/text.hpp"
#include "src/study/findings.hpp"

namespace esc::study {

namespace {

constexpr double rate_round_off = 1e-6;  // as part of the largest prescribed rate

// What is left of the rows of the component by the v that comes nearest.
Eigen::VectorXd least_residual(const System& system, const Component& component, const JointSet& set) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(component.rows, component.n);
  Eigen::VectorXd rate(component.rows);
  std::vector<double> v(system.nv(), 0.0), U(component.rows);
  const auto rows_of = [&](auto column) {
    for (int j = component.joint0; j < component.joint0 + component.joints; ++j) {
      const Joint& joint = system.joints()[j];
      velocity(set, joint, v, U.data());
      for (int i = 0; i < joint.row_count; ++i) column(joint.first_row - component.row0 + i) = U[i];
    }
  };
  rows_of([&](int row) -> double& { return rate[row]; });
  for (int k = 0; k < component.n; ++k) {
    v[component.v0 + k] = 1.0;
    rows_of([&](int row) -> double& { return G(row, k); });
    v[component.v0 + k] = 0.0;
  }
  G.colwise() -= rate;
  return G * G.completeOrthogonalDecomposition().solve(-rate) + rate;
}

}  // namespace

void look_at_motors(const System& system, Findings& findings) {
  const State& x = system.initial_state();
  std::vector<double> scratch(system.scratch_size());
  JointSet set;
  system.evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, set);
  for (const Component& component : system.components()) {
    if (component.deficiency == 0 || component.n > most_velocities) continue;
    const Eigen::VectorXd left = least_residual(system, component, set);
    double largest_rate = 0.0;
    for (int i = 0; i < component.rows; ++i)
      largest_rate = std::max(largest_rate, std::abs(set.g_t[component.row0 + i]));
    std::string names;
    for (int j = component.joint0; j < component.joint0 + component.joints; ++j) {
      const Joint& joint = system.joints()[j];
      const double off = left.segment(joint.first_row - component.row0, joint.row_count).cwiseAbs().maxCoeff();
      if (off > rate_round_off * largest_rate) names += (names.empty() ? "'" : ", '") + system.joint_names()[j] + "'";
    }
    if (!names.empty() && largest_rate > 0.0)
      findings.warn("joints", "joints and motors contradict each other: no velocity satisfies " + names +
                                  " together (nearest misses by " + short_text(left.cwiseAbs().maxCoeff()) +
                                  " m/s or rad/s); correct the rates, or remove one of them");
  }
}

}  // namespace esc::study
