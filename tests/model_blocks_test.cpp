// Blocks: factors against Eigen, blocks merged by an implicit spring against the exact two-mass oscillator, tangents
// against differences, the manifold of a vector space.
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <Eigen/Dense>

#include <escapement/models/force.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/system.hpp>

#include "examples/registry.hpp"
#include "examples/slider_crank.hpp"
#include "src/math/block_factor.hpp"

namespace esc {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double number() { return *rc::gen::inRange(-1000, 1001) / 500.0; }

// Symmetric positive definite with this many subdiagonals.
MatrixXd random_spd(int n, int half) {
  MatrixXd A = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - half); j < i; ++j) A(i, j) = A(j, i) = number();
  for (int i = 0; i < n; ++i) A(i, i) = A.row(i).cwiseAbs().sum() + 0.5 + std::abs(number());
  return A;
}

struct Stored {
  std::vector<MatrixBlock> blocks;
  std::vector<double> values;
  MatrixXd full;
};

// A dense, a tridiagonal, a wider banded and another dense block.
Stored random_matrix() {
  Stored stored;
  int v0 = 0;
  std::vector<MatrixXd> parts;
  for (const auto& [storage, half] : std::vector<std::pair<Storage, int>>{
           {Storage::dense, 0}, {Storage::band, 1}, {Storage::band, 3}, {Storage::dense, 0}}) {
    const int n = *rc::gen::inRange(1, 13);
    MatrixBlock block{v0, n, storage, half, static_cast<int>(stored.values.size())};
    MatrixXd A = random_spd(n, storage == Storage::band ? half : n);
    if (storage == Storage::dense) A(0, n - 1) += 0.125;  // a dense block need not be symmetric
    stored.values.resize(block.a0 + block.values(), 0.0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        if (storage == Storage::dense) stored.values[block.a0 + i * n + j] = A(i, j);
        if (storage == Storage::band && i >= j && i - j <= half) stored.values[block.a0 + (i - j) * n + j] = A(i, j);
      }
    stored.blocks.push_back(block);
    parts.push_back(A);
    v0 += n;
  }
  stored.full = MatrixXd::Zero(v0, v0);
  for (std::size_t i = 0; i < parts.size(); ++i)
    stored.full.block(stored.blocks[i].v0, stored.blocks[i].v0, stored.blocks[i].n, stored.blocks[i].n) = parts[i];
  return stored;
}

TEST(BlockFactor, SolvesAsEigenDoes) {
  EXPECT_TRUE(rc::check([] {
    const Stored A = random_matrix();
    BlockFactor factor(A.blocks);
    for (int i = 0; i < static_cast<int>(A.blocks.size()); ++i) RC_ASSERT(factor.factor(i, A.values));
    const int n = static_cast<int>(A.full.rows());
    VectorXd b(n);
    for (int i = 0; i < n; ++i) b[i] = number();
    std::vector<double> x(b.data(), b.data() + n);
    factor.solve_all(x);
    const VectorXd expected = A.full.partialPivLu().solve(b);
    for (int i = 0; i < n; ++i) RC_ASSERT(std::abs(x[i] - expected[i]) < 1e-10 * (1.0 + expected.norm()));

    std::vector<double> product(b.data(), b.data() + n);
    add_times(A.blocks, A.values, -1.0, x, product);
    for (int i = 0; i < n; ++i) RC_ASSERT(std::abs(product[i]) < 1e-10 * (1.0 + b.norm()));
  }));
}

TEST(BlockFactor, StartsAtTheFirstNonzero) {
  EXPECT_TRUE(rc::check([] {
    const Stored A = random_matrix();
    BlockFactor factor(A.blocks);
    for (int i = 0; i < static_cast<int>(A.blocks.size()); ++i) {
      RC_ASSERT(factor.factor(i, A.values));
      const int n = A.blocks[i].n;
      const int first = *rc::gen::inRange(0, n);
      std::vector<double> x(n, 0.0);
      for (int j = first; j < n; ++j) x[j] = number();
      auto y = x;
      factor.solve(i, x.data());
      factor.solve_from(i, first, y.data());
      for (int j = 0; j < n; ++j) RC_ASSERT(std::abs(x[j] - y[j]) < 1e-12 * (1.0 + std::abs(x[j])));
    }
  }));
}

