// The certificate's checks of projected schemes: one number is wrong, and exactly the right check fails. And what a
// projected step that fails says of it.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>
#include <escapement/simulate.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/chain.hpp"
#include "examples/moving_walls.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_crank.hpp"
#include "tests/support/certificates.hpp"

namespace esc {
namespace {

using testing::Names;
using testing::Step;
using testing::verdict;

// The first step that ends with a record of which `wanted` holds, certified as it is.
template <class S, class Wanted>
Step first_step(const System& system, const typename S::Options& options, double h, Wanted wanted) {
  S scheme(system, options);
  State x = system.initial_state();
  scheme.start(x);
  Step step{x, x, scheme.promise()};
  for (int k = 0; k < 10000; ++k) {
    step.before = step.after;
    EXPECT_TRUE(scheme.step(step.after, h).ok());
    bool found = false;
    for (const ContactRecord& record : step.after.contacts) found = found || wanted(record);
    if (found) break;
  }
  EXPECT_EQ(verdict(system, step), Names{});
  return step;
}

bool projected(const ContactRecord& record) { return record.tau > 1e-6; }
bool carried(const ContactRecord& record) { return record.P[0] != 0.0 || record.P[1] != 0.0; }
bool both(const ContactRecord& record) { return projected(record) && carried(record); }

TEST(CorruptedProjection, AMultiplierThatDoesNotBelongToTheMotion) {
  for (const Metric metric : {Metric::identity, Metric::iteration_matrix, Metric::mass}) {
    const System block = compile(examples::RockingBlock{}.model());
    Step step = first_step<CombinedProjection>(block, {.metric = metric}, 1e-2, both);
    for (ContactRecord& record : step.after.contacts) record.tau *= 1.01;
    EXPECT_EQ(verdict(block, step), Names{"kinematics"});
  }
}

TEST(CorruptedProjection, AMultiplierOfAJointThatDoesNotBelongToTheMotion) {
  for (const Metric metric : {Metric::identity, Metric::iteration_matrix, Metric::mass}) {
    const System chain = compile(examples::Chain{.links = 3}.model());
    CombinedProjection scheme(chain, {.metric = metric});
    State x = chain.initial_state();
    scheme.start(x);
    Step step{x, x, scheme.promise()};
    ASSERT_TRUE(scheme.step(step.after, 5e-3).ok());
    ASSERT_EQ(verdict(chain, step), Names{});
    for (double& tau : step.after.joint_tau) tau *= 1.01;
    EXPECT_EQ(verdict(chain, step), Names{"kinematics"});
  }
}

// A ball held in the air by an impulse and a multiplier: the gap of a contact with P > 0 must be zero.
TEST(CorruptedProjection, AContactThatCarriesAnImpulseIsNotClosed) {
  const System ball = compile(examples::BouncingBall{}.model());
  Step step = first_step<CombinedProjection>(ball, {}, 7e-3, both);
  const double more = 1e-7;
  step.after.q[0] += more;
  step.after.contacts[0].tau += more;
  EXPECT_EQ(verdict(ball, step), Names{"projection"});
}

// The same the other way: the multiplier is a little too small, and the ball is in the floor.
TEST(CorruptedProjection, APenetrationThatWasNotProjected) {
  const System ball = compile(examples::BouncingBall{}.model());
  Step step = first_step<CombinedProjection>(ball, {}, 7e-3, both);
  const double less = 1e-5;
  step.after.q[0] -= less;
  step.after.contacts[0].tau -= less;
  EXPECT_EQ(verdict(ball, step), (Names{"penetration", "projection"}));
}

// Algorithm 1 may push, not pull: tau < 0 with the motion that it gives.
TEST(CorruptedProjection, ANegativeMultiplierOfTheDirectScheme) {
  const System ball = compile(examples::BouncingBall{}.model());
  Step step = first_step<DirectProjected>(ball, {}, 7e-3, projected);
  const double shift = 2.0 * step.after.contacts[0].tau;
  step.after.contacts[0].tau -= shift;
  step.before.q[0] += shift;  // so that the same end is reached from higher up
  const Names names = verdict(ball, step);
  EXPECT_TRUE(names.contains("projection"));
  EXPECT_FALSE(names.contains("kinematics"));
}

TEST(CorruptedProjection, ARecordThatIsMissing) {
  const System ball = compile(examples::BouncingBall{}.model());
  Step step = first_step<CombinedProjection>(ball, {}, 7e-3, both);
  step.after.contacts.clear();
  const Names names = verdict(ball, step);
  EXPECT_TRUE(names.contains("momentum"));
  EXPECT_TRUE(names.contains("kinematics"));
}

// What an unprojected step would have to answer for: the certificate of the combined scheme refuses Moreau-Jean's
// position.
TEST(CorruptedProjection, APositionWithoutItsCorrection) {
  const System block = compile(examples::RockingBlock{}.model());
  Step step = first_step<CombinedProjection>(block, {}, 1e-2, both);
  for (std::size_t i = 0; i < step.after.q.size(); ++i)
    step.after.q[i] = step.before.q[i] + 0.5 * step.after.h * (step.before.v[i] + step.after.v[i]);
  const Names names = verdict(block, step);
  EXPECT_TRUE(names.contains("penetration"));
  EXPECT_TRUE(names.contains("kinematics"));
}

// Which loop did not converge, and how far it got.
TEST(ProjectedFailure, SaysThatThePositionsDidNotConverge) {
  const System system = compile(examples::Chain{.links = 3}.model());
  CombinedProjection scheme(system, {.gap_tol = 1e-300, .newton_max = 5});
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = 2e-3, .until = 0.1});
  EXPECT_EQ(report.last.status, StepStatus::projection_stalled);
  EXPECT_GT(report.last.gap_residual, 0.0);
  EXPECT_LE(report.last.residual, 1e-10);
  EXPECT_NE(report.message.find("projection_stalled"), std::string::npos) << report.message;
  EXPECT_NE(report.message.find("positions off by"), std::string::npos) << report.message;
}

TEST(ProjectedFailure, SaysThatTheMomentumDidNotConverge) {
  const System system = compile(examples::SliderCrank{}.model());
  CombinedProjection scheme(system, {.newton_max = 1});
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = 1e-3, .until = 0.1});
  EXPECT_EQ(report.last.status, StepStatus::newton_stalled);
  EXPECT_GT(report.last.residual, 1e-10);
}

// The walls have met in the middle of the ball: no velocity and no position can be right.
TEST(ProjectedFailure, WallsThatContradictEachOther) {
  const System system = compile(examples::MovingWalls{.velocity = 0.0}.model());
  CombinedProjection combined(system, {});
  DirectProjected direct(system, {});
  for (Scheme* scheme : {static_cast<Scheme*>(&combined), static_cast<Scheme*>(&direct)}) {
    State x = system.initial_state();
    scheme->start(x);
    x.t = 1.0;
    const auto before = hash(x);
    const StepReport report = scheme->step(x, 1e-3);
    EXPECT_TRUE(report.status == StepStatus::solver_failed || report.status == StepStatus::projection_stalled)
        << to_string(report.status);
    EXPECT_EQ(hash(x), before);
  }
}

}  // namespace
}  // namespace esc
