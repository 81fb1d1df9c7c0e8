// The certificate of the two-step formula: for every check one number is wrong, and exactly that check fails. Where a
// wrong number breaks two laws, the test says which.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/schemes/schatzman_paoli.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/heavy_top.hpp"
#include "examples/rocking_block.hpp"
#include "tests/support/certificates.hpp"

namespace esc {
namespace {

using namespace examples;
using testing::failed;
using testing::last_step;
using testing::Names;
using testing::Step;
using testing::verdict;
using testing::WrongFloor;

// A ball on the floor, pressed down: steps with an impulse.
const BouncingBall resting{.e = 0.5, .height = 0.0, .velocity = 0.0};

TEST(TwoStepCertificate, HoldsFromTheFirstStepOn) {
  const System system = compile(resting.model());
  for (const int steps : {1, 2, 3}) {
    const Step step = last_step<SchatzmanPaoli>(system, steps, 1e-2);
    ASSERT_EQ(step.after.contacts.size(), 1U);
    EXPECT_GT(step.after.contacts[0].P[0], 0.0);
  }
}

TEST(TwoStepCertificate, AnImpulseThatIsTooLarge) {
  const System system = compile(resting.model());
  Step step = last_step<SchatzmanPaoli>(system, 3, 1e-2);
  step.after.contacts[0].P[0] += 1e-8;
  EXPECT_EQ(verdict(system, step), Names{"momentum"});
}

// The impulse of the other sign balances a ball that hangs on the floor.
TEST(TwoStepCertificate, AnImpulseThatPulls) {
  const System system = compile(BouncingBall{.force = 2.0, .e = 0.0, .height = 1e-13, .velocity = 0.0}.model());
  Step step = last_step<SchatzmanPaoli>(system, 1, 1e-2);
  step.after.q = step.before.q;
  step.after.histories[0].values[0] = 0.0;
  step.after.contacts = {{.key = {0, 0}, .P = {-1e-2, 0.0, 0.0}, .mode = ContactMode::sliding}};
  EXPECT_EQ(verdict(system, step), Names{"friction_law"});
}

TEST(TwoStepCertificate, AContactThatWasMissed) {
  const System system = compile(BouncingBall{.e = 0.5, .height = 1e-3, .velocity = -1.0}.model());
  const Step step = last_step<SchatzmanPaoli>(system, 1, 1e-2);
  Step missed = step;  // flies on: the momentum balance without the impulse
  missed.after.contacts.clear();
  missed.after.histories[0].values[0] = -1.0 - 0.5 * 1e-2 * 2.0;
  missed.after.q[0] = 1e-3 + 1e-2 * missed.after.histories[0].values[0];
  EXPECT_EQ(verdict(system, missed), Names{"impact_law"});
}

TEST(TwoStepCertificate, ABounceThatIsTooFast) {
  const System system = compile(BouncingBall{.e = 0.5, .height = 1e-3, .velocity = -1.0}.model());
  Step step = last_step<SchatzmanPaoli>(system, 1, 1e-2);
  step.after.histories[0].values[0] += 1e-6;
  step.after.q[0] += 1e-2 * 1e-6;
  step.after.contacts[0].P[0] += 1e-6;
  EXPECT_EQ(verdict(system, step), Names{"impact_law"});
}

TEST(TwoStepCertificate, AnImpulseWhereNothingTouches) {
  const System system = compile(BouncingBall{.count = 2}.model());
  Step step = last_step<SchatzmanPaoli>(system, 3, 1e-3);
  step.after.contacts = {{.key = {1, 0}, .P = {1e-3, 0.0, 0.0}, .mode = ContactMode::sliding}};
  EXPECT_EQ(verdict(system, step), (Names{"impact_law", "momentum"}));  // found at a distance
  step.after.contacts = {{.key = {7, 0}, .P = {1e-3, 0.0, 0.0}, .mode = ContactMode::sliding}};
  EXPECT_EQ(verdict(system, step), Names{"inactive"});  // there is no such contact
}

TEST(TwoStepCertificate, PositionsVelocitiesAndTimesThatDoNotBelongTogether) {
  const System system = compile(BouncingBall{}.model());
  const Step step = last_step<SchatzmanPaoli>(system, 3, 1e-2);
  const auto with = [&](auto change) {
    Step wrong = step;
    change(wrong.after);
    return verdict(system, wrong);
  };
  EXPECT_EQ(with([](State& x) { x.q[0] += 1e-9; }), Names{"kinematics"});
  EXPECT_EQ(with([](State& x) { x.v[0] += 1e-7; }), Names{"kinematics"});
  EXPECT_EQ(with([](State& x) { x.t += 1e-9; }), Names{"kinematics"});
  EXPECT_EQ(with([](State& x) { x.histories[0].values[0] += 1e-7; }), (Names{"kinematics", "momentum"}));
}

TEST(TwoStepCertificate, PenetrationWithoutRestitution) {
  const System system = compile(RockingBlock{.e = 0.0}.model());
  Step step = last_step<SchatzmanPaoli>(system, 60, 1e-2);
  step.promise.gap = GapPromise::nonnegative;
  for (State* x : {&step.before, &step.after}) x->q[1] -= 0.5;
  EXPECT_TRUE(verdict(system, step).contains("penetration"));
}

TEST(TwoStepCertificate, JointsThatAreOffOrPullWrongly) {
  const System system = compile(HeavyTop{}.model());
  for (const FrameAt frame : {FrameAt::begin, FrameAt::theta, FrameAt::end}) {
    const Step step = last_step<SchatzmanPaoli>(system, 3, 1e-3, {.frame = frame});
    Step pulled = step;
    pulled.after.joint_impulse[1] += 1e-7;
    EXPECT_EQ(verdict(system, pulled), Names{"momentum"});
    Step off = step;
    for (State* x : {&off.before, &off.after}) x->q[0] += 1e-10;  // moved as a whole: only the joint notices
    EXPECT_EQ(verdict(system, off), Names{"joint_position"});
  }
}

Names verdict_on(const WrongFloor& floor) {
  Model model;
  const BlockId ball = model.add_planar_body("ball", {.pose = {0.0, 1e-3, 0.0}, .velocity = {0.0, -1.0, 0.0}});
  model.add_contact("floor", {Coordinates(ball, 1, 1)}, contacts(floor), {.e = 0.5});
  const System system = compile(model);
  SchatzmanPaoli scheme(system);
  State before = system.initial_state();
  scheme.start(before);
  State after = before;
  EXPECT_TRUE(scheme.step(after, 1e-2).ok());
  EXPECT_FALSE(after.contacts.empty());
  return failed(certify(system, before, after, scheme.promise()));
}

TEST(TwoStepCertificate, AGradientThatIsNotThatOfTheGap) {
  EXPECT_EQ(verdict_on({1.0, 0.0, false}), Names{});
  EXPECT_EQ(verdict_on({1.1, 0.0, false}), Names{"jacobian"});
}

TEST(TwoStepCertificate, AMovingWallWithoutItsVelocity) {
  EXPECT_EQ(verdict_on({1.0, 0.5, false}), Names{});
  EXPECT_EQ(verdict_on({1.0, 0.5, true}), Names{"jacobian"});
}

TEST(TwoStepCertificate, StatesOfAnotherScheme) {
  const System system = compile(BouncingBall{}.model());
  const Step step = last_step<SchatzmanPaoli>(system, 2, 1e-2);
  State foreign = step.after;
  foreign.histories[0].values.clear();
  EXPECT_FALSE(certify(system, step.before, foreign, step.promise).ok());
  EXPECT_FALSE(certify(system, foreign, step.after, step.promise).ok());
  foreign = step.after;
  foreign.histories[0].values.back() = 2e-2;  // not the length of the step
  EXPECT_FALSE(certify(system, step.before, foreign, step.promise).ok());
}

TEST(TwoStepCertificate, NumbersThatAreNone) {
  const System system = compile(resting.model());
  const Step step = last_step<SchatzmanPaoli>(system, 3, 1e-2);
  const auto spoil = [&](auto part) {
    Step wrong = step;
    part(wrong.after) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(certify(system, wrong.before, wrong.after, wrong.promise).ok());
  };
  spoil([](State& x) -> double& { return x.q[0]; });
  spoil([](State& x) -> double& { return x.v[0]; });
  spoil([](State& x) -> double& { return x.histories[0].values[0]; });
}

}  // namespace
}  // namespace esc
