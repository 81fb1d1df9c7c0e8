// Random cone problems with known properties, and an independent check of Coulomb's law.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include <rapidcheck.h>

#include <escapement/cone_problem.hpp>

namespace esc::test {

// RapidCheck reads this once; a value given by the user stays.
inline const bool rapidcheck_is_repeatable = setenv("RC_PARAMS", "seed=20240607 max_success=100", 0) == 0;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double real(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
  double normal() { return std::normal_distribution<double>()(engine_); }
  double logarithmic(double lo, double hi) { return std::exp(real(std::log(lo), std::log(hi))); }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }

 private:
  std::mt19937_64 engine_;
};

// body(Random&) for 100 seeds drawn over the whole range (RapidCheck's own integers start small and repeat).
template <class Body>
bool for_seeds(const Body& body) {
  return rc::check([&] {
    Random random(*rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>()));
    body(random);
  });
}

inline void add_cone(ConeProblem& problem, ConeKind kind, double mu = 0.0) {
  int first = 0;
  for (const ConeBlock& cone : problem.cones) first += dimension(cone.kind);
  problem.cones.push_back({kind, first, mu, 0, static_cast<int>(problem.directions.size()) / 2});
}

inline ConeProblem make_problem(std::vector<ConeBlock> cones, std::vector<double> W, std::vector<double> b) {
  ConeProblem problem;
  problem.cones = std::move(cones);
  problem.W = DenseW{std::move(W)};
  problem.p.assign(b.size(), 0.0);
  problem.b = std::move(b);
  return problem;
}

// The dense W of a problem in blocks, those that are zero left out unless they are on the diagonal.
inline BlockSparseW block_sparse(const ConeProblem& problem) {
  const std::vector<double>& dense = std::get<DenseW>(problem.W).a;
  const int n = problem.rows();
  const int cones = static_cast<int>(problem.cones.size());
  BlockSparseW W;
  W.row_start.push_back(0);
  for (int i = 0; i < cones; ++i) {
    for (int j = 0; j < cones; ++j) {
      const ConeBlock& r = problem.cones[i];
      const ConeBlock& c = problem.cones[j];
      std::vector<double> block;
      for (int k = 0; k < dimension(r.kind); ++k) {
        for (int l = 0; l < dimension(c.kind); ++l) block.push_back(dense[(r.first + k) * n + c.first + l]);
      }
      if (i != j && std::all_of(block.begin(), block.end(), [](double x) { return x == 0.0; })) continue;
      W.column.push_back(j);
      W.value_start.push_back(static_cast<int>(W.a.size()));
      W.a.insert(W.a.end(), block.begin(), block.end());
    }
    W.row_start.push_back(static_cast<int>(W.column.size()));
  }
  return W;
}

// Row-major G (rows x dofs), inverse masses per dof.
struct Bodies {
  int dofs = 0;
  std::vector<double> G;
  std::vector<double> inverse_mass;

  int rows() const { return static_cast<int>(G.size()) / dofs; }
  std::vector<double> delassus() const {
    const int n = rows();
    std::vector<double> W(n * n, 0.0);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < dofs; ++k) W[i * n + j] += G[i * dofs + k] * inverse_mass[k] * G[j * dofs + k];
      }
    }
    return W;
  }
  std::vector<double> velocity(const std::vector<double>& v) const {
    std::vector<double> u(rows(), 0.0);
    for (int i = 0; i < rows(); ++i) {
      for (int k = 0; k < dofs; ++k) u[i] += G[i * dofs + k] * v[k];
    }
    return u;
  }
};

// A vector at the given angle from `axis`, around it at random.
inline void tilted(Random& random, const double (&axis)[3], double angle, bool planar, double (&n)[3]) {
  double t[3] = {-axis[1], axis[0], 0.0};
  if (!planar) {
    const double r[3] = {random.normal(), random.normal(), random.normal()};
    const double along = r[0] * axis[0] + r[1] * axis[1] + r[2] * axis[2];
    for (int i = 0; i < 3; ++i) t[i] = r[i] - along * axis[i];
  } else if (random.integer(0, 1) == 1) {
    t[0] = -t[0];
    t[1] = -t[1];
  }
  const double length = std::sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  for (int i = 0; i < 3; ++i) n[i] = std::cos(angle) * axis[i] + std::sin(angle) * t[i] / length;
}

struct ContactOptions {
  bool planar = true;
  int bodies = 2;
  int contacts = 3;
  double mu = 0.5;
  double mass_ratio = 100.0;
};

