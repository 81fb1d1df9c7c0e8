// The full matrix (44) of bruels: the same motion as the sequential form, in fewer iterations.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <vector>

#include <escapement/schemes/alpha_ggl_monolithic.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/box_on_incline.hpp"
#include "examples/box_stack.hpp"
#include "examples/elastic_bar.hpp"
#include "examples/registry.hpp"
#include "examples/rocking_block.hpp"
#include "src/schemes/parts/alpha_monolithic.hpp"
#include "src/schemes/parts/alpha_options.hpp"
#include "tests/support/alpha_models.hpp"
#include "tests/support/norms.hpp"

namespace esc::testing {
namespace {

using examples::RockingBlock;

template <class Observe>
State run_monolithic(const System& system, const AlphaGglMonolithicOptions& options,
                     std::pair<double, double> step_until, Observe observe) {
  AlphaGglMonolithic scheme(system, options);
  return run_certified(system, scheme, step_until, observe);
}
State run_monolithic(const System& system, const AlphaGglMonolithicOptions& options,
                     std::pair<double, double> step_until) {
  return run_monolithic(system, options, step_until, [](const System&, const State&, const StepReport&) {});
}

const examples::Example& example(std::string_view name) {
  const auto all = examples::all();
  return *std::find_if(all.begin(), all.end(), [&](const examples::Example& e) { return e.name == name; });
}

double apart(const State& a, const State& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.q.size(); ++i) worst = std::max(worst, std::abs(a.q[i] - b.q[i]));
  for (std::size_t i = 0; i < a.v.size(); ++i) worst = std::max(worst, std::abs(a.v[i] - b.v[i]));
  return worst;
}

struct Count {  // of iterations
  int sum = 0, most = 0, steps = 0;
  void add(const StepReport& report) {
    sum += report.iterations;
    most = std::max(most, report.iterations);
    ++steps;
  }
  double mean() const { return static_cast<double>(sum) / steps; }
};

// The largest distance between the monolithic and the sequential form, by the largest entry, and the iterations of the
// former.
struct Both {
  double apart = 0.0;
  Count count;
};
Both run_both(const System& system, std::pair<double, double> step_until) {
  AlphaGgl other(system, {});
  State y = system.initial_state();
  other.start(y);
  Both both;
  double largest = 0.0;
  run_monolithic(system, {}, step_until, [&](const System&, const State& x, const StepReport& report) {
    EXPECT_TRUE(other.step(y, step_until.first).ok());
    both.apart = std::max(both.apart, apart(x, y));
    for (const auto* values : {&x.q, &x.v})
      for (const double value : *values) largest = std::max(largest, std::abs(value));
    both.count.add(report);
  });
  both.apart /= largest;
  return both;
}

// bruels 10.1, and 10.2 to 10.4: B1 to B4 with the numbers of the sequential form.
TEST(BruelsMonolithic, BallIsThatOfTheSequentialForm) {
  const System system =
      compile(examples::BouncingBall{.force = -10.0, .e = 0.8, .height = 0.801, .velocity = 0.0}.model());
  const Both both = run_both(system, {1.8e-3, 5.0});
  EXPECT_LT(both.apart, 2e-15);  // of 4 m/s
  EXPECT_EQ(both.count.most, 1);
}

TEST(BruelsMonolithic, PendulumImpactsAndRests) {
  const System system = compile(RodAgainstWall{}.model());
  std::vector<Blow> blows;
  Count count;
  const State x = run_monolithic(system, {}, {1e-3, 6.0}, [&](const System&, const State&, const StepReport& report) {
    note_blows(report, 7.0, blows);
    count.add(report);
  });
  const std::vector<std::pair<double, double>> expected{{0.487, 11.74022}, {1.282, 9.36909}, {1.950, 7.46280}};
  ASSERT_EQ(blows.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(blows[i].t, expected[i].first, 1e-9);
    EXPECT_NEAR(blows[i].P, expected[i].second, 1e-5 * expected[i].second);
  }
  EXPECT_NEAR(x.q[0], 0.5 * std::numbers::sqrt2, 1e-10);
  EXPECT_NEAR(x.q[1], -0.5 * std::numbers::sqrt2, 1e-10);
  EXPECT_NEAR(x.contacts[0].P[0] / x.h, 10.0, 1e-6);
  EXPECT_NEAR(x.joint_impulse[0] / x.h, -10.0, 1e-6);
  EXPECT_NEAR(x.joint_impulse[1] / x.h, 10.0, 1e-6);
  EXPECT_LE(count.most, 4);
}

TEST(BruelsMonolithic, BarTakesOneIterationAStep) {
  const System system = compile(examples::ElasticBar{
      .young = 900.0, .density = 1.0, .length = 10.0, .section = 1.0, .velocity = 10.0, .gap = 5.005, .elements = 200}
                                    .model());
  std::vector<double> forces;
  double energy = 0.0;
  Count count;
  run_monolithic(system, {}, {2e-3, 1.5}, [&](const System& s, const State& x, const StepReport& report) {
    energy = test::energy(s, x);
    count.add(report);
    if (!x.contacts.empty() && x.contacts[0].P[0] > 0.0) forces.push_back(x.contacts[0].P[0] / x.h);
  });
  const std::array<double, 3> first{215.06297527, 307.99574896, 308.30289762};
  ASSERT_GT(forces.size(), 300U);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(forces[i], first[i], 1e-7 * first[i]);
  EXPECT_NEAR(energy, 497.5441, 1e-5 * 497.5);
  EXPECT_LE(count.most, 2);
  EXPECT_LT(count.mean(), 1.01);
}

// The reference counts 1.15 iterations a step, and three at most.
TEST(BruelsMonolithic, BlockTakesTheIterationsOfThePaper) {
  const System system = compile(RockingBlock{.velocity = {0.0, 0.0, 0.0}}.model());
  const Both both = run_both(system, {1e-2, 2.0});
  EXPECT_LT(both.apart, 1e-10);
  EXPECT_NEAR(both.count.mean(), 1.15, 0.08);
  EXPECT_EQ(both.count.most, 3);
}

// With the printed signs of inactive multipliers this ends at nu_A = -8e13.
TEST(BruelsMonolithic, ACornerIsReleasedInThreeIterations) {
  const double up = 0.03, down = -1.0;  // m/s of corners a, b
  const System system =
      compile(RockingBlock{.pose = {0.0, 0.75, 0.0}, .velocity = {0.0, 0.5 * (up + down), up - down}}.model());
  Count count;
  const State x =
      run_monolithic(system, {}, {1e-2, 1e-2}, [&](const System&, const State&, const StepReport& r) { count.add(r); });
  const ContactRecord* b = find(x, {0, RockingBlock::corner_b});
  ASSERT_TRUE(b);
  EXPECT_NEAR(b->tau, 5.45596e-3, 1e-8);
  EXPECT_NEAR(b->P[0], 0.83119563, 1e-8);
  EXPECT_EQ(count.most, 3);
}

// (37), (38): r says who is tried first, and nothing else.
TEST(BruelsMonolithic, TheSolutionDoesNotDependOnR) {
  const auto check = [](const Model& model, std::pair<double, double> step_until) {
    const System system = compile(model);
    const State reference = run_monolithic(system, {}, step_until);
    for (const double r : {1e-3, 1e-1, 1e1, 1e3})
      EXPECT_LT(apart(run_monolithic(system, {.r = r}, step_until), reference), 1e-9) << r;
  };
  check(RockingBlock{.velocity = {0.0, 0.0, 0.0}}.model(), {1e-2, 1.0});
  check(RodAgainstWall{}.model(), {2e-3, 1.0});
  check(examples::BoxOnIncline{.slope = 0.3, .heading = 0.4, .mu = 0.2}.model(), {1e-2, 0.5});
  check(example("slider-crank-planar").model(), {1e-4, 0.02});
}

// |A|_1 |A^-1|_1 of the matrix of the first iterate of a step.
double condition(const System& system, double h) {
  const AlphaGglMonolithicOptions options;
  Scratch scratch;
  AlphaStep motion(system, alpha_equations(options), TangentForm::exact, scratch);
  AlphaCorrections corrections(system, correction_options(options), motion, {scratch, serial()});
  AlphaMonolithic monolithic(system, motion, corrections, options.r, scratch);
  AlphaGglMonolithic scheme(system, options);
  State x = system.initial_state();
  scheme.start(x);
  EXPECT_TRUE(motion.prepare(x, h, x.histories.back().values));
  motion.begin();
  corrections.begin(x);
  corrections.renew();
  motion.update();
  corrections.evaluate();
  EXPECT_TRUE(monolithic.form());
  KktFactor& kkt = monolithic.matrix();
  const int n = kkt.rows();
  std::vector<double> A(static_cast<std::size_t>(n) * n, 0.0);
  const auto copy = [&](int i, int j, int edge) {
    for (int row = 0; row < kkt.size(i); ++row)
      for (int column = 0; column < kkt.size(j); ++column)
        A[(kkt.offset(i) + row) * n + kkt.offset(j) + column] = kkt.block(i, j, edge)(row, column);
  };
  for (int node = 0; node < kkt.node_count(); ++node) copy(node, node, -1);
  for (int edge = 0; edge < static_cast<int>(kkt.edges().size()); ++edge) {
    copy(kkt.edges()[edge].i, kkt.edges()[edge].j, edge);
    copy(kkt.edges()[edge].j, kkt.edges()[edge].i, edge);
  }
  EXPECT_EQ(kkt.factor(), FactorStatus::regular);
  double norm = 0.0, inverse = 0.0;
  for (int column = 0; column < n; ++column) {
    std::vector<double> e(n, 0.0);
    e[column] = 1.0;
    kkt.factors().solve(e.data());
    double of_A = 0.0, of_inverse = 0.0;
    for (int row = 0; row < n; ++row) {
      of_A += std::abs(A[row * n + column]);
      of_inverse += std::abs(e[row]);
    }
    norm = std::max(norm, of_A);
    inverse = std::max(inverse, of_inverse);
  }
  return norm * inverse;
}

// (46): the scaled matrix has a limit for h -> 0. Unscaled, it grows with 1/h^2.
TEST(BruelsMonolithic, TheConditionNumberHasALimit) {
  RodAgainstWall rod;
  rod.angle = -0.25 * std::numbers::pi;
  rod.wall = std::cos(rod.angle);
  const System system = compile(rod.model());
  const double limit = condition(system, 1e-8);
  EXPECT_LT(limit, 1e4);
  for (const double h : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    const double here = condition(system, h);
    EXPECT_LT(here, 1.5 * limit) << h;
    EXPECT_GT(here, limit / 1.5) << h;
  }
}

TEST(BruelsMonolithic, FrictionSticksWithoutCreepAndSlidesExactly) {
  EXPECT_LT(std::abs(run_monolithic(compile(on_incline(0.8)), {}, {1e-2, 1.0}).q[0]), 1e-14);
  EXPECT_NEAR(run_monolithic(compile(on_incline(0.2)), {}, {1e-2, 1.0}).q[0],
              0.5 * g * (std::sin(0.3) - 0.2 * std::cos(0.3)), 1e-13);
}

// potra 10.2, the numbers of rho_inf = 0.8.
TEST(BruelsMonolithic, FrictionIsOfSecondOrder) {
  constexpr double exact = 3.004348569727;
  const System system = compile(block_on_plane(
      [](const auto& t) {
        using std::cos;
        return 8.0 * cos(t);
      },
      g, 0.8, {3.0, 0.0}));
  constexpr std::array<double, 4> errors{-8.8524e-5, -1.9444e-5, -4.8587e-6, -1.2310e-6};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double h = std::ldexp(1.0, -5 - static_cast<int>(i));
    EXPECT_NEAR(run_monolithic(system, {}, {h, 2.0}).q[0] - exact, errors[i], 1e-3 * std::abs(errors[i]));
  }
}

