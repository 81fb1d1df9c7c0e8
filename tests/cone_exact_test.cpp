// Problems whose solutions are known by hand, for every solver that knows their cones.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/lemke.hpp>
#include <escapement/solvers/nsgs.hpp>

#include "tests/cone_problems.hpp"

namespace esc {
namespace {

using test::make_problem;

class EverySolver : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string name = GetParam();
    if (name == "enumerate") solver_ = std::make_unique<Enumerate>();
    if (name == "lemke") solver_ = std::make_unique<Lemke>();
    if (name == "nsgs") solver_ = std::make_unique<Nsgs>();
    ASSERT_EQ(solver_->name(), name);
  }

  void expect(ConeProblem problem, const std::vector<double>& p, const std::vector<double>& u) {
    const SolveReport report = solver_->solve(problem);
    ASSERT_EQ(report.status, SolveStatus::solved) << to_string(report.status) << " " << report.residual;
    EXPECT_EQ(report.residual, residual(problem, problem.p));
    for (int i = 0; i < problem.rows(); ++i) {
      EXPECT_NEAR(problem.p[i], p[i], 1e-12) << "p of row " << i;
      EXPECT_NEAR(problem.u[i], u[i], 1e-12) << "u of row " << i;
    }
  }

  std::unique_ptr<Solver> solver_;
};
INSTANTIATE_TEST_SUITE_P(Cone, EverySolver, testing::Values("enumerate", "lemke", "nsgs"));

TEST_P(EverySolver, BallOnAPlane) {
  expect(make_problem({{ConeKind::positive, 0}}, {0.5}, {-3.0}), {6.0}, {0.0});
  expect(make_problem({{ConeKind::positive, 0}}, {0.5}, {3.0}), {0.0}, {3.0});
  expect(make_problem({{ConeKind::free, 0}}, {0.5}, {3.0}), {-6.0}, {0.0});
}

// A block of mass 2 without rotation: W = 1/2, mu = 0.3; b = (-g h, u_T).
TEST_P(EverySolver, BlockOnAPlane) {
  const std::vector<double> W = {0.5, 0.0, 0.0, 0.5};
  const ConeBlock cone{ConeKind::coulomb2, 0, 0.3};
  expect(make_problem({cone}, W, {-1.0, 0.2}), {2.0, -0.4}, {0.0, 0.0});   // stick: 0.2 < mu
  expect(make_problem({cone}, W, {-1.0, 1.0}), {2.0, -0.6}, {0.0, 0.7});   // slip forward
  expect(make_problem({cone}, W, {-1.0, -1.0}), {2.0, 0.6}, {0.0, -0.7});  // slip backward
  expect(make_problem({cone}, W, {1.0, -1.0}), {0.0, 0.0}, {1.0, -1.0});   // open
  expect(make_problem({{ConeKind::coulomb2, 0, 0.0}}, W, {-1.0, 1.0}), {2.0, 0.0}, {0.0, 1.0});
}

// Two masses pressed together between a joint (free row) and a stop: u1 = p1 + b1 = 0 first, the chain then moves as
// one.
TEST_P(EverySolver, JointAndStop) {
  // v = (v1, v2), unit masses; joint v1 - v2 = 0, stop v2 >= 0; free velocities (-1, -3).
  // Together they hit the stop: v = 0, so the joint's impulse is p1 = 1 (on v1) and the stop's is 4.
  expect(make_problem({{ConeKind::free, 0}, {ConeKind::positive, 1}}, {2.0, -1.0, -1.0, 1.0}, {2.0, -3.0}), {1.0, 4.0},
         {0.0, 0.0});
}

// A sliding rod with W_NN - mu W_NT < 0 (Painleve): slip cannot hold it, an impulse that stops the slip can.
TEST_P(EverySolver, PainleveRodJams) {
  const double mu = 1.0;
  const std::vector<double> W = {1.0, 2.0, 2.0, 5.0};  // W_NN - mu W_NT = -1 while the rod slides forward
  const std::vector<double> b = {-0.1, 1.0};
  // Stick: p = -W^-1 b = (5 * 0.1 + 2, -0.2 - 1) = (2.5, -1.2), inside the cone.
  expect(make_problem({{ConeKind::coulomb2, 0, mu}}, W, b), {2.5, -1.2}, {0.0, 0.0});
}

