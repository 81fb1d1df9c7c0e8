// apply, project and residual of every cone.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

#include "tests/cone_problems.hpp"

namespace esc {
namespace {

using test::Random;

ConeProblem one_cone(ConeKind kind, double mu, int directions) {
  ConeProblem problem;
  for (int i = 0; i < directions; ++i) {
    problem.directions.push_back(std::cos(0.2 + 2.0 * M_PI * i / directions));
    problem.directions.push_back(std::sin(0.2 + 2.0 * M_PI * i / directions));
  }
  test::add_cone(problem, kind, mu);
  return problem;
}

// A random point of the cone, often on its boundary.
std::vector<double> point_of(const ConeProblem& problem, Random& random) {
  const ConeBlock& c = problem.cones[0];
  const double n = random.integer(0, 4) == 0 ? 0.0 : random.logarithmic(0.01, 100.0);
  const double r = c.mu * n * (random.integer(0, 1) == 0 ? 1.0 : random.real(0.0, 1.0));
  const double angle = random.real(0.0, 2.0 * M_PI);
  if (c.kind == ConeKind::positive) return {n};
  if (c.kind == ConeKind::coulomb2) return {n, angle < M_PI ? r : -r};
  if (c.kind == ConeKind::coulomb3) return {n, r * std::cos(angle), r * std::sin(angle)};
  const int i = random.integer(0, c.direction_count - 1);
  const int j = (i + random.integer(0, 1)) % c.direction_count;
  const double s = random.real(0.0, 1.0);
  const double* d = problem.directions.data();
  return {n, r * (s * d[2 * i] + (1 - s) * d[2 * j]), r * (s * d[2 * i + 1] + (1 - s) * d[2 * j + 1])};
}

// Moreau: z is the projection of x onto a convex cone C exactly if z is in C, z . (x - z) = 0, y . (x - z) <= 0 on C.
TEST(ConeGeometry, ProjectionSatisfiesMoreau) {
  EXPECT_TRUE(test::for_seeds([](Random& random) {
    for (const ConeKind kind : {ConeKind::positive, ConeKind::coulomb2, ConeKind::coulomb3, ConeKind::polyhedral}) {
      const double mu = random.integer(0, 9) == 0 ? 0.0 : random.logarithmic(0.01, 3.0);
      const ConeProblem problem = one_cone(kind, mu, random.integer(3, 9));
      std::vector<double> x(dimension(kind));
      double size = 0.0;
      for (double& xi : x) size += std::abs(xi = random.normal());
      std::vector<double> z = x;
      project(problem, problem.cones[0], z);

      const auto along_rest = [&](const std::vector<double>& y) {
        double sum = 0.0;
        for (int i = 0; i < dimension(kind); ++i) sum += y[i] * (x[i] - z[i]);
        return sum;
      };
      RC_ASSERT(std::abs(along_rest(z)) < 1e-13 * size * size);
      for (int k = 0; k < 20; ++k) {
        const std::vector<double> y = point_of(problem, random);
        RC_ASSERT(along_rest(y) < 1e-12 * size * (1.0 + y[0]) * (1.0 + mu));
      }
      std::vector<double> again = z;
      project(problem, problem.cones[0], again);
      for (int i = 0; i < dimension(kind); ++i) RC_ASSERT(std::abs(again[i] - z[i]) < 1e-13 * size);
    }
  }));
}

TEST(ConeGeometry, PointsOfTheConeStay) {
  EXPECT_TRUE(test::for_seeds([](Random& random) {
    for (const ConeKind kind : {ConeKind::positive, ConeKind::coulomb2, ConeKind::coulomb3, ConeKind::polyhedral}) {
      const ConeProblem problem = one_cone(kind, random.real(0.0, 2.0), random.integer(3, 9));
      const std::vector<double> y = point_of(problem, random);
      std::vector<double> z = y;
      project(problem, problem.cones[0], z);
      for (int i = 0; i < dimension(kind); ++i) RC_ASSERT(std::abs(z[i] - y[i]) <= 1e-13 * y[0] * 3.0);
    }
  }));
}

// An inscribed polygon of K directions reaches the round cone up to mu p_N (1 - cos(pi / K)), and so do the distances.
TEST(ConeGeometry, ManyDirectionsApproachTheRoundCone) {
  const ConeProblem round = one_cone(ConeKind::coulomb3, 0.7, 0);
  const ConeProblem polygon = one_cone(ConeKind::polyhedral, 0.7, 180);
  const auto distance = [](const ConeProblem& problem, const std::vector<double>& x) {
    std::vector<double> z = x;
    project(problem, problem.cones[0], z);
    return std::sqrt(std::pow(x[0] - z[0], 2) + std::pow(x[1] - z[1], 2) + std::pow(x[2] - z[2], 2));
  };
  Random random(5);
  for (int k = 0; k < 200; ++k) {
    const std::vector<double> x = {random.normal(), random.normal(), random.normal()};
    const double reach = 0.7 * (std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2])) * (1.0 - std::cos(M_PI / 180.0));
    EXPECT_GE(distance(polygon, x), distance(round, x) - 1e-14);
    EXPECT_LE(distance(polygon, x), distance(round, x) + reach);
  }
}