// Contacts of rigid bodies with the ground and each other. A velocity v* separates every contact strictly inside the
// dual friction cone (u_N > mu |u_T|), so the problem with b in the range of G has a solution (Acary, Cadoux,
// Lemarechal and Malick 2011). Rows (N, T) or (N, T1, T2) per contact; a planar body has dofs (x, y, spin).
inline Bodies random_bodies(Random& random, const ContactOptions& options) {
  const int per_body = options.planar ? 3 : 6;
  Bodies bodies;
  bodies.dofs = per_body * options.bodies;
  std::vector<double> separating(bodies.dofs);
  for (double& v : separating) v = random.normal();
  for (int k = 0; k < options.bodies; ++k) {
    const double mass = random.logarithmic(1.0, options.mass_ratio);
    const int linear = options.planar ? 2 : 3;
    for (int i = 0; i < per_body; ++i) {
      bodies.inverse_mass.push_back(i < linear ? 1.0 / mass : random.real(1.0, 10.0) / mass);
    }
  }

  const auto point_row = [&](int body, const double(&arm)[3], const double(&n)[3], double sign, double* row) {
    if (body < 0) return;
    double* g = row + per_body * body;
    const double torque[3] = {arm[1] * n[2] - arm[2] * n[1], arm[2] * n[0] - arm[0] * n[2],
                              arm[0] * n[1] - arm[1] * n[0]};
    for (int i = 0; i < (options.planar ? 2 : 3); ++i) g[i] += sign * n[i];
    for (int i = 0; i < (options.planar ? 1 : 3); ++i) g[per_body - 1 - i] += sign * torque[2 - i];
  };
  for (int c = 0; c < options.contacts; ++c) {
    const int a = random.integer(0, options.bodies - 1);
    int b = random.integer(-1, options.bodies - 1);
    if (b == a) b = -1;
    double arm_a[3], arm_b[3];
    for (int i = 0; i < 3; ++i) {
      arm_a[i] = options.planar && i == 2 ? 0.0 : random.real(-1.0, 1.0);
      arm_b[i] = options.planar && i == 2 ? 0.0 : random.real(-1.0, 1.0);
    }
    const auto row_along = [&](const double(&n)[3]) {
      std::vector<double> row(bodies.dofs, 0.0);
      point_row(a, arm_a, n, 1.0, row.data());
      point_row(b, arm_b, n, -1.0, row.data());
      return row;
    };
    double away[3] = {0.0, 0.0, 0.0};
    double length = 0.0;
    for (int i = 0; i < (options.planar ? 2 : 3); ++i) {
      const double axis[3] = {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0};
      const std::vector<double> row = row_along(axis);
      for (int k = 0; k < bodies.dofs; ++k) away[i] += row[k] * separating[k];
      length += away[i] * away[i];
    }
    for (double& x : away) x /= std::sqrt(length);

    double n[3], t1[3];
    tilted(random, away, 0.9 * random.real(0.0, 1.0) * std::atan2(1.0, options.mu), options.planar, n);
    tilted(random, n, std::acos(0.0), options.planar, t1);
    const double t2[3] = {n[1] * t1[2] - n[2] * t1[1], n[2] * t1[0] - n[0] * t1[2], n[0] * t1[1] - n[1] * t1[0]};
    const std::vector<double> rows[3] = {row_along(n), row_along(t1), row_along(t2)};
    for (int i = 0; i < (options.planar ? 2 : 3); ++i) bodies.G.insert(bodies.G.end(), rows[i].begin(), rows[i].end());
  }
  return bodies;
}

// One friction cone of the given kind per contact; polyhedral cones share `directions` unit directions.
inline ConeProblem friction_problem(Random& random, const ContactOptions& options, ConeKind kind, int directions = 0) {
  const Bodies bodies = random_bodies(random, options);
  std::vector<double> v(bodies.dofs);
  for (double& x : v) x = random.normal();
  ConeProblem problem = make_problem({}, bodies.delassus(), bodies.velocity(v));
  const double turn = random.real(0.0, 1.0);
  for (int i = 0; i < directions; ++i) {
    problem.directions.push_back(std::cos(turn + 2.0 * M_PI * i / directions));
    problem.directions.push_back(std::sin(turn + 2.0 * M_PI * i / directions));
  }
  for (int c = 0; c < options.contacts; ++c) add_cone(problem, kind, options.mu);
  return problem;
}

// The worst violation of the disjunctive form of Coulomb's law (acary Eq. (12)), relative to the size of the terms:
// u_N >= 0, p_N >= 0, p_N u_N = 0; p_N = 0, or u_T = 0 and |p_T| <= mu p_N, or p_T = -mu p_N u_T / |u_T|.
// Each contact in the unit of its own inertia, as in residual().
inline double coulomb_violation(const ConeProblem& problem, const std::vector<double>& impulse) {
  const int n = problem.rows();
  const std::vector<double>& W = std::get<DenseW>(problem.W).a;
  std::vector<double> u(problem.b), p(impulse);
  double scale = 0.0;
  for (const ConeBlock& c : problem.cones) {
    const int dim = dimension(c.kind);
    double unit = 0.0;
    for (int i = c.first; i < c.first + dim; ++i) unit += W[i * n + i] / dim;
    unit = std::sqrt(unit);
    for (int i = c.first; i < c.first + dim; ++i) {
      for (int j = 0; j < n; ++j) u[i] += W[i * n + j] * impulse[j];
      u[i] /= unit;
      p[i] *= unit;
      scale = std::max({scale, std::abs(p[i]), std::abs(u[i]), std::abs(problem.b[i]) / unit});
    }
  }

  double worst = 0.0;
  for (const ConeBlock& c : problem.cones) {
    const int i = c.first;
    const bool spatial = c.kind == ConeKind::coulomb3;
    const double pt2 = spatial ? p[i + 2] : 0.0;
    const double ut2 = spatial ? u[i + 2] : 0.0;
    const double pt = std::hypot(p[i + 1], pt2);
    const double ut = std::hypot(u[i + 1], ut2);
    const double signorini = std::max(std::abs(std::min(p[i], u[i])), std::max(-p[i], -u[i]));
    const double outside = std::max(0.0, pt - c.mu * std::max(0.0, p[i]));
    const double slip =
        ut > 0.0 ? std::hypot(p[i + 1] + c.mu * p[i] * u[i + 1] / ut, pt2 + c.mu * p[i] * ut2 / ut) : 0.0;
    const double friction = std::max(outside, std::min(ut, slip));
    worst = std::max({worst, signorini, friction});
  }
  return scale > 0.0 ? worst / scale : worst;
}

}  // namespace esc::test