// Four corners of a slider in a guide: rows y +- a theta below and their negatives above, rank 2 of 4.
TEST_P(EverySolver, SliderOnTwoCorners) {
  const double a = 0.5, inertia = 0.1;
  test::Bodies slider{2, {1, a, 1, -a, -1, -a, -1, a}, {1.0, 1.0 / inertia}};
  ConeProblem problem = make_problem({}, slider.delassus(), slider.velocity({-1.0, 0.0}));
  for (int c = 0; c < 4; ++c) test::add_cone(problem, ConeKind::positive);
  expect(problem, {0.5, 0.5, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0});
  problem.b = slider.velocity({0.0, 1.0});  // rotation: two opposite corners; the velocity after is zero
  const SolveReport report = solver_->solve(problem);
  EXPECT_EQ(report.status, SolveStatus::solved);
  for (const double u : problem.u) EXPECT_NEAR(u, 0.0, 1e-12);
}

// The same with friction, 3 dofs under 8 rows; a slider moving along the guide and pressed down slows by mu times that.
TEST_P(EverySolver, SliderWithFriction) {
  const double a = 0.5, mu = 0.2;
  // dofs (x, y, theta); corner k: normal row (0, s, s k a), tangential row (1, 0, 0) with the corners at the axis
  // height.
  test::Bodies slider{3, {}, {1.0, 1.0, 10.0}};
  for (const double s : {1.0, -1.0}) {
    for (const double k : {1.0, -1.0}) slider.G.insert(slider.G.end(), {0, s, s * k * a, 1, 0, 0});
  }
  ConeProblem problem = make_problem({}, slider.delassus(), slider.velocity({2.0, -1.0, 0.0}));
  for (int c = 0; c < 4; ++c) test::add_cone(problem, ConeKind::coulomb2, mu);
  ASSERT_EQ(solver_->solve(problem).status, SolveStatus::solved);
  for (int c = 0; c < 4; ++c) {
    EXPECT_NEAR(problem.u[2 * c], 0.0, 1e-12);
    EXPECT_NEAR(problem.u[2 * c + 1], 2.0 - mu * 1.0, 1e-12);
  }
  problem.b = slider.velocity({0.1, -1.0, 0.0});  // slow enough to stick
  ASSERT_EQ(solver_->solve(problem).status, SolveStatus::solved);
  for (const double u : problem.u) EXPECT_NEAR(u, 0.0, 1e-12);
}

TEST_P(EverySolver, NoInertiaToAnswer) {
  const std::vector<ConeBlock> cones = {{ConeKind::positive, 0}, {ConeKind::positive, 1}};
  const std::vector<double> W = {0.0, 0.0, 0.0, 1.0};
  expect(make_problem(cones, W, {1.0, -1.0}), {0.0, 1.0}, {1.0, 0.0});
  ConeProblem problem = make_problem(cones, W, {-1.0, -1.0});
  problem.p = {0.25, 0.5};
  const SolveReport report = solver_->solve(problem);
  EXPECT_EQ(report.status, solver_->name() == "lemke" ? SolveStatus::ray : SolveStatus::no_solution);
  EXPECT_EQ(problem.p, (std::vector{0.25, 0.5}));
}

// Two joint rows that say the same, and a stop: every choice is singular, and the guess (open) is not the solution.
TEST_P(EverySolver, RedundantJoints) {
  ConeProblem problem = make_problem({{ConeKind::free, 0}, {ConeKind::free, 1}, {ConeKind::positive, 2}},
                                     {1, 1, 0, 1, 1, 0, 0, 0, 1}, {1.0, 1.0, -1.0});
  ASSERT_EQ(solver_->solve(problem).status, SolveStatus::solved);
  EXPECT_NEAR(problem.p[0] + problem.p[1], -1.0, 1e-12);
  EXPECT_NEAR(problem.p[2], 1.0, 1e-12);
  if (solver_->name() != "nsgs") {
    EXPECT_NEAR(problem.p[0], problem.p[1], 1e-12);  // least norm
  }
}

TEST_P(EverySolver, EmptyProblem) {
  ConeProblem problem;
  EXPECT_EQ(solver_->solve(problem).status, SolveStatus::solved);
}

// Two solutions; the guess decides: W_NN - mu W_NT < 0 and b_N > 0.
TEST(Enumerate, GuessDecidesBetweenSolutions) {
  const std::vector<double> W = {1.0, 2.0, 2.0, 5.0};
  ConeProblem problem = make_problem({{ConeKind::coulomb2, 0, 1.0}}, W, {0.1, 4.0});
  Enumerate enumerate;
  ASSERT_EQ(enumerate.solve(problem).status, SolveStatus::solved);
  EXPECT_EQ(problem.p[0], 0.0);
  problem.p = {1.0, -1.0};  // slip forward: p_N = 0.1, u_T = 4 - 3 * 0.1 > 0
  ASSERT_EQ(enumerate.solve(problem).status, SolveStatus::solved);
  EXPECT_NEAR(problem.p[0], 0.1, 1e-15);
  EXPECT_NEAR(problem.u[1], 3.7, 1e-15);

  // The same contact twice, uncoupled, through the general path.
  ConeProblem pair = make_problem({{ConeKind::coulomb2, 0, 1.0}, {ConeKind::coulomb2, 2, 1.0}},
                                  {1, 2, 0, 0, 2, 5, 0, 0, 0, 0, 1, 2, 0, 0, 2, 5}, {0.1, 4.0, 0.1, 4.0});
  pair.p = {0.0, 0.0, 1.0, -1.0};
  const SolveReport report = enumerate.solve(pair);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(pair.p[0], 0.0);
  EXPECT_NEAR(pair.p[2], 0.1, 1e-15);
}