TEST(ConeGeometry, ApplyAgreesBetweenStorages) {
  EXPECT_TRUE(test::for_seeds([](Random& random) {
    ConeProblem problem;
    for (int c = random.integer(1, 5); c > 0; --c) {
      const ConeKind kinds[4] = {ConeKind::free, ConeKind::positive, ConeKind::coulomb2, ConeKind::coulomb3};
      test::add_cone(problem, kinds[random.integer(0, 3)], 0.3);
    }
    const int n = problem.cones.back().first + dimension(problem.cones.back().kind);
    DenseW dense{std::vector<double>(n * n, 0.0)};
    for (double& w : dense.a) w = random.normal();
    for (int i = 0; i < n; ++i) {
      problem.b.push_back(random.normal());
      problem.p.push_back(random.normal());
    }
    problem.u.resize(n);
    problem.W = dense;
    apply(problem, problem.p, problem.u);
    for (int i = 0; i < n; ++i) {
      double sum = problem.b[i];
      for (int j = 0; j < n; ++j) sum += dense.a[i * n + j] * problem.p[j];
      RC_ASSERT(std::abs(problem.u[i] - sum) < 1e-12);
    }

    const double r = residual(problem, problem.p);
    problem.W = test::block_sparse(problem);
    std::vector<double> u(n);
    apply(problem, problem.p, u);
    for (int i = 0; i < n; ++i) RC_ASSERT(std::abs(problem.u[i] - u[i]) < 1e-12);
    RC_ASSERT(std::abs(residual(problem, problem.p) - r) <= 1e-12 * r);
  }));
}

// By hand, from the definition: W = 2, rho = 1/2.
TEST(ConeResidual, OnePositiveRow) {
  ConeProblem problem = test::make_problem({{ConeKind::positive, 0}}, {2.0}, {-1.0});
  EXPECT_EQ(residual(problem, std::vector{0.5}), 0.0);
  EXPECT_DOUBLE_EQ(residual(problem, std::vector{0.0}), 1.0);         // rho u = -1/2, scale 1/2
  EXPECT_DOUBLE_EQ(residual(problem, std::vector{1.0}), 0.5);         // min(1, 1/2) over 1
  EXPECT_DOUBLE_EQ(residual(problem, std::vector{-1.0}), 1.5 / 1.5);  // min(-1, -3/2) over rho |u| = 3/2
  problem.cones[0].kind = ConeKind::free;
  EXPECT_DOUBLE_EQ(residual(problem, std::vector{1.0}), 0.5);  // rho u = 1/2 over 1
  problem.W = DenseW{{0.0}};
  EXPECT_DOUBLE_EQ(residual(problem, std::vector{0.0}), 1.0);  // rho = 1
}

// The one-row formula and the general one are the same number.
TEST(ConeResidual, OneRowIsTheGeneralFormula) {
  EXPECT_TRUE(test::for_seeds([](Random& random) {
    const double w = random.real(-1.0, 3.0), b = random.normal();
    const std::vector<double> p = {random.normal()};
    ConeProblem dense = test::make_problem({{ConeKind::positive, 0}}, {w}, {b});
    ConeProblem sparse = dense;
    sparse.W = test::block_sparse(dense);
    RC_ASSERT(std::abs(residual(dense, p) - residual(sparse, p)) < 1e-14 * (1.0 + residual(sparse, p)));
  }));
}

TEST(ConeResidual, EmptyIsZeroAndNanIsNan) {
  EXPECT_EQ(residual(ConeProblem{}, {}), 0.0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ConeProblem good = test::make_problem({{ConeKind::positive, 0}, {ConeKind::coulomb2, 1, 0.5}},
                                              {1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 1, 1});
  EXPECT_EQ(residual(good, good.p), 0.0);
  for (int i = 0; i < 3; ++i) {
    ConeProblem bad = good;
    bad.p[i] = nan;
    EXPECT_TRUE(std::isnan(residual(bad, bad.p)));
    bad = good;
    bad.b[i] = nan;
    EXPECT_TRUE(std::isnan(residual(bad, bad.p)));
    bad = good;
    std::get<DenseW>(bad.W).a[4 * i] = nan;
    EXPECT_TRUE(std::isnan(residual(bad, bad.p)));
  }
}

}  // namespace
}  // namespace esc
