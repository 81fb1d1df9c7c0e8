// The corners of a tilted box on the floor: twelve rows of six velocities, and the restitution asks of the corners what
// no rigid motion does, so that those that hold must creep against each other.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/interior_point.hpp>
#include <escapement/solvers/nsgs.hpp>

#include "tests/cone_problems.hpp"

namespace esc {
namespace {

// A box of half sizes (0.2, 0.15, 0.1) m and 12 kg turned by `tilt` about a random horizontal axis, at `speed` before a
// step of 1 ms; the angular velocity is that of the body.
ConeProblem corners(test::Random& random, double tilt, double e, double mu) {
  const double half[3] = {0.2, 0.15, 0.1};
  const double mass = 12.0;
  const double heading = random.real(0.0, 6.28);
  const double axis[3] = {std::cos(heading), std::sin(heading), 0.0};
  const auto into_body = [&](const std::array<double, 3>& x) {  // Rodrigues, by -tilt
    const double along = axis[0] * x[0] + axis[1] * x[1];
    const double c = std::cos(tilt), s = -std::sin(tilt);
    const double cross[3] = {axis[1] * x[2], -axis[0] * x[2], axis[0] * x[1] - axis[1] * x[0]};
    std::array<double, 3> y;
    for (int i = 0; i < 3; ++i) y[i] = c * x[i] + s * cross[i] + (1.0 - c) * along * axis[i];
    return y;
  };

  test::Bodies box;
  box.dofs = 6;
  for (int i = 0; i < 3; ++i) box.inverse_mass.push_back(1.0 / mass);
  for (int i = 0; i < 3; ++i) {
    const double a = half[(i + 1) % 3], b = half[(i + 2) % 3];
    box.inverse_mass.push_back(3.0 / (mass * (a * a + b * b)));
  }
  for (int corner = 0; corner < 4; ++corner) {
    const double r[3] = {corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1], -half[2]};
    for (const std::array<double, 3>& n : {std::array{0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}) {
      const std::array<double, 3> m = into_body(n);
      box.G.insert(box.G.end(), n.begin(), n.end());
      box.G.insert(box.G.end(), {r[1] * m[2] - r[2] * m[1], r[2] * m[0] - r[0] * m[2], r[0] * m[1] - r[1] * m[0]});
    }
  }

  std::vector<double> v(6);
  for (double& x : v) x = 0.1 * random.normal();
  v[2] = -random.real(0.1, 0.5);
  const std::vector<double> before = box.velocity(v);
  v[2] -= 9.81e-3;
  std::vector<double> b = box.velocity(v);
  for (int corner = 0; corner < 4; ++corner) b[3 * corner] += e * before[3 * corner];
  ConeProblem problem = test::make_problem({}, box.delassus(), b);
  for (int corner = 0; corner < 4; ++corner) test::add_cone(problem, ConeKind::coulomb3, mu);
  return problem;
}

TEST(InteriorPoint, SolvesTheCornersOfABoxWhereSweepsCreep) {
  test::Random random(4);
  InteriorPoint solver;
  Nsgs sweeps({.max_sweeps = 1000});
  int crept = 0;
  for (int k = 0; k < 200; ++k) {
    const double tilt = random.logarithmic(1e-6, 0.05), e = random.real(0.0, 0.8), mu = random.real(0.1, 0.6);
    ConeProblem problem = corners(random, tilt, e, mu);
    ConeProblem same = problem;
    const SolveReport report = solver.solve(problem);
    ASSERT_EQ(report.status, SolveStatus::solved) << k << ": " << report.residual;
    EXPECT_LE(residual(problem, problem.p), 1e-12) << k;
    // The residual is the product of a slip and of what its friction lacks in direction, so their lesser is its root.
    EXPECT_LE(test::coulomb_violation(problem, problem.p), 1e-6) << k;
    crept += sweeps.solve(same).status != SolveStatus::solved;
  }
  EXPECT_GT(crept, 10);
}

// Only the normal rows, each of the given kind.
ConeProblem normals(const ConeProblem& problem, const std::vector<ConeKind>& kinds) {
  const int n = problem.rows();
  std::vector<double> W, b;
  for (int i = 0; i < n; i += 3) {
    b.push_back(problem.b[i]);
    for (int j = 0; j < n; j += 3) W.push_back(std::get<DenseW>(problem.W).a[i * n + j]);
  }
  ConeProblem result = test::make_problem({}, W, b);
  for (const ConeKind kind : kinds) test::add_cone(result, kind);
  return result;
}

void expect_the_motion_of_enumerate(ConeProblem problem, int k) {
  ConeProblem same = problem;
  Enumerate exact;
  ASSERT_EQ(exact.solve(same).status, SolveStatus::solved) << k;
  InteriorPoint solver;
  ASSERT_EQ(solver.solve(problem).status, SolveStatus::solved) << k;
  for (int i = 0; i < problem.rows(); ++i) EXPECT_NEAR(problem.u[i], same.u[i], 1e-10) << k << ", row " << i;
}

TEST(InteriorPoint, AgreesWithEnumerateOnOtherCones) {
  test::Random random(5);
  for (int k = 0; k < 50; ++k) {
    const ConeProblem box = corners(random, random.logarithmic(1e-6, 0.05), 0.5, 0.3);
    const ConeKind positive = ConeKind::positive;
    expect_the_motion_of_enumerate(normals(box, {positive, positive, positive, positive}), k);
    expect_the_motion_of_enumerate(normals(box, {positive, ConeKind::free, positive, positive}), k);
    const test::ContactOptions planar{.planar = true, .bodies = 2, .contacts = 2, .mu = 0.2};
    ConeProblem plane = test::friction_problem(random, planar, ConeKind::coulomb2);
    plane.cones[1].mu = 0.0;
    expect_the_motion_of_enumerate(plane, k);
  }
}

TEST(InteriorPoint, RefinesTheDirectionOfSlowSlip) {
  test::Random random(6);
  InteriorPoint solver;
  Nsgs loose({.tol = 1e-7, .max_sweeps = 2000, .newton_tries = 0});
  int refined = 0;
  for (int k = 0; k < 100; ++k) {
    ConeProblem problem = corners(random, random.logarithmic(1e-4, 0.05), 0.3, 0.2);
    if (loose.solve(problem).status != SolveStatus::solved) continue;
    const double before = residual(problem, problem.p);
    solver.refine(problem);
    EXPECT_LE(residual(problem, problem.p), before);
    refined += residual(problem, problem.p) < 1e-13;
  }
  EXPECT_GT(refined, 20);
}

TEST(InteriorPoint, RefusesWhatItDoesNotSolve) {
  test::Random random(7);
  const test::ContactOptions options{.planar = false, .bodies = 2, .contacts = 3, .mu = 0.3};
  ConeProblem polyhedral = test::friction_problem(random, options, ConeKind::polyhedral, 6);
  InteriorPoint solver;
  EXPECT_EQ(solver.solve(polyhedral).status, SolveStatus::not_supported);
  ConeProblem round = test::friction_problem(random, options, ConeKind::coulomb3);
  InteriorPoint small({.max_cost = 8.0});
  EXPECT_EQ(small.solve(round).status, SolveStatus::too_large);
  round.b[0] = std::nan("");
  EXPECT_EQ(solver.solve(round).status, SolveStatus::bad_input);
}

}  // namespace
}  // namespace esc
