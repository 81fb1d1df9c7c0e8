// papers/acary: the predicates on statements of the text fail with the wrong scheme, solver or model.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "papers/acary/bar.hpp"
#include "papers/acary/consistency.hpp"
#include "papers/acary/crank.hpp"
#include "papers/acary/efficiency.hpp"
#include "papers/acary/feet.hpp"
#include "papers/acary/forecast.hpp"
#include "papers/acary/proximal.hpp"

namespace esc::papers {
namespace {

using namespace acary;

const SchemeChoice one_step{"moreau-jean"}, projected{"direct-projected"}, active{"combined-projection"},
    two_step{"schatzman-paoli"};

// Section 3.3: the variational inequality (x - y)^T M (z - x) >= 0 of the projection, for random z of the set.
TEST(AcaryStatements, ProxIsTheProjectionInTheMetricOfTheMass) {
  std::mt19937 random(5);
  std::normal_distribution<double> number;
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 1 + trial % 5;
    std::vector<double> A(n * n), M(n * n, 0.0), y(n);
    std::vector<bool> bounded(n);
    for (double& a : A) a = number(random);
    for (int i = 0; i < n; ++i) {
      y[i] = number(random);
      bounded[i] = number(random) > -0.5;
      M[i * n + i] = 0.1;
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) M[i * n + j] += A[i * n + k] * A[j * n + k];
    }
    const std::vector<double> x = prox(M, y, bounded);
    for (int i = 0; i < n; ++i) EXPECT_TRUE(!bounded[i] || x[i] >= 0.0);
    for (int sample = 0; sample < 20; ++sample) {
      double inner = 0.0;
      for (int j = 0; j < n; ++j) {
        double z = 3.0 * number(random);
        if (bounded[j]) z = std::abs(z);
        for (int i = 0; i < n; ++i) inner += (x[i] - y[i]) * M[i * n + j] * (z - x[j]);
      }
      EXPECT_GE(inner, -1e-10);
    }
  }
}

TEST(AcaryStatements, EachSchemeProjectsItsOwnVariable) {
  const Projections velocity = projections(one_step, 0.5), position = projections(two_step, 0.5);
  EXPECT_TRUE(is_prox_of_velocities(velocity).holds);
  EXPECT_FALSE(is_prox_of_positions(velocity).holds);
  EXPECT_FALSE(breaks_impact_law(velocity).holds);
  EXPECT_TRUE(is_prox_of_positions(position).holds);
  EXPECT_FALSE(is_prox_of_velocities(position).holds);
  EXPECT_FALSE(keeps_impact_law(position).holds);
  EXPECT_FALSE(is_prox_of_velocities(projections({"moreau-jean", {{"gamma", "1"}}}, 0.5)).holds);
  EXPECT_FALSE(is_prox_of_velocities(projections({"moreau-jean", {{"theta", "1"}}}, 0.5)).holds);
  EXPECT_FALSE(law_holds_after_several_steps(rebound(one_step), 0.5).holds);  // at once
  EXPECT_FALSE(law_holds_after_several_steps(rebound(two_step), 0.6).holds);
}

TEST(AcaryStatements, OnlyAPlasticContactHasNoRebound) {
  const BarCase plastic{.elements = 100}, elastic{.elements = 100, .e = 0.95};
  EXPECT_TRUE(has_no_rebound(bar_run(two_step, plastic), plastic).holds);
  EXPECT_FALSE(has_no_rebound(bar_run(two_step, elastic), elastic).holds);
  EXPECT_FALSE(has_no_rebound(bar_run(one_step, elastic), elastic).holds);
  EXPECT_FALSE(has_no_rebound(bar_run({"position-theta"}, plastic), plastic).holds);
  EXPECT_TRUE(stays_at_the_stop(two_step).holds);
  EXPECT_FALSE(stays_at_the_stop(one_step).holds);  // it rests below
}

// Proposition 2. Before the impact the order is three, which is another order than one; the combined scheme takes the
// impact in its step.
TEST(AcaryStatements, LocalErrorsAreThoseOfAnImpact) {
  const LocalErrors free = local_errors(projected, Impact::oscillator, 1);
  EXPECT_FALSE(position_error_is_of_first_order(free).holds);
  EXPECT_FALSE(velocity_error_stays(free).holds);
  EXPECT_FALSE(velocity_error_stays(local_errors(active, Impact::ball)).holds);
  LocalErrors wrong = local_errors(projected, Impact::ball);
  EXPECT_TRUE(velocity_error_is_bounded(wrong).holds);
  wrong.v.back() *= 1.1;
  EXPECT_FALSE(velocity_error_is_bounded(wrong).holds);
}

// Section 4.4.
TEST(AcaryStatements, OnlyALookAheadActsAtOpenGaps) {
  const Reactions now = reactions(one_step), ahead = reactions({"moreau-jean", {{"gamma", "2"}}});
  EXPECT_FALSE(acts_at_open_gaps(now, 1.0).holds);
  EXPECT_FALSE(acts_at_open_gaps(reactions(active), 1.0).holds);
  EXPECT_FALSE(acts_at_open_gaps(ahead, 1.0).holds);  // farther than one step ahead allows
  EXPECT_FALSE(never_acts_at_open_gaps(ahead).holds);
  EXPECT_FALSE(penetrates_in_proportion(ahead).holds);
  EXPECT_FALSE(penetrates_in_proportion(reactions(active)).holds);
}

// Section 5.2.
TEST(AcaryStatements, ThreeEqualFeetCanAllStand) {
  const Feet equal{.shorter = 0.0};
  EXPECT_FALSE(all_is_infeasible(land(active, equal), equal).holds);
  EXPECT_FALSE(pushed_is_feasible(land(one_step, Feet{})).holds);  // penetrates
  Feet flat = flat_landing();
  EXPECT_FALSE(pushed_is_feasible(land(active, flat)).holds);
  EXPECT_TRUE(only_direct_lands(land(active, flat), land(projected, flat)).holds);
  flat.shorter = 0.0;
  EXPECT_TRUE(pushed_is_feasible(land(active, flat)).holds);
  EXPECT_FALSE(only_direct_lands(land(active, flat), land(projected, flat)).holds);
}

// Section 6.4.1: an exact solver keeps the symmetry whatever the tolerance.
TEST(AcaryStatements, SymmetryIsLostByTheIterativeSolverAlone) {
  const Grid grid{.step = 1e-4, .until = 0.2, .certify = false};
  const auto solved = [&](const char* solver, const char* tolerance) {
    return crank_run({"moreau-jean", {{"solver", solver}, {"solver_tol", tolerance}}}, grid);
  };
  const auto tight = solved("nsgs", "1e-12");
  EXPECT_TRUE(loses_symmetry(solved("nsgs", "1e-3"), tight).holds);
  EXPECT_FALSE(loses_symmetry(solved("enumerate", "1e-3"), tight).holds);
  EXPECT_FALSE(loses_symmetry(tight, tight).holds);
}

// Section 4.3.1 and the text on Table 3.
TEST(AcaryStatements, CountsOfDifferentSchemesDiffer) {
  const Efficiency direct = efficiency(projected, 1e-4), combined = efficiency(active, 1e-4);
  EXPECT_FALSE(changes_slightly(direct, combined).holds);
  EXPECT_FALSE(projects_less(combined, direct).holds);
  EXPECT_TRUE(projects_less(direct, combined).holds);
  EXPECT_FALSE(projection_improves_newton(direct, combined).holds);
  EXPECT_TRUE(projection_improves_newton(combined, direct).holds);
}

}  // namespace
}  // namespace esc::papers
