// What theory excludes of the contacts that are closed at the start: a total friction cone that is not pointed (potra
// 9.4, 9.5), and obtuse kinetic angles, for which lecture knows no proof of convergence.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "src/math/text.hpp"
#include "src/study/findings.hpp"
#include "src/study/hull.hpp"

namespace esc::study {

namespace {

constexpr double closed = 1e-6;       // m or rad
constexpr double cancelled = 1e-7;    // of an impulse of length 1 in the metric of the mass
constexpr double right_angle = 1e-9;  // on the cosine
constexpr int directions = 32;        // of a friction cone in space: corners of a polygon inside it
constexpr int most_contacts = 60;     // of an island that is looked at
constexpr int most_names = 6;

// Closed contacts that joints and other closed contacts connect.
struct Island {
  std::vector<int> components;
  std::vector<const Contact*> contacts;
};

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

void look_at_cone(const System& system, const Island& island, const Impulses& impulses, Findings& findings) {
  const std::vector<double> weights = impulses.cancelling(1.0);
  if (weights.empty()) return;
  std::string names, first;
  double mu = 0.0;
  int count = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 1e-9)) continue;
    const std::string name = system.contact_name(island.contacts[i]->key);
    if (first.empty()) first = name;
    if (++count <= most_names) names += (names.empty() ? "'" : ", '") + name + "'";
    mu = std::max(mu, island.contacts[i]->law.mu);
  }
  if (count > most_names) names += " and " + std::to_string(count - most_names) + " more";
  const std::string what = "contact impulses at " + names + " cancel" +
                           (impulses.joints() ? ", with those of the joints" : "") +
                           ": nothing bounds them (the friction cone is not pointed), ";
  if (!impulses.cancelling(0.0).empty()) {
    findings.warn("contacts", what + "even without friction; leave play between them", first);
    return;
  }
  double low = 0.0, high = 1.0;
  while (high - low > 1e-7) {
    const double middle = 0.5 * (low + high);
    (impulses.cancelling(middle).empty() ? low : high) = middle;
  }
  findings.warn("contacts",
                what + "and the mechanism can jam; it cannot with mu below " + short_text(mu * high) + ", " +
                    short_text(high) + " times what it is",
                first);
}

void look_at_angles(const System& system, const Island& island, const Impulses& impulses, Findings& findings) {
  int obtuse = 0, pairs = 0;
  double largest = 0.0;
  std::string names, first;
  for (int i = 0; i < static_cast<int>(island.contacts.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(island.contacts.size()); ++j) {
      const double angle = impulses.kinetic_angle(i, j);
      ++pairs;
      if (!(angle > 0.5 * std::numbers::pi)) continue;
      ++obtuse;
      if (!(angle > largest)) continue;
      largest = angle;
      first = system.contact_name(island.contacts[i]->key);
      names = "'" + first + "' and '" + system.contact_name(island.contacts[j]->key) + "'";
    }
  if (obtuse > 0)
    findings.fact(
        "contacts",
        std::to_string(obtuse) + " of " + std::to_string(pairs) +
            " pairs of closed contacts have an obtuse kinetic angle, the largest " + names + " with " +
            short_text(largest * 180.0 / std::numbers::pi) +
            " deg: an impulse at one opens the other, and the order of impacts matters; convergence is proven "
            "for acute ones",
        first);
}

}  // namespace

void look_at_cones(const System& system, const ContactSet& set, Findings& findings) {
  const State& x = system.initial_state();
  std::vector<double> scratch(system.scratch_size());
  JointSet joints;
  system.evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, joints);
  for (const Island& island : islands_of(system, set)) {
    int n = 0;
    for (const int c : island.components) n += system.components()[c].n;
    const auto skip = [&](const char* why) {
      findings.fact("contacts", std::to_string(island.contacts.size()) +
                                    " closed contacts that belong together are not looked at for jamming and kinetic "
                                    "angles: " +
                                    why);
    };
    if (n > most_velocities || static_cast<int>(island.contacts.size()) > most_contacts) {
      skip("too many");
      continue;
    }
    const Impulses impulses(system, island, set, joints);
    if (!impulses.ok()) {
      skip("their mass matrix is singular");
      continue;
    }
    look_at_cone(system, island, impulses, findings);
    look_at_angles(system, island, impulses, findings);
  }
}

}  // namespace esc::study