TEST(BlockFactor, RefusesSingularAndIndefiniteBlocks) {
  const std::vector<MatrixBlock> dense{{0, 2, Storage::dense, 0, 0}};
  const std::vector<MatrixBlock> band{{0, 3, Storage::band, 1, 0}};
  const double nan = std::nan("");
  BlockFactor a(dense), b(band);
  EXPECT_FALSE(a.factor(0, std::vector<double>{1.0, 2.0, 2.0, 4.0}));
  EXPECT_FALSE(a.factor(0, std::vector<double>{0.0, 0.0, 0.0, 0.0}));
  EXPECT_FALSE(a.factor(0, std::vector<double>{nan, 1.0, 1.0, 4.0}));
  EXPECT_TRUE(a.factor(0, std::vector<double>{0.0, 1.0, 1.0, 0.0}));  // needs an exchange of rows
  EXPECT_FALSE(b.factor(0, std::vector<double>{1.0, 1.0, 1.0, 2.0, 0.0, 0.0}));
  EXPECT_FALSE(b.factor(0, std::vector<double>{1.0, nan, 1.0, 0.0, 0.0, 0.0}));
  EXPECT_TRUE(b.factor(0, std::vector<double>{2.0, 2.0, 2.0, 1.0, 1.0, 0.0}));
}

// Two masses and a spring: the centre of mass moves uniformly, the stretch oscillates at sqrt(k / reduced mass).
struct TwoMasses {
  double m1 = 2.0, m2 = 3.0, k = 50.0, x1 = 0.1, x2 = -0.2, v1 = 1.0, v2 = 0.5;

  Model model(Tangents tangents) const {
    Model result;
    const auto mass = [](double m) { return [m](double, const double*, MatrixView M) { M(0, 0) = m; }; };
    const auto none = [](const auto&, const auto*, const auto*, auto* F) { F[0] = 0.0; };
    const BlockId a = result.add_coordinates("a", {"x"}, lagrangian<1>(mass(m1), none), {x1}, {v1});
    result.add_coordinates("between", {"x"}, lagrangian<1>(mass(1.0), none), {7.0}, {0.0});
    const BlockId b = result.add_coordinates("b", {"x"}, lagrangian<1>(mass(m2), none), {x2}, {v2});
    result.add_force("spring", {a, b},
                     force<2>(
                         [k = k](const auto&, const auto* q, const auto*, const double*, auto* Q) {
                           Q[0] = k * (q[1] - q[0]);
                           Q[1] = k * (q[0] - q[1]);
                         },
                         {.tangents = tangents}));
    return result;
  }
  double exact_a(double t) const {
    const double m = m1 + m2, w = std::sqrt(k * m / (m1 * m2));
    const double stretch = (x2 - x1) * std::cos(w * t) + (v2 - v1) / w * std::sin(w * t);
    return (m1 * x1 + m2 * x2) / m + (m1 * v1 + m2 * v2) / m * t - m2 / m * stretch;
  }
};

double error_at(const TwoMasses& pair, Tangents tangents, double h) {
  const System system = compile(pair.model(tangents));
  MoreauJean scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  const int steps = static_cast<int>(std::lround(1.0 / h));
  for (int i = 0; i < steps; ++i) EXPECT_TRUE(scheme.step(x, h).ok());
  EXPECT_EQ(x.q[system.coordinate("between.x")], 7.0);
  return std::abs(x.q[system.coordinate("a.x")] - pair.exact_a(1.0));
}

TEST(MergedBlocks, ASpringBetweenTwoBodiesOscillatesExactly) {
  const TwoMasses pair;
  for (const Tangents tangents : {Tangents::implicit, Tangents::none}) {
    const double coarse = error_at(pair, tangents, 1e-2), fine = error_at(pair, tangents, 5e-3);
    EXPECT_LT(coarse, 2e-3);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);  // second order
  }
}

TEST(MergedBlocks, AnImplicitForceTiesItsBlocksAndNoOthers) {
  const TwoMasses pair;
  const System tied = compile(pair.model(Tangents::implicit)), loose = compile(pair.model(Tangents::none));
  EXPECT_EQ(tied.components().size(), 2u);
  EXPECT_EQ(loose.components().size(), 3u);
  EXPECT_EQ(tied.component_of(tied.velocity("a.x")), tied.component_of(tied.velocity("b.x")));
  EXPECT_NE(tied.component_of(tied.velocity("a.x")), tied.component_of(tied.velocity("between.x")));
  EXPECT_EQ(tied.initial_state().q[tied.coordinate("b.x")], pair.x2);
}

