#include "src/model/rate_conflicts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace esc {

namespace {

constexpr double rate_round_off = 1e-6;  // as part of the largest prescribed rate
constexpr int most_velocities = 600;     // the work grows as their square
constexpr double dependent = 1e-10;      // as part of a column: what the others leave of it is round-off

// An orthonormal basis of columns.
class Basis {
 public:
  void add(std::vector<double> x) {
    const double whole = norm(x);
    remove_from(x);
    const double left = norm(x);
    if (!(left > dependent * whole)) return;
    for (double& entry : x) entry /= left;
    columns_.push_back(std::move(x));
  }
  void remove_from(std::vector<double>& x) const {
    for (int pass = 0; pass < 2; ++pass)  // the second one takes what round-off has left
      for (const std::vector<double>& column : columns_) {
        const double part = std::inner_product(x.begin(), x.end(), column.begin(), 0.0);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] -= part * column[i];
      }
  }

 private:
  static double norm(const std::vector<double>& x) {
    return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
  }
  std::vector<std::vector<double>> columns_;
};

// What is left of the rows of a component, in their order.
std::vector<double> nearest_miss(const System& system, const Component& component, const JointSet& set) {
  std::vector<double> v(system.nv(), 0.0), rate(component.rows), U(component.rows);
  const auto evaluate = [&](std::vector<double>& rows) {
    for (int j = component.joint0; j < component.joint0 + component.joints; ++j) {
      const Joint& joint = system.joints()[j];
      velocity(set, joint, v, rows.data() + (joint.first_row - component.row0));
    }
  };
  evaluate(rate);
  Basis reached;
  for (int k = component.v0; k < component.v0 + component.n; ++k) {
    v[k] = 1.0;
    evaluate(U);
    v[k] = 0.0;
    for (std::size_t i = 0; i < U.size(); ++i) U[i] -= rate[i];
    reached.add(U);
  }
  reached.remove_from(rate);
  return rate;
}

}  // namespace

RateConflict rate_conflict(const System& system, const Component& component, const JointSet& set) {
  RateConflict conflict;
  if (component.deficiency == 0 || component.n > most_velocities) return conflict;
  double largest_rate = 0.0;
  for (int i = 0; i < component.rows; ++i) largest_rate = std::max(largest_rate, std::abs(set.g_t[component.row0 + i]));
  if (!(largest_rate > 0.0) || !std::isfinite(largest_rate)) return conflict;
  const std::vector<double> left = nearest_miss(system, component, set);
  for (int j = component.joint0; j < component.joint0 + component.joints; ++j) {
    const Joint& joint = system.joints()[j];
    double off = 0.0;
    for (int i = 0; i < joint.row_count; ++i) off = std::max(off, std::abs(left[joint.first_row - component.row0 + i]));
    if (off > rate_round_off * largest_rate) conflict.joints.push_back(j);
    conflict.miss = std::max(conflict.miss, off);
  }
  return conflict;
}

}  // namespace esc
