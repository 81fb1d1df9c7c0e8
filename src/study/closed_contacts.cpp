#include "src/study/closed_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include <Eigen/QR>
#include <Eigen/SVD>

#include "src/study/hull.hpp"

namespace esc::study {

namespace {

constexpr double closed = 1e-6;       // m or rad
constexpr double right_angle = 1e-9;  // on the cosine
constexpr double dependent = 1e-8;    // of the largest singular value of the normals, each of length 1
constexpr int directions = 32;        // of a friction cone in space: corners of a polygon inside it

Eigen::MatrixXd mass_of(const System& system, const std::vector<int>& velocities) {
  const State& x = system.initial_state();
  std::vector<double> M(system.tangent_size(), 0.0), scratch(system.scratch_size());
  system.mass({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()},
              std::span(M).first(static_cast<std::size_t>(system.matrix_size())), Part::all);
  const auto n = static_cast<Eigen::Index>(velocities.size());
  Eigen::MatrixXd dense(n, n);
  std::vector<double> unit(x.v.size(), 0.0), column(x.v.size());
  for (Eigen::Index k = 0; k < n; ++k) {
    unit[velocities[static_cast<std::size_t>(k)]] = 1.0;
    std::fill(column.begin(), column.end(), 0.0);
    system.add_times(M, 1.0, unit, column);
    unit[velocities[static_cast<std::size_t>(k)]] = 0.0;
    for (Eigen::Index i = 0; i < n; ++i) dense(i, k) = column[velocities[static_cast<std::size_t>(i)]];
  }
  return dense;
}

}  // namespace

std::vector<Island> islands_of(const System& system, const ContactSet& set) {
  std::vector<int> parent(system.components().size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::vector<const Contact*> chosen;
  for (const Contact& contact : set.contacts) {
    if (!(contact.gap <= closed) || contact.segments.empty()) continue;
    chosen.push_back(&contact);
    for (const Segment& segment : contact.segments)
      parent[root(system.component_of(segment.first))] = root(system.component_of(contact.segments[0].first));
  }
  std::vector<Island> islands;
  std::vector<int> place(parent.size(), -1);
  for (const Contact* contact : chosen) {
    int& at = place[root(system.component_of(contact->segments[0].first))];
    if (at < 0) {
      at = static_cast<int>(islands.size());
      islands.emplace_back();
    }
    islands[at].contacts.push_back(contact);
  }
  for (int i = 0; i < static_cast<int>(parent.size()); ++i)
    if (const int at = place[root(i)]; at >= 0) islands[at].components.push_back(i);
  return islands;
}

std::string names_of(const System& system, const Island& island, const std::vector<int>& contacts) {
  std::string names;
  const int count = static_cast<int>(contacts.size()), shown = std::min(count, most_names);
  for (int i = 0; i < shown; ++i)
    names += (i > 0 ? ", '" : "'") + system.contact_name(island.contacts[contacts[i]]->key) + "'";
  return count > shown ? names + " and " + std::to_string(count - shown) + " more" : names;
}

Impulses::Impulses(const System& system, const Island& island, const ContactSet& set, const JointSet& joints)
    : nv_(static_cast<std::size_t>(system.nv())) {
  for (const int c : island.components)
    for (int i = 0; i < system.components()[c].n; ++i) velocities_.push_back(system.components()[c].v0 + i);
  L_.compute(mass_of(system, velocities_));
  ok_ = L_.info() == Eigen::Success;
  if (!ok_) return;

  std::vector<Eigen::VectorXd> carried;  // by joints
  for (const int c : island.components)
    for (int j = 0; j < system.components()[c].joints; ++j) {
      const Joint& joint = system.joints()[system.components()[c].joint0 + j];
      for (int row = 0; row < joint.row_count; ++row) carried.push_back(impulse(joints, joint, row).normalized());
    }
  const auto n = static_cast<Eigen::Index>(velocities_.size());
  Eigen::MatrixXd Q(n, 0);  // an orthonormal basis of them
  joints_ = !carried.empty();
  if (joints_) {
    Eigen::MatrixXd B(n, static_cast<Eigen::Index>(carried.size()));
    for (std::size_t i = 0; i < carried.size(); ++i) B.col(static_cast<Eigen::Index>(i)) = carried[i];
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(B);
    Q = qr.householderQ() * Eigen::MatrixXd::Identity(n, qr.rank());
  }

  for (const Contact* contact : island.contacts) {
    Eigen::MatrixXd C(n, contact->row_count);
    for (int row = 0; row < contact->row_count; ++row) C.col(row) = impulse(set, *contact, row);
    if (const double length = C.col(0).norm(); length > 0.0) C /= length;
    C -= Q * (Q.transpose() * C);
    rows_.push_back(C);
    mu_.push_back(contact->law.mu);
  }
}

double Impulses::kinetic_angle(int i, int j) const {
  const Eigen::VectorXd a = rows_[i].col(0), b = rows_[j].col(0);
  if (!(a.norm() > cancelled) || !(b.norm() > cancelled)) return std::nan("");
  const double cosine = std::clamp(-a.dot(b) / (a.norm() * b.norm()), -1.0, 1.0);
  return std::abs(cosine) < right_angle ? 0.5 * std::numbers::pi : std::acos(cosine);
}

std::vector<double> Impulses::cancelling(double scale) const {
  std::vector<Eigen::VectorXd> edges;
  std::vector<std::size_t> owner;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Eigen::MatrixXd& C = rows_[i];
    const double mu = scale * mu_[i];
    const int count = C.cols() == 1 || mu == 0.0 ? 1 : C.cols() == 2 ? 2 : directions;
    for (int k = 0; k < count; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / count;
      Eigen::VectorXd edge = C.col(0);
      if (count > 1) edge += mu * std::cos(angle) * C.col(1);
      if (C.cols() == 3) edge += mu * std::sin(angle) * C.col(2);
      if (count > 1) edge /= std::hypot(1.0, mu);
      edges.push_back(edge);
      owner.push_back(i);
    }
  }
  Eigen::MatrixXd points(edges[0].size(), static_cast<Eigen::Index>(edges.size()));
  for (std::size_t k = 0; k < edges.size(); ++k) points.col(static_cast<Eigen::Index>(k)) = edges[k];
  const Eigen::VectorXd weights = nearest_to_origin(points);
  if (!((points * weights).norm() <= cancelled)) return {};
  std::vector<double> of_contact(rows_.size(), 0.0);
  for (std::size_t k = 0; k < edges.size(); ++k) of_contact[owner[k]] += weights[static_cast<Eigen::Index>(k)];
  return of_contact;
}

// By the loads that cause no motion: two contacts belong together where one of these loads has both.
std::vector<std::vector<int>> Impulses::shared_loads() const {
  const auto count = static_cast<Eigen::Index>(rows_.size());
  Eigen::MatrixXd N(rows_[0].rows(), count);
  for (Eigen::Index i = 0; i < count; ++i) N.col(i) = rows_[i].col(0);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(N, Eigen::ComputeFullV);
  const Eigen::VectorXd& sigma = svd.singularValues();
  const auto rank = (sigma.array() > dependent * std::max(sigma[0], 1.0)).count();
  const Eigen::MatrixXd loads = svd.matrixV().rightCols(count - rank), together = loads * loads.transpose();
  std::vector<char> seen(rows_.size(), 0);
  std::vector<std::vector<int>> groups;
  for (int first = 0; first < count; ++first) {
    if (seen[first] || !(together(first, first) > dependent)) continue;
    std::vector<int> group{first};
    seen[first] = 1;
    for (std::size_t k = 0; k < group.size(); ++k)
      for (int i = 0; i < count; ++i)
        if (!seen[i] && std::abs(together(group[k], i)) > dependent) {
          seen[i] = 1;
          group.push_back(i);
        }
    std::ranges::sort(group);
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace esc::study