// Two corners of a block that land while sliding: the guess says open, a sweep from it says slip at both.
TEST(Enumerate, AsksASweepBeforeItCounts) {
  const std::vector<double> W{2.0, 0.1, 0.5, 0.0,  //
                              0.1, 1.0, 0.0, 0.2,  //
                              0.5, 0.0, 2.0, 0.1,  //
                              0.0, 0.2, 0.1, 1.0};
  ConeProblem problem = test::make_problem({{ConeKind::coulomb2, 0, 0.1, 0, 0}, {ConeKind::coulomb2, 2, 0.1, 0, 0}}, W,
                                           {-1.0, 3.0, -2.0, 3.0});
  const SolveReport report = Enumerate().solve(problem);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(report.iterations, 2);
  for (const int first : {0, 2}) EXPECT_NEAR(problem.p[first + 1], -0.1 * problem.p[first], 1e-15);
}

TEST(Enumerate, RefusesWhatIsTooLargeOrUnknown) {
  ConeProblem problem;
  for (int c = 0; c < 7; ++c) test::add_cone(problem, ConeKind::coulomb2, 0.5);
  problem.b.assign(14, -1.0);
  problem.p.assign(14, 0.125);
  problem.W = DenseW{std::vector<double>(14 * 14, 0.0)};
  Enumerate enumerate;
  EXPECT_EQ(enumerate.solve(problem).status, SolveStatus::too_large);
  EXPECT_EQ(problem.p[3], 0.125);
  ConeProblem spatial = make_problem({{ConeKind::coulomb3, 0, 0.5}}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, 0, 0});
  EXPECT_EQ(enumerate.solve(spatial).status, SolveStatus::not_supported);
  Lemke lemke;
  EXPECT_EQ(lemke.solve(spatial).status, SolveStatus::not_supported);
}

// A block on a plane in space: sticks inside the cone, slips against u_T outside, for the round cone.
TEST(Nsgs, SpatialBlock) {
  const std::vector<double> W = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
  const ConeBlock cone{ConeKind::coulomb3, 0, 0.5};
  Nsgs nsgs;
  ConeProblem slip = make_problem({cone}, W, {-1.0, 3.0, 4.0});
  ASSERT_EQ(nsgs.solve(slip).status, SolveStatus::solved);
  EXPECT_NEAR(slip.p[0], 2.0, 1e-14);
  EXPECT_NEAR(slip.p[1], -0.6, 1e-14);  // mu p_N = 1 against (3, 4) / 5
  EXPECT_NEAR(slip.p[2], -0.8, 1e-14);
  ConeProblem stick = make_problem({cone}, W, {-1.0, 0.3, 0.3});
  ASSERT_EQ(nsgs.solve(stick).status, SolveStatus::solved);
  EXPECT_NEAR(stick.p[1], -0.6, 1e-14);
  EXPECT_NEAR(stick.u[1], 0.0, 1e-14);
  ConeProblem open = make_problem({cone}, W, {0.5, 3.0, 4.0});
  ASSERT_EQ(nsgs.solve(open).status, SolveStatus::solved);
  EXPECT_EQ(open.p, (std::vector{0.0, 0.0, 0.0}));
}

// Four directions: slip towards (3, 4) is answered by the single direction -e_2, the one with the largest -d . u_T.
TEST(PolyhedralCone, SlipPicksTheVertexOfLargestDissipation) {
  ConeProblem problem =
      make_problem({{ConeKind::polyhedral, 0, 0.5, 0, 4}}, {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, {-1.0, 3.0, 4.0});
  problem.directions = {1, 0, 0, 1, -1, 0, 0, -1};
  ConeProblem same = problem;
  Nsgs nsgs;
  Lemke lemke;
  ASSERT_EQ(nsgs.solve(problem).status, SolveStatus::solved);
  ASSERT_EQ(lemke.solve(same).status, SolveStatus::solved);
  const double p[3] = {2.0, 0.0, -1.0};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(problem.p[i], p[i], 1e-14);
    EXPECT_NEAR(same.p[i], p[i], 1e-14);
  }
}

}  // namespace
}  // namespace esc