// F is affine in (q, v) and its tangents are exact: one Newton iteration ends at rounding errors.
// One function object may serve forces of different sizes: they are different pools.
TEST(Forces, OneFunctionForOneAndTwoCoordinates) {
  const auto pull = [](const auto&, const auto* q, const auto*, const double*, auto* Q) { Q[0] = -4.0 * q[0]; };
  Model model;
  const BlockId a = model.add_planar_body("a", {.pose = {1.0, 0.0, 0.0}});
  const BlockId b = model.add_planar_body("b", {.pose = {2.0, 0.0, 0.0}});
  model.add_force("one", {Coordinates(a, 0, 1)}, force<1>(pull));
  model.add_force("two", {Coordinates(b, 0, 2)}, force<2>(pull));
  const System system = compile(model);
  const State& x = system.initial_state();
  std::vector<double> F(6), scratch(system.scratch_size());
  system.force({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, F);
  EXPECT_EQ(F, (std::vector<double>{-4.0, 0.0, 0.0, -8.0, 0.0, 0.0}));
}

TEST(LinearBlocks, OneNewtonIterationIsExactBetweenImpacts) {
  for (const examples::Example& example : examples::all()) {
    const System system = compile(example.model());
    if (!system.constant_matrix()) continue;
    MoreauJean scheme(system);
    State x = system.initial_state();
    scheme.start(x);
    for (int k = 0; k < 10; ++k) {
      const StepReport report = scheme.step(x, example.step);
      ASSERT_TRUE(report.ok());
      ASSERT_TRUE(report.active > 0 || report.iterations == 1) << example.name << " took " << report.iterations;
    }
  }
}

// K and C of every example against central differences of its forces.
TEST(Tangents, AreTheDerivativesOfTheForces) {
  for (const examples::Example& example : examples::all()) {
    const System system = compile(example.model());
    const int n = system.nv();
    if (n > 10) continue;  // the bar's tridiagonal stiffness has a test of its own
    std::vector<double> scratch(system.scratch_size()), plus(n), minus(n);
    State x = system.initial_state();
    for (int i = 0; i < n; ++i) {
      x.q[i] += 0.1 * (i + 1);
      x.v[i] += 0.2 * (i + 1);
    }
    const auto at = [&](const State& s) { return Point{s.t, s.q.data(), s.v.data(), s.u.data(), scratch.data()}; };
    const double d = 1e-5;
    for (const auto& [sq, sv] : std::vector<std::pair<double, double>>{{1.0, 0.0}, {0.0, 1.0}}) {
      std::vector<double> A(system.matrix_size(), 0.0);
      system.add_tangent(at(x), sq, sv, A, Part::all);
      for (int j = 0; j < n; ++j) {
        State forward = x, backward = x;
        (sq > 0.0 ? forward.q : forward.v)[j] += d;
        (sq > 0.0 ? backward.q : backward.v)[j] -= d;
        system.force(at(forward), plus);
        system.force(at(backward), minus);
        std::vector<double> unit(n, 0.0), column(n, 0.0);
        unit[j] = 1.0;
        add_times(system.blocks(), A, -1.0, unit, column);
        for (int i = 0; i < n; ++i)
          EXPECT_NEAR(column[i], (plus[i] - minus[i]) / (2.0 * d), 1e-5 * (1.0 + std::abs(column[i])))
              << example.name << " (" << i << ", " << j << ")";
      }
    }
  }
}

// What a leaf gives at once is what it gives apart, bit by bit: else its steps would be others.
TEST(Tangents, ComeWithMassAndForceAlike) {
  const System system = compile(examples::SliderCrank{}.model());
  ASSERT_TRUE(system.linearises());
  const State& x = system.initial_state();
  const auto values = static_cast<std::size_t>(system.tangent_size());
  std::vector<double> scratch(static_cast<std::size_t>(system.scratch_size()));
  for (const double angle : {0.0, 0.7, -2.1, 12.0}) {
    const std::vector<double> q{angle, 0.3 * angle - 1.0, 0.01}, v{150.0, -75.0 + angle, 3.0};
    const Point at{0.0, q.data(), v.data(), x.u.data(), scratch.data()};
    std::vector<double> M(values), F(3), A(values, 0.0), M_apart(values), F_apart(3), A_apart(values, 0.0);
    system.linearise(at, {1e-6, 1e-3}, F, M, A);
    system.dynamics(at, M_apart, F_apart, Part::varying);
    system.add_tangent(at, 1e-6, 1e-3, A_apart, Part::varying);
    EXPECT_EQ(M, M_apart);
    EXPECT_EQ(F, F_apart);
    EXPECT_EQ(A, A_apart);
  }
  EXPECT_FALSE(compile(examples::SliderCrank{}.model(examples::SliderCrank::Equations::from_energies)).linearises());
}

TEST(Manifold, OperationsOfAVectorSpace) {
  const System system = compile(examples::SliderCrank{}.model());
  const int n = system.nv();
  EXPECT_TRUE(rc::check([&] {
    std::vector<double> q0(n), xi(n), q1(n), back(n), middle(n);
    for (int i = 0; i < n; ++i) {
      q0[i] = number();
      xi[i] = number();
    }
    system.retract(q0, xi, q1);
    system.difference(q1, q0, back);
    for (int i = 0; i < n; ++i) RC_ASSERT(std::abs(back[i] - xi[i]) < 1e-14);
    system.interpolate(q0, q1, 0.0, middle);
    RC_ASSERT(middle == q0);
    system.interpolate(q0, q1, 1.0, middle);
    RC_ASSERT(middle == q1);
    system.interpolate(q0, q1, 0.25, middle);
    for (int i = 0; i < n; ++i) RC_ASSERT(std::abs(middle[i] - (q0[i] + 0.25 * xi[i])) < 1e-14);
  }));
}

}  // namespace
}  // namespace esc