// Redundant corners, friction in space, joints, a varying mass, loops: the same motion as the sequential form.
TEST(BruelsMonolithic, ExamplesMoveAsInTheSequentialForm) {
  struct Case {
    const char* name;
    double until, allowed;
    int most;  // iterations
  };
  // The stack rests with redundant corners. Chaotic motion would tell round-off apart: the runs are short.
  for (const Case& c :
       {Case{"box-on-incline", 0.5, 1e-10, 4}, Case{"box-stack", 0.1, 1e-10, 16}, Case{"tippe-top", 0.1, 1e-9, 3},
        Case{"gyroscope", 0.1, 1e-9, 3}, Case{"four-bar-space", 0.1, 1e-9, 2},
        Case{"slider-crank-space", 5e-3, 1e-8, 4}, Case{"bead-on-wire", 0.1, 1e-9, 2},
        Case{"andrews-squeezer", 2e-3, 1e-8, 2}, Case{"ring-pendulum", 0.2, 1e-9, 4},
        Case{"flyball-governor", 0.1, 1e-9, 2}, Case{"chain", 0.1, 1e-9, 2}}) {
    const examples::Example& of = example(c.name);
    const Both both = run_both(compile(of.model()), {of.step, c.until});
    EXPECT_LT(both.apart, c.allowed) << c.name;
    EXPECT_LE(both.count.most, c.most) << c.name;
  }
}

