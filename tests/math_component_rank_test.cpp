// Redundant joints: the rank report of a component's LU and its multipliers of least norm.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "src/math/component_factor.hpp"
#include "tests/component_matrices.hpp"

namespace esc::test {
namespace {

FactorStatus factored(Mechanism& mechanism, ComponentFactor& factor) {
  mechanism.fill(factor);
  return factor.factor();
}

void expect_least_norm(Mechanism& mechanism, Random& random, int deficiency, double tolerance) {
  ComponentFactor factor(mechanism.nodes, mechanism.edges);
  ASSERT_EQ(factored(mechanism, factor), FactorStatus::redundant);
  ASSERT_EQ(factor.deficiency(), deficiency);
  for (const DependentRow& dependent : factor.dependent_rows()) EXPECT_TRUE(mechanism.nodes[dependent.node].constraint);

  const Vector b = mechanism.K * random_vector(random, factor.size());  // consistent
  Eigen::CompleteOrthogonalDecomposition<Matrix> dense;
  dense.setThreshold(1e-11);
  dense.compute(mechanism.K);
  ASSERT_EQ(dense.rank(), factor.size() - deficiency);
  const Vector least = dense.solve(b);

  Vector x = b;
  EXPECT_LT(factor.solve(x.data()), tolerance * b.norm());
  for (const DependentRow& dependent : factor.dependent_rows())
    EXPECT_EQ(mechanism.part(x, dependent.node)[dependent.row], 0.0);
  for (int i = 0; i < static_cast<int>(mechanism.nodes.size()); ++i) {
    if (mechanism.nodes[i].constraint) continue;
    EXPECT_LT((mechanism.part(x, i) - mechanism.part(least, i)).norm(), tolerance * least.norm());
  }

  Vector y = b;
  factor.prepare_least_norm();
  factor.solve(y.data());
  EXPECT_EQ(x, y);
  x = b;
  EXPECT_LT(factor.solve_least_norm(x.data()), tolerance * b.norm());
  EXPECT_LT(difference(x, least), tolerance);
}

TEST(ComponentRank, FourBarHasThreeRedundantRows) {
  Random random(10);
  for (int trial = 0; trial < 20; ++trial) {
    Mechanism mechanism = hinged_loop(random, 3, 0.0);
    expect_least_norm(mechanism, random, 3, 1e-12);
    ComponentFactor factor(mechanism.nodes, mechanism.edges);
    ASSERT_EQ(factored(mechanism, factor), FactorStatus::redundant);
    for (const DependentRow& dependent : factor.dependent_rows()) EXPECT_EQ(dependent.node, 6);  // the closing hinge
  }
}

// Rounding errors grow with the ratio of masses and the length of the loop; the rank stays.
TEST(ComponentRank, SurvivesMassRatiosAndLongLoops) {
  Random random(11);
  const auto deficiency = [&](int bodies, double decades) {
    Mechanism mechanism = hinged_loop(random, bodies, decades);
    ComponentFactor factor(mechanism.nodes, mechanism.edges);
    EXPECT_EQ(factored(mechanism, factor), FactorStatus::redundant);
    return factor.deficiency();
  };
  for (int trial = 0; trial < 50; ++trial) {
    EXPECT_EQ(deficiency(3, 8.0), 3);
    EXPECT_EQ(deficiency(10, 6.0), 3);
  }
  EXPECT_EQ(deficiency(100, 1.0), 3);
}

// A row at the angle alpha to another one leaves the pivot sin(alpha)^2: 1e-8 is a joint, 1e-12 is none.
TEST(ComponentRank, NearlyEqualRowsAreKept) {
  for (const double alpha : {1e-4, 1e-6}) {
    Mechanism mechanism;
    const int body = mechanism.add({6, false, -1});
    mechanism.block(body, body).setIdentity();
    for (int owner : {body, -1}) {
      Matrix G = Matrix::Zero(1, 6);
      G(0, 2) = 1.0;
      if (owner < 0) G(0, 4) = alpha;
      mechanism.constrain(body, mechanism.add({1, true, owner}), G, Matrix::Zero(1, 6));
    }
    ComponentFactor factor(mechanism.nodes, mechanism.edges);
    for (int again = 0; again < 200; ++again)
      ASSERT_EQ(factored(mechanism, factor), alpha > 1e-5 ? FactorStatus::regular : FactorStatus::redundant);
  }
}

TEST(ComponentRank, InconsistentRowsShowTheirDefect) {
  Random random(12);
  Mechanism mechanism = hinged_loop(random, 3, 0.0);
  ComponentFactor factor(mechanism.nodes, mechanism.edges);
  ASSERT_EQ(factored(mechanism, factor), FactorStatus::redundant);
  Vector b = mechanism.K * random_vector(random, factor.size());
  const DependentRow& row = factor.dependent_rows()[1];
  b[factor.offset(row.node) + row.row] += 0.125;
  Vector x = b;
  EXPECT_NEAR(factor.solve(x.data()), 0.125, 1e-12);
  EXPECT_NEAR((mechanism.K * x - b).lpNorm<Eigen::Infinity>(), 0.125, 1e-12);
}

// Two equal joints share the load of one, whoever owns the second.
TEST(ComponentRank, EqualJointsShareTheLoad) {
  for (const bool owned : {true, false}) {
    Random random(13);
    Mechanism single = chain(random, 4, 6, 3);
    Mechanism twice = single;
    const int copy = twice.add({3, true, owned ? 4 : -1});  // of joint 5: body 4 on body 2
    for (int body : {2, 4}) twice.tie(body, copy, single.block(body, 5), single.block(5, body));
    expect_least_norm(twice, random, 3, 1e-12);

    ComponentFactor one(single.nodes, single.edges);
    ASSERT_EQ(factored(single, one), FactorStatus::regular);
    ComponentFactor two(twice.nodes, twice.edges);
    ASSERT_EQ(factored(twice, two), FactorStatus::redundant);
    two.prepare_least_norm();
    Vector x = random_vector(random, one.size());
    Vector y(two.size());
    y << x, x.segment(one.offset(5), 3);
    one.solve(x.data());
    two.solve_least_norm(y.data());
    EXPECT_LT((single.part(x, 5) - 2.0 * twice.part(y, 5)).norm(), 1e-12 * x.norm());
    EXPECT_LT((single.part(x, 5) - 2.0 * twice.part(y, copy)).norm(), 1e-12 * x.norm());
  }
}

}  // namespace
}  // namespace esc::test
