// The block-sparse LU of a component against dense factorisations.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>

#include "src/math/component_factor.hpp"
#include "tests/component_matrices.hpp"
#include "tests/support/malloc_count.hpp"

namespace esc::test {
namespace {

void expect_like_dense(Mechanism& mechanism, Random& random) {
  ComponentFactor factor(mechanism.nodes, mechanism.edges);
  mechanism.fill(factor);
  ASSERT_EQ(factor.factor(), FactorStatus::regular);
  EXPECT_EQ(factor.deficiency(), 0);
  ASSERT_EQ(factor.size(), mechanism.K.rows());
  const Vector b = random_vector(random, factor.size());
  Vector x = b;
  EXPECT_EQ(factor.solve(x.data()), 0.0);
  EXPECT_LT(difference(x, mechanism.K.fullPivLu().solve(b)), 1e-10);
  EXPECT_LT((mechanism.K * x - b).norm(), 1e-12 * (mechanism.K.norm() * x.norm()));
}

TEST(ComponentFactor, ChainsLikeDense) {
  Random random(1);
  for (int n : {1, 2, 3, 4, 5, 6, 12})
    for (int rows = 1; rows < n; ++rows) {
      Mechanism mechanism = chain(random, 7, n, rows);
      expect_like_dense(mechanism, random);
    }
}

TEST(ComponentFactor, TreesWithSpringsAndLoopsLikeDense) {
  Random random(2);
  for (int trial = 0; trial < 60; ++trial) {
    Mechanism mechanism = random_tree(random, mixed_sizes(random, 12), 1 + trial % 2);
    const auto body = [&] { return 2 * random.integer(0, 11); };  // tree() numbers bodies and joints in turn
    for (int k = 0; k < trial % 4; ++k) {
      const int a = body();
      const int b = body();
      if (a == b) continue;
      const Matrix C = random.matrix(mechanism.nodes[a].n, mechanism.nodes[b].n, 0.1);
      mechanism.tie(a, b, C, 0.9 * C.transpose());
      if (mechanism.nodes[a].n + mechanism.nodes[b].n > 10) close_loop(mechanism, random, a, b);
    }
    expect_like_dense(mechanism, random);
  }
}

TEST(ComponentFactor, GridOfSpringsLikeDense) {
  Random random(3);
  const int side = 7;
  Mechanism mechanism;
  for (int i = 0; i < side * side; ++i) mechanism.add_body(random, 1 + i % 3);
  for (int i = 0; i < side * side; ++i)
    for (int j : {i + 1, i + side}) {
      if (j >= side * side || (j == i + 1 && j % side == 0)) continue;
      const Matrix C = random.matrix(mechanism.nodes[i].n, mechanism.nodes[j].n, 0.1);
      mechanism.tie(i, j, C, C.transpose());
    }
  expect_like_dense(mechanism, random);
}

TEST(ComponentFactor, SingleNodeLikeDense) {
  Random random(4);
  for (int n : {1, 3, 6, 9}) {
    Mechanism mechanism;
    mechanism.add_body(random, n);
    expect_like_dense(mechanism, random);
  }
}

// Two joints and a driving row on one body, and a joint that the parent owns.
TEST(ComponentFactor, OwnershipIsFree) {
  Random random(5);
  Mechanism mechanism;
  const int a = mechanism.add_body(random, 6);
  const int b = mechanism.add_body(random, 3);
  for (int rows : {2, 1, 1}) {
    const int joint = mechanism.add({rows, true, a});
    for (int body : {a, b}) {
      const int n = mechanism.nodes[body].n;
      mechanism.constrain(body, joint, random.matrix(rows, n, 1.0), Matrix::Zero(rows, n));
    }
  }
  expect_like_dense(mechanism, random);
}

// No diagonal to start from: rows must be exchanged, in the velocity node and in the constraint node.
TEST(ComponentFactor, ExchangesRows) {
  Random random(6);
  for (int half : {1, 2, 3, 4}) {
    const int n = 2 * half;
    Mechanism mechanism;
    const int a = mechanism.add({n, false, -1});
    Matrix J = Matrix::Zero(n, n);
    J.topRightCorner(half, half).setIdentity();
    J.bottomLeftCorner(half, half) = -Matrix::Identity(half, half);
    mechanism.block(a, a) = J;
    const int c = mechanism.add({n, true, a});
    mechanism.tie(a, c, Matrix::Identity(n, n) + random.matrix(n, n, 0.2 / n), Matrix::Identity(n, n));
    const int b = mechanism.add_body(random, n);
    mechanism.tie(b, c, random.matrix(n, n, 0.1), random.matrix(n, n, 0.1));
    expect_like_dense(mechanism, random);
  }
}

TEST(ComponentFactor, TreesHaveNoFill) {
  Random random(7);
  for (int bodies : {1, 2, 50}) {
    const Mechanism line = chain(random, bodies, 6, 3);
    EXPECT_EQ(ComponentFactor(line.nodes, line.edges).stored_values(), line.input_values());
    const Mechanism branched = random_tree(random, mixed_sizes(random, bodies), 3);
    EXPECT_EQ(ComponentFactor(branched.nodes, branched.edges).stored_values(), branched.input_values());
  }
}

TEST(ComponentFactor, LoopsFillLinearly) {
  Random random(8);
  const auto stored = [&](int bodies) {
    Mechanism ring = chain(random, bodies, 6, 3);
    close_loop(ring, random, 0, 2 * (bodies - 1));
    return ComponentFactor(ring.nodes, ring.edges).stored_values();
  };
  const int s10 = stored(10);
  const int s20 = stored(20);
  EXPECT_EQ(stored(40) - s20, 2 * (s20 - s10));
}

TEST(ComponentFactor, SingularOrNotFinite) {
  Random random(9);
  Mechanism good = chain(random, 3, 6, 3);
  ComponentFactor factor(good.nodes, good.edges);
  Mechanism bad = good;
  bad.block(2, 2).row(4) = bad.block(2, 2).row(1) + bad.block(2, 2).row(2);
  bad.block(2, 3).row(4) = bad.block(2, 3).row(1) + bad.block(2, 3).row(2);
  bad.block(2, 5).row(4) = bad.block(2, 5).row(1) + bad.block(2, 5).row(2);
  bad.fill(factor);
  EXPECT_EQ(factor.factor(), FactorStatus::singular);

  Mechanism massless = chain(random, 2, 12, 3);
  massless.block(0, 0).setZero();
  ComponentFactor wide(massless.nodes, massless.edges);
  massless.fill(wide);
  EXPECT_EQ(wide.factor(), FactorStatus::singular);

  for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (int i = 0; i < good.K.rows(); ++i)
      for (int j = 0; j < good.K.cols(); ++j) {
        if (good.K(i, j) == 0.0) continue;
        bad = good;
        bad.K(i, j) = value;
        bad.fill(factor);
        ASSERT_EQ(factor.factor(), FactorStatus::singular) << i << ' ' << j;
      }
  good.fill(factor);
  EXPECT_EQ(factor.factor(), FactorStatus::regular);
}

TEST(ComponentFactor, RepeatedWorkAllocatesNothing) {
  if (!esc::testing::counts_malloc) GTEST_SKIP() << esc::testing::why_no_count;
  Random random(14);
  for (Mechanism mechanism : {chain(random, 20, 6, 3), chain(random, 3, 12, 4), hinged_loop(random, 3, 0.0)}) {
    ComponentFactor factor(mechanism.nodes, mechanism.edges);
    mechanism.fill(factor);
    const Vector b = random_vector(random, factor.size());
    Vector x = b;
    EXPECT_EQ(esc::testing::allocations([&] {
                if (factor.factor() != FactorStatus::singular) factor.solve(x.data());
              }),
              0);
    factor.prepare_least_norm();
    mechanism.fill(factor);
    EXPECT_EQ(esc::testing::allocations([&] {
                if (factor.factor() == FactorStatus::redundant) factor.prepare_least_norm();
                factor.solve_least_norm(x.data());
              }),
              0);
  }
}

// The same bits from a new object and from one that met a redundant and a failed K before.
TEST(ComponentFactor, NothingIsLeftFromBefore) {
  Random random(15);
  Mechanism mechanism = chain(random, 5, 6, 3);
  close_loop(mechanism, random, 0, 8);
  const auto solution = [&](ComponentFactor& factor) {
    mechanism.fill(factor);
    EXPECT_EQ(factor.factor(), FactorStatus::regular);
    EXPECT_EQ(factor.deficiency(), 0);
    Vector x = Vector::LinSpaced(factor.size(), -1.0, 2.0);
    factor.solve(x.data());
    return x;
  };
  ComponentFactor used(mechanism.nodes, mechanism.edges);
  Mechanism other = mechanism;
  for (int body : {0, 8}) {
    other.block(10, body).setZero();
    other.block(body, 10).setZero();
  }
  other.block(8, 8)(0, 0) = 0.0;  // rows are exchanged
  other.fill(used);
  ASSERT_EQ(used.factor(), FactorStatus::redundant);
  other.K(0, 0) = std::numeric_limits<double>::quiet_NaN();
  other.fill(used);
  ASSERT_EQ(used.factor(), FactorStatus::singular);

  ComponentFactor fresh(mechanism.nodes, mechanism.edges);
  EXPECT_TRUE((solution(used).array() == solution(fresh).array()).all());
}

}  // namespace
}  // namespace esc::test