// A slider-crank in its minimal coordinates, whose mass changes by a factor with its pose, at long steps: d(M vdot~)/dq
// and its like are in the matrix.
TEST(BruelsMonolithic, MassesThatChangeAreInTheMatrix) {
  Count count;
  run_monolithic(compile(example("slider-crank").model()), {}, {5e-4, 2.5e-3},
                 [&](const System&, const State&, const StepReport& report) { count.add(report); });
  EXPECT_LE(count.most, 2);
}

// Stiff springs, at twenty times the step of the example: the sequential form stalls.
TEST(BruelsMonolithic, LongStepsOfTheStiffGovernor) {
  const System system = compile(example("flyball-governor").model());
  AlphaGgl other(system, {});
  State y = system.initial_state();
  other.start(y);
  bool stalls = false;
  for (int k = 0; k < 10 && !stalls; ++k) stalls = !other.step(y, 0.04).ok();
  EXPECT_TRUE(stalls);
  run_monolithic(system, {}, {0.04, 0.4});
}

// Six hinges in a ring: which multipliers of the redundant rows are of least norm turns with the motion.
TEST(BruelsMonolithic, RedundantJointsHaveTheReactionsOfLeastNorm) {
  for (const char* name : {"bricard", "four-bar-space"}) {
    const examples::Example& linkage = example(name);
    const System system = compile(linkage.model());
    AlphaGgl other(system, {});
    State y = system.initial_state();
    other.start(y);
    double worst = 0.0, largest = 0.0;
    run_monolithic(system, {}, {linkage.step, 150 * linkage.step},
                   [&](const System&, const State& x, const StepReport&) {
                     ASSERT_TRUE(other.step(y, linkage.step).ok());
                     for (std::size_t i = 0; i < x.joint_impulse.size(); ++i) {
                       worst = std::max(worst, std::abs(x.joint_impulse[i] - y.joint_impulse[i]));
                       largest = std::max(largest, std::abs(y.joint_impulse[i]));
                     }
                   });
    EXPECT_LT(worst, 1e-8 * largest) << name;
  }
}

