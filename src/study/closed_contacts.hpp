// Contacts that are closed at the start of a scene, by islands, and their impulses in the metric of the mass.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Cholesky>

#include "src/study/findings.hpp"

namespace esc::study {

constexpr double cancelled = 1e-7;  // of an impulse of length 1 in the metric of the mass
constexpr int most_names = 6;

// Closed contacts that joints and other closed contacts connect.
struct Island {
  std::vector<int> components;
  std::vector<const Contact*> contacts;
};

std::vector<Island> islands_of(const System& system, const ContactSet& set);
// "'a', 'b' and 3 more"
std::string names_of(const System& system, const Island& island, const std::vector<int>& contacts);

// Rows of the contacts of an island as impulses, in coordinates in which the kinetic metric M^-1 is the identity, less
// the part that joints carry.
class Impulses {
 public:
  Impulses(const System& system, const Island& island, const ContactSet& set, const JointSet& joints);

  bool ok() const { return ok_; }            // M is positive definite
  bool joints() const { return joints_; }    // some joint carries impulses
  double kinetic_angle(int i, int j) const;  // rad, of the corner of the free space: pi - angle(n_i, n_j); NaN: none
  // Weights of the contacts whose impulses cancel with mu times `scale`; empty: none do.
  std::vector<double> cancelling(double scale) const;
  // Groups of contacts whose normal loads can be shared in many ways without a change of the motion.
  std::vector<std::vector<int>> shared_loads() const;

 private:
  Eigen::VectorXd impulse(const auto& set, const auto& block, int row) const {
    std::vector<double> f(nv_, 0.0);
    std::vector<double> unit(block.row_count, 0.0);
    unit[static_cast<std::size_t>(row)] = 1.0;
    add_impulse(set, block, unit.data(), f);
    Eigen::VectorXd own(static_cast<Eigen::Index>(velocities_.size()));
    for (std::size_t k = 0; k < velocities_.size(); ++k) own[static_cast<Eigen::Index>(k)] = f[velocities_[k]];
    return L_.matrixL().solve(own);
  }

  std::size_t nv_;
  std::vector<int> velocities_;
  Eigen::LLT<Eigen::MatrixXd> L_;
  std::vector<Eigen::MatrixXd> rows_;  // of each contact: columns N, T1, T2, divided by the length of N
  std::vector<double> mu_;
  bool ok_ = false, joints_ = false;
};

// What each part of check() says of an island whose contacts were brought into that form.
void look_at_loads(const System& system, const Island& island, const Impulses& impulses, Findings& findings);

}  // namespace esc::study
