// The five basic problems of the multibody benchmark library: their scenes count what a hand counts, the reference
// solutions are those of published tables and of themselves, and a run comes to them with the order of its scheme.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/registry.hpp>

#include "examples/benchmark_problems.hpp"
#include "examples/reduced_mechanisms.hpp"
#include "examples/simple_pendulum.hpp"
#include "tests/support/least_norm.hpp"
#include "tests/support/norms.hpp"

namespace esc::testing {
namespace {

using examples::BenchmarkProblem;

const BenchmarkProblem& problem(std::string_view name) {
  const auto all = examples::benchmark_problems();
  return *std::find_if(all.begin(), all.end(), [&](const auto& it) { return it.name == name; });
}

double start_energy(const System& system) { return test::energy(system, system.initial_state()); }

// Velocities, joint rows, and those that depend on others.
void expect_counts(const System& system, int velocities, int rows, int dependent) {
  EXPECT_EQ(system.nv(), velocities);
  EXPECT_EQ(system.joint_rows(), rows);
  ASSERT_EQ(system.components().size(), 1u);
  EXPECT_EQ(system.components()[0].deficiency, dependent);
  EXPECT_EQ(joint_rank(system, system.initial_state()), rows - dependent);
  EXPECT_EQ(system.warnings().empty(), dependent == 0);
}

TEST(BenchmarkProblems, CountRowsAndEnergiesOfTheirStarts) {
  const System pendulum = compile(problem("A01").model());
  expect_counts(pendulum, 3, 1, 0);  // one freedom, and a turn on which nothing acts
  EXPECT_NEAR(start_energy(pendulum), 0.0, 1e-15);

  for (const int loops : {2, 40}) {  // one freedom; cranks m L^2/3, couplers m L^2, all at 1 m/s
    const System bars = compile(examples::NFourBar{.loops = loops}.model());
    expect_counts(bars, 3 * (2 * loops + 1), 2 * (3 * loops + 1), 0);
    const double kinetic = 0.5 * ((loops + 1) / 3.0 + loops), potential = 9.81 * (0.5 * (loops + 1) + loops);
    EXPECT_NEAR(start_energy(bars), kinetic + potential, 1e-12 * potential);
  }

  const System squeezer = compile(problem("A03").model());
  expect_counts(squeezer, 21, 20, 0);
  const double gamma = 0.455279819163070380, x = 0.02 * std::cos(gamma) + 0.018 * std::sin(gamma) - 0.03635 - 0.014,
               y = 0.02 * std::sin(gamma) - 0.018 * std::cos(gamma) + 0.03273 - 0.072;
  EXPECT_NEAR(start_energy(squeezer), 0.5 * 4530.0 * std::pow(std::hypot(x, y) - 0.07785, 2), 1e-12);

  const System ring = compile(problem("A04").model());
  expect_counts(ring, 30, 30, 1);  // rods at heights 0, -1/2, -1, -1, -1/2
  EXPECT_NEAR(start_energy(ring), -3.0 * 9.81, 1e-12);

  const System governor = compile(problem("A05").model());
  expect_counts(governor, 24, 20, 0);
  const double c = 0.05 + 0.5 * std::cos(std::numbers::pi / 6.0), tip = 0.05 + std::cos(std::numbers::pi / 6.0);
  const double shaft = 0.3 * 2e-4 / 12.0, slider = 3.0 * 0.01 / 6.0, rod = 0.3 * (0.25 * 2e-4 + 0.75 * 1.0001) / 12.0;
  const double moment = shaft + slider + 2.0 * (rod + 0.3 * c * c + 5.0 * tip * tip);  // about the shaft
  const double kinetic = 0.5 * moment * std::pow(2.0 * std::numbers::pi, 2);
  EXPECT_NEAR(start_energy(governor), kinetic + 9.81 * (0.3 * 0.5 + 3.0 * 0.5 + 2.0 * (0.3 * 0.75 + 5.0 * 0.5)), 1e-9);
}

// A quarter of the period is K(sin pi/4) sqrt(l/g); energy and length hold; the velocity is the derivative.
TEST(BenchmarkReference, ThePendulumIsThatOfTheEllipticIntegral) {
  const examples::SimplePendulum pendulum;
  const double quarter = std::comp_ellint_1(std::sqrt(0.5)) * std::sqrt(1.0 / 9.81);
  EXPECT_NEAR(pendulum.exact(0.0).x, -1.0, 1e-15);
  EXPECT_NEAR(pendulum.exact(quarter).x, 0.0, 1e-14);
  EXPECT_NEAR(pendulum.exact(quarter).vx, std::sqrt(2.0 * 9.81), 1e-13);
  EXPECT_NEAR(pendulum.exact(2.0 * quarter).x, 1.0, 1e-14);
  EXPECT_NEAR(pendulum.exact(5.0 * quarter).vx, std::sqrt(2.0 * 9.81), 1e-13);
  for (int k = 1; k < 100; ++k) {
    const double t = 0.1 * k, d = 1e-5;
    const auto now = pendulum.exact(t), before = pendulum.exact(t - d), after = pendulum.exact(t + d);
    EXPECT_NEAR(now.x * now.x + now.y * now.y, 1.0, 1e-14);
    EXPECT_NEAR(0.5 * (now.vx * now.vx + now.vy * now.vy) + 9.81 * now.y, 0.0, 1e-13);
    EXPECT_NEAR((after.x - before.x) / (2.0 * d), now.vx, 1e-8);
    EXPECT_NEAR((after.y - before.y) / (2.0 * d), now.vy, 1e-8);
  }
}

// Initial angles and the solution at 0.03 s of the IVP test set (Andrews' squeezer, computed there by PSIDE on a Cray
// C90 with tolerances 1e-14).
TEST(BenchmarkReference, TheSqueezerIsThatOfTheTestSet) {
  const std::vector<double> start{-0.0617138900142764496, 0.0,
                                  0.455279819163070380,   0.222668390165885885,
                                  0.487364979543842550,   -0.222668390165885885,
                                  1.23054744454982119};
  const std::vector<double> end{15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                                0.5244099658805304, 0.5347301163226948, 1.048080741042263};
  const examples::Reference reference = problem("A03").reference();
  const std::vector<double> at_start = reference.at(0.0), at_end = reference.at(0.03);
  const System system = compile(problem("A03").model());
  const std::vector<double> of_scene = problem("A03").observed(system, system.initial_state());
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR(at_start[i], start[i], 1e-13) << i;
    EXPECT_NEAR(of_scene[i], start[i], 1e-13) << i;
    EXPECT_NEAR(at_end[i], end[i], 1e-8) << i;
  }
}

template <class Mechanism>
double change_of_energy(const Mechanism& mechanism, double until, double step) {
  examples::ReducedMotion motion(mechanism);
  const auto total = [&] { return motion.energies().kinetic + motion.energies().potential; };
  const double start = total();
  motion.advance_to(until, step);
  return total() - start;
}

// Runge-Kutta of fourth order loses energy with the fifth power of the step, of which a run has 1 / h.
TEST(BenchmarkReference, ReducedMotionsKeepTheirEnergy) {
  EXPECT_NEAR(change_of_energy(examples::ReducedNFourBar{}, 3.0, 1e-3), 0.0, 1e-8);
  EXPECT_NEAR(change_of_energy(examples::ReducedBricard{}, 5.0, 1e-3), 0.0, 1e-8);
  const double coarse = change_of_energy(examples::ReducedBricard{}, 5.0, 4e-2);
  const double fine = change_of_energy(examples::ReducedBricard{}, 5.0, 2e-2);
  EXPECT_NEAR(std::log2(coarse / fine), 5.0, 1.0);
}

// The figures of the library's own solution: P3 swings between x = 1 and -1 with a period of 5.0 s, and rises to
// z = -1/2, where sin a = 1; the slider's s goes up to 0.743 m, for the first time at 0.51 s.
TEST(BenchmarkReference, AgreesWithTheFiguresOfTheLibrary) {
  const examples::Reference bricard = problem("A04").reference(), governor = problem("A05").reference();
  double least_x = 1.0, least_z = 0.0, back = 0.0;
  for (int k = 0; k <= 550; ++k) {
    const std::vector<double> p = bricard.at(0.01 * k);
    if (p[0] < least_x) back = 0.01 * k;
    least_x = std::min(least_x, p[0]);
    least_z = std::min(least_z, p[2]);
  }
  EXPECT_NEAR(least_x, -1.0, 1e-4);
  EXPECT_NEAR(least_z, -0.5, 1e-4);
  EXPECT_NEAR(back, 2.5, 0.02);
  double highest = 0.0, when = 0.0;
  for (int k = 0; k <= 80; ++k) {
    const double s = governor.at(0.01 * k)[0];
    if (s > highest) when = 0.01 * k;
    highest = std::max(highest, s);
  }
  EXPECT_NEAR(highest, 0.7435, 1e-3);
  EXPECT_NEAR(when, 0.51, 0.011);
}

// The ring closes for angles that follow the one equation, and the sixth joint turns by the second angle too.
TEST(BenchmarkReference, TheRingOfBricardCloses) {
  const examples::ReducedBricard ring;
  for (double a = 0.0; a < 2.0; a += 0.05) {
    const std::array<double, 2> q{a, std::asin(1.0 / (1.0 + std::sin(a)) - 1.0)};
    const auto last = ring.joint(q, 5), fifth = ring.joint(q, 4);
    EXPECT_NEAR(last[0], 0.0, 1e-14);
    EXPECT_NEAR(last[1], 0.0, 1e-14);
    EXPECT_NEAR(last[2], 1.0, 1e-14);
    EXPECT_NEAR(fifth[0], 0.0, 1e-14);  // the last rod turns about the x axis
    EXPECT_NEAR(std::hypot(fifth[1], fifth[2] - 1.0), 1.0, 1e-14);
  }
}

// Against the reference at 20 times.
struct Errors {
  double largest = 0.0;  // of what is observed, m or rad
  double energy = 0.0;   // J, largest that came or went, less the work of the drive
  double kinetic = 0.0;  // J, the largest of the reference
};

struct Chosen {
  const char* scheme;
  std::vector<OptionText> options = {};
};

Errors errors_of(const BenchmarkProblem& it, const Chosen& chosen, double h, double until) {
  const System system = compile(it.model());
  const auto scheme = make_scheme(chosen.scheme, system, chosen.options);
  const examples::Reference reference = it.reference();
  State x = system.initial_state();
  const double start = test::energy(system, x), angle = it.observed(system, x)[0];
  Errors errors;
  for (int k = 1; k <= 20; ++k) {
    const RunReport report = simulate(*scheme, x, {.step = h, .until = until * k / 20.0});
    EXPECT_TRUE(report.ok()) << report.message;
    EXPECT_EQ(report.failed_certificates, 0) << to_string(report.worst_check);
    if (!report.ok()) break;
    const std::vector<double> seen = it.observed(system, x), wanted = reference.at(x.t);
    for (std::size_t i = 0; i < seen.size(); ++i)
      errors.largest = std::max(errors.largest, std::abs(seen[i] - wanted[i]));
    errors.kinetic = std::max(errors.kinetic, reference.kinetic());
    const double given = it.torque * (seen[0] - angle);
    errors.energy = std::max(errors.energy, std::abs(test::energy(system, x) - start - given));
  }
  return errors;
}

struct ShortRun {
  const char* name;
  double h, until;  // s
};
constexpr ShortRun short_runs[]{{"A01", 2e-3, 1.0},  {"A02, N = 2", 2e-3, 0.6}, {"A02, N = 40", 8e-3, 0.4},
                                {"A03", 4e-6, 0.01}, {"A04", 4e-3, 1.0},        {"A05", 4e-3, 0.4}};

// Errors of positions fall with that power of h, those of energies at least with h, and positions are close.
void expect_convergence(const Chosen& chosen, const ShortRun& it, double order) {
  SCOPED_TRACE(chosen.scheme + std::string(" on ") + it.name);
  const Errors coarse = errors_of(problem(it.name), chosen, it.h, it.until),
               fine = errors_of(problem(it.name), chosen, 0.25 * it.h, it.until);
  EXPECT_NEAR(0.5 * std::log2(coarse.largest / fine.largest), order, 0.1);
  EXPECT_LT(fine.largest, order > 1.0 ? 1e-4 : 5e-3);
  if (problem(it.name).conserves) {
    EXPECT_GT(0.5 * std::log2(coarse.energy / fine.energy), 0.9);
  }
}

TEST(BenchmarkRuns, ProjectedSchemesComeToTheReference_slow) {
  for (const ShortRun& it : short_runs) expect_convergence({"combined-projection"}, it, 1.0);
}

TEST(BenchmarkRuns, MoreauJeanComesToTheReference_slow) {
  for (const ShortRun& it : short_runs)
    if (it.name != std::string("A04")) expect_convergence({"moreau-jean"}, it, 1.0);
}

// Second order with joints. Forces are those of the begin of the step: the springs of A05 are too stiff for 4 ms. The
// moments of inertia of A03 are 1e-6 kg m^2, for which the default tolerance of 1e-10 N s is coarse.
TEST(BenchmarkRuns, SchatzmanPaoliComesToTheReferenceAtSecondOrder_slow) {
  for (ShortRun it : short_runs) {
    Chosen chosen{"schatzman-paoli", {{"theta", "0"}, {"frame", "begin"}}};
    if (it.name == std::string("A05")) it.h *= 0.1;
    if (it.name == std::string("A03")) chosen.options.push_back({"tol", "1e-13"});
    expect_convergence(chosen, it, 2.0);
  }
}

// The rows of Bricard's ring agree where its joints are closed. Held at velocity level they drift apart, become
// independent of each other, and nothing can move: the run ends and says so.
TEST(BenchmarkRuns, ARingWithOpenJointsIsLocked) {
  const System system = compile(problem("A04").model());
  const auto scheme = make_scheme("moreau-jean", system);
  State x = system.initial_state();
  const RunReport report = simulate(*scheme, x, {.step = 2e-3, .until = 1.0});
  EXPECT_EQ(report.status, RunStatus::failed);
  EXPECT_NE(report.message.find("stuck at joint"), std::string::npos) << report.message;
  EXPECT_GT(report.max_joint_drift, 1e-9);
  EXPECT_EQ(joint_rank(system, system.initial_state()), 29);
}

// Cranks parallel and couplers level, while every crank goes through the ground line, where the freedom jumps from 1 to
// N + 1: at the singular position reactions are those of least norm and the velocities go on as they are.
void expect_to_stay_parallel(const Chosen& chosen, int loops, double h, double until) {
  const System system = compile(examples::NFourBar{.loops = loops}.model());
  const auto scheme = make_scheme(chosen.scheme, system, chosen.options);
  State x = system.initial_state();
  const auto angle = [&](const std::string& body) { return x.q[system.coordinate(body + ".phi")]; };
  int passages = 0;
  double side = 1.0, askew = 0.0;
  while (x.t < until) {
    ASSERT_TRUE(simulate(*scheme, x, {.step = h, .until = x.t + h, .certify = false}).ok()) << loops << " " << h;
    const double now = std::sin(angle("crank0"));
    if (now * side < 0.0) {
      ++passages;
      side = now;
    }
    for (int i = 1; i <= loops; ++i) {
      const std::string number = std::to_string(i);
      askew =
          std::max({askew, std::abs(angle("crank" + number) - angle("crank0")), std::abs(angle("coupler" + number))});
    }
  }
  EXPECT_GE(passages, 2) << loops << " " << h;
  EXPECT_LT(askew, 1e-6) << loops << " " << h;
}

TEST(BenchmarkRuns, TheNFourBarPassesItsSingularPositions_slow) {
  for (const double h : {1e-2, 3e-3, 1e-3, 3e-4}) expect_to_stay_parallel({"combined-projection"}, 2, h, 4.0);
  for (const double h : {1e-2, 2e-3}) expect_to_stay_parallel({"combined-projection"}, 40, h, 4.0);
}

// What the library asks for, over the whole of a problem: energy to 1e-5 of the largest kinetic energy, or positions.
// Tolerances of a step are loose, as the errors of a step are: near the singular positions of A02 round-off times the
// condition of the rows exceeds the defaults.
struct LongRun {
  const char* name;
  double h, until;  // s
  std::vector<OptionText> options = {};
};

void expect_energy(const LongRun& it) {
  SCOPED_TRACE(it.name);
  const Errors errors = errors_of(problem(it.name), {"alpha-ggl", it.options}, it.h, it.until);
  EXPECT_GT(errors.kinetic, 0.0);
  EXPECT_LE(errors.energy, 1e-5 * errors.kinetic);
}

void expect_positions(const LongRun& it) {
  SCOPED_TRACE(it.name);
  EXPECT_LE(errors_of(problem(it.name), {"alpha-ggl", it.options}, it.h, it.until).largest, 1e-5);
}

const std::vector<OptionText> loose{{"tol_v", "1e-6"}, {"tol_s", "1e-6"}, {"tol_p", "1e-8"}};

TEST(BenchmarkRuns, AlphaGglKeepsTheEnergyTo1e5_slow) {
  expect_energy({"A01", 1e-3, 10.0});
  expect_energy({"A02, N = 2", 9e-4, 10.0, loose});
  expect_energy({"A02, N = 40", 9e-4, 10.0, {{"tol_v", "1e-8"}, {"tol_s", "1e-7"}}});
  expect_energy({"A04", 3e-3, 10.0, loose});
}

TEST(BenchmarkRuns, AlphaGglComesTo1e5OfTheReference_slow) {
  expect_positions({"A03", 2e-6, 0.03, {{"rho_inf", "1"}, {"tol_v", "1e-6"}, {"tol_p", "1e-10"}}});
  expect_positions({"A05", 5e-4, 10.0, loose});
}

// Steps of many lengths end near the singular positions, at many distances: none fails, and the choice is kept.
TEST(BenchmarkRuns, AlphaGglPassesTheSingularPositionsOfTheNFourBar_slow) {
  const std::vector<OptionText> options{{"tol_v", "1e-8"}, {"tol_s", "1e-7"}};
  for (const double h : {1e-2, 3e-3, 2e-3, 1e-3, 7e-4, 5e-4})
    expect_to_stay_parallel({"alpha-ggl", options}, 2, h, 10.0);
  for (const double h : {1e-2, 2e-3, 1e-3}) expect_to_stay_parallel({"alpha-ggl", options}, 40, h, 4.0);
}

}  // namespace
}  // namespace esc::testing