// Balls that fall into a box: sets of contacts come again within a step, and a ConeProblem ends them.
TEST(BruelsMonolithic, ActiveSetsThatCycleAreHandedOver) {
  const examples::Example& pile = example("sphere-pile");
  int handed = 0;
  run_monolithic(
      compile(pile.model()), {}, {pile.step, 0.6 * pile.until},
      [&](const System&, const State&, const StepReport& report) { handed += report.solver_iterations > 0; });
  EXPECT_GT(handed, 0);
}

// Seconds per iteration and element of the bar in flight and contact, Courant number 1.2.
double time_of_bar(int elements, int steps) {
  const System system = compile(examples::ElasticBar{.young = 900.0,
                                                     .density = 1.0,
                                                     .length = 10.0,
                                                     .section = 1.0,
                                                     .velocity = 10.0,
                                                     .gap = 0.1,
                                                     .elements = elements}
                                    .model());
  AlphaGglMonolithic scheme(system, {});
  State x = system.initial_state();
  scheme.start(x);
  const double h = 0.4 / elements;
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(scheme.step(x, h).ok());
  double least = 1e300;
  for (int k = 0; k < steps; ++k) {
    const auto start = std::chrono::steady_clock::now();
    const StepReport report = scheme.step(x, h);
    EXPECT_TRUE(report.ok());
    const double time = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    least = std::min(least, time / report.iterations / elements);
  }
  return least;
}

// Linear: ten times the elements cost ten times as much, but for what a cache no longer holds.
TEST(BruelsMonolithic, AnIterationCostsInProportionToTheElements_slow) {
  const double small = time_of_bar(100, 400), large = time_of_bar(1000, 200);
  ASSERT_LT(large, 2.5 * small);
  EXPECT_LT(time_of_bar(10000, 60), 2.5 * large);
}

}  // namespace
}  // namespace esc::testing
