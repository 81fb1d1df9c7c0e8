// The certificate of the generalized-alpha method: for every check one number is wrong, and exactly that check fails.
// Where a wrong number breaks two laws, the test says which.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <escapement/schemes/alpha_index3.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/heavy_top.hpp"
#include "examples/rocking_block.hpp"
#include "tests/support/alpha_models.hpp"
#include "tests/support/certificates.hpp"

namespace esc {
namespace {

using namespace examples;
using testing::last_step;
using testing::Names;
using testing::Step;
using testing::verdict;
using testing::WrongFloor;

// The verdict after a change of the state at the end.
template <class Change>
Names with(const System& system, const Step& step, Change change) {
  Step wrong = step;
  change(wrong.after);
  return verdict(system, wrong);
}

// Places in the history of a system without joints: a, vdot, then whether it was restarted.
std::vector<double>& history(State& x) { return x.histories[0].values; }

// A ball on the floor, pressed down.
const BouncingBall resting{.force = -10.0, .e = 0.5, .height = 0.0, .velocity = 0.0};

TEST(AlphaCertificate, SmoothAccelerationsOfAnotherForce) {
  const System system = compile(BouncingBall{}.model());
  const Step step = last_step<AlphaGgl>(system, 3, 1e-2);
  EXPECT_EQ(with(system, step, [](State& x) { history(x)[1] += 1e-5; }), (Names{"kinematics", "momentum"}));
}

TEST(AlphaCertificate, RecurrencesThatAreBroken) {
  const System system = compile(BouncingBall{}.model());
  const Step step = last_step<AlphaGgl>(system, 3, 1e-2);
  EXPECT_EQ(with(system, step, [](State& x) { history(x)[0] += 1e-7; }), Names{"kinematics"});  // (30e)
  EXPECT_EQ(with(system, step, [](State& x) { x.q[0] += 1e-9; }), Names{"kinematics"});         // (30a)
  EXPECT_EQ(with(system, step, [](State& x) { x.v[0] += 1e-7; }), Names{"momentum"});           // (30c)
  EXPECT_EQ(with(system, step, [](State& x) { x.t += 1e-9; }), Names{"kinematics"});
}

// After a restart both accelerations are those of the next step: one that is not is found there.
TEST(AlphaCertificate, ARestartWithTwoAccelerations) {
  const System system = compile(BouncingBall{.e = 0.5, .height = 1e-3, .velocity = -1.0}.model());
  const Step step = last_step<AlphaGgl>(system, 1, 1e-2, {.after_impact = AfterImpact::restart});
  ASSERT_EQ(step.after.histories[0].values.back(), 1.0);
  EXPECT_EQ(with(system, step, [](State& x) { history(x)[0] += 1e-7; }), Names{"kinematics"});
}

TEST(AlphaCertificate, AnImpulseThatIsTooLarge) {
  const System system = compile(resting.model());
  const Step step = last_step<AlphaGgl>(system, 3, 1e-2);
  ASSERT_EQ(step.after.contacts.size(), 1U);
  EXPECT_EQ(with(system, step, [](State& x) { x.contacts[0].P[0] += 1e-8; }), Names{"momentum"});
}

TEST(AlphaCertificate, AnImpulseThatPulls) {
  const System system = compile(resting.model());
  Step step = last_step<AlphaGgl>(system, 3, 1e-2);
  step.after.contacts[0].P[0] = -1e-2;
  step.after.v[0] = -0.11;
  EXPECT_EQ(verdict(system, step), (Names{"friction_law", "impact_law"}));
}

// Predicted to be closed, and nobody there: it has flown through the floor.
TEST(AlphaCertificate, AContactThatWasMissed) {
  const System system = compile(BouncingBall{.e = 0.5, .height = 1e-3, .velocity = -1.0}.model());
  Step step = last_step<AlphaGgl>(system, 1, 1e-2);
  step.after.contacts.clear();
  step.after.v[0] = -1.02;
  step.after.q[0] = 1e-3 - 1e-2 - 1e-4;
  EXPECT_EQ(verdict(system, step), (Names{"impact_law", "penetration"}));
}

TEST(AlphaCertificate, ABounceThatIsTooFast) {
  const System system = compile(BouncingBall{.e = 0.5, .height = 1e-3, .velocity = -1.0}.model());
  const Step step = last_step<AlphaGgl>(system, 1, 1e-2);
  EXPECT_EQ(with(system, step,
                 [](State& x) {
                   x.v[0] += 1e-6;
                   x.contacts[0].P[0] += 1e-6;
                 }),
            Names{"impact_law"});
}

TEST(AlphaCertificate, AnImpulseWhereNothingTouches) {
  const System system = compile(BouncingBall{.count = 2}.model());
  Step step = last_step<AlphaGgl>(system, 3, 1e-3);
  step.after.contacts = {{.key = {7, 0}, .P = {1e-3, 0.0, 0.0}, .mode = ContactMode::sliding}};
  EXPECT_EQ(verdict(system, step), Names{"inactive"});  // there is no such contact
  step.after.contacts = {{.key = {1, 0}, .P = {1e-3, 0.0, 0.0}, .mode = ContactMode::sliding}};
  EXPECT_EQ(verdict(system, step), (Names{"impact_law", "inactive", "momentum"}));  // it is open
}

TEST(AlphaCertificate, ACorrectionOfTheWrongSignOrSize) {
  const System system = compile(resting.model());
  const Step step = last_step<AlphaGgl>(system, 3, 1e-2);
  ASSERT_GT(step.after.contacts[0].tau, 0.0);
  EXPECT_EQ(with(system, step, [](State& x) { x.contacts[0].tau += 1e-9; }), Names{"kinematics"});
  EXPECT_EQ(with(system, step, [](State& x) { x.contacts[0].tau *= -1.0; }), (Names{"kinematics", "projection"}));
}

TEST(AlphaCertificate, FrictionThatDoesNotOpposeTheSlipOrMovesNothing) {
  const System system = compile(testing::block_on_plane([](const auto&) { return 5.0; }, 10.0, 0.2));
  const Step step = last_step<AlphaGgl>(system, 3, 1e-2);
  EXPECT_EQ(with(system, step, [](State& x) { x.contacts[0].P[1] *= -1.0; }),
            (Names{"friction_law", "kinematics", "momentum"}));
  Step without = step;  // friction that does not correct the positions: nu_T = 0
  without.after.q[0] -= 0.5 * 1e-2 * step.after.contacts[0].P[1];
  EXPECT_EQ(verdict(system, without), Names{"kinematics"});
}

TEST(AlphaCertificate, JointsThatAreOffOrPullWrongly) {
  const System system = compile(HeavyTop{}.model());
  const Step step = last_step<AlphaGgl>(system, 3, 1e-3);
  const auto lambda = static_cast<std::size_t>(2 * system.nv());
  EXPECT_TRUE(with(system, step, [](State& x) { x.q[0] += 1e-7; }).contains("joint_position"));
  EXPECT_TRUE(with(system, step, [](State& x) { x.v[0] += 1e-6; }).contains("joint_velocity"));
  EXPECT_EQ(with(system, step, [](State& x) { x.joint_impulse[0] += 1e-6; }), Names{"momentum"});
  EXPECT_EQ(with(system, step, [](State& x) { x.joint_tau[0] += 1e-7; }), Names{"kinematics"});
  EXPECT_EQ(with(system, step, [&](State& x) { history(x)[lambda] += 1e-3; }), Names{"momentum"});
}

TEST(AlphaCertificate, PenetrationOfABlock) {
  const System system = compile(RockingBlock{.e = 0.0}.model());
  Step step = last_step<AlphaGgl>(system, 60, 1e-2);
  for (State* x : {&step.before, &step.after}) x->q[1] -= 0.5;
  EXPECT_TRUE(verdict(system, step).contains("penetration"));
}

TEST(AlphaCertificate, AGapWithAWrongGradient) {
  Model model;
  const BlockId ball =
      model.add_coordinates("ball", {"y"},
                            lagrangian<1>([](double, const double*, MatrixView M) { M(0, 0) = 1.0; },
                                          [](const auto&, const auto*, const auto*, auto* F) { F[0] = -10.0; }),
                            {0.0}, {-1.0});
  model.add_contact("floor", {ball}, contacts(WrongFloor{.slope = 0.9, .rise = 0.0, .forgets = false}), {.e = 0.5});
  const System system = compile(model);
  AlphaGgl scheme(system, {.levels = Levels::velocity});
  Step step{system.initial_state(), {}, scheme.promise()};
  scheme.start(step.before);
  step.after = step.before;
  ASSERT_TRUE(scheme.step(step.after, 1e-2).ok());
  EXPECT_EQ(verdict(system, step), Names{"jacobian"});
}

// At position level contacts are part of the smooth motion.
TEST(Index3Certificate, AForceThatIsTooLarge) {
  const System system = compile(resting.model());
  const Step step = last_step<AlphaIndex3>(system, 3, 1e-2);
  ASSERT_EQ(step.after.contacts.size(), 1U);
  EXPECT_EQ(with(system, step, [](State& x) { x.contacts[0].P[0] += 1e-8; }), Names{"momentum"});
}

TEST(Index3Certificate, AForceAtADistance) {
  const System system = compile(resting.model());
  const Step step = last_step<AlphaIndex3>(system, 3, 1e-2);
  // Not where the recurrences lead, and no longer closed to within 2e-12 m.
  EXPECT_EQ(with(system, step, [](State& x) { x.q[0] += 1e-10; }), (Names{"impact_law", "kinematics"}));
}

TEST(Index3Certificate, AContactThatWasMissed) {
  const System system = compile(BouncingBall{.e = 0.5, .height = 1e-3, .velocity = -1.0}.model());
  Step step = last_step<AlphaIndex3>(system, 1, 1e-2);
  step.after.contacts.clear();
  EXPECT_EQ(verdict(system, step), Names{"momentum"});
  step.after.q[0] = -1e-3;
  EXPECT_TRUE(verdict(system, step).contains("penetration"));
}

TEST(Index3Certificate, RecurrencesThatAreBroken) {
  const System system = compile(BouncingBall{}.model());
  const Step step = last_step<AlphaIndex3>(system, 3, 1e-2);
  EXPECT_EQ(with(system, step, [](State& x) { history(x)[0] += 1e-7; }), Names{"kinematics"});
  EXPECT_EQ(with(system, step, [](State& x) { x.v[0] += 1e-7; }), Names{"momentum"});
}

// With the modified LCP tau is h mu: nonnegative, and zero where the gap is open.
TEST(AlphaCertificate, AMultiplierOfAnOpenGap) {
  const System system = compile(BouncingBall{.e = 0.5, .height = 1e-3, .velocity = -1.0}.model());
  const Step step = last_step<AlphaGgl>(system, 1, 1e-2, {.gap_law = GapLaw::mu});
  ASSERT_EQ(step.after.contacts.size(), 1U);
  EXPECT_EQ(with(system, step, [](State& x) { x.contacts[0].tau = 1e-6; }), (Names{"kinematics", "projection"}));
  Step other = step;
  std::get<AlphaEquations>(other.promise.equations).gap_law = GapLaw::nu;
  EXPECT_EQ(verdict(system, other), Names{"kinematics"});  // nu would be zero
}

TEST(AlphaCertificate, StatesOfAnotherScheme) {
  const System system = compile(resting.model());
  Step step = last_step<AlphaGgl>(system, 2, 1e-2);
  step.after.histories[0].values.pop_back();
  EXPECT_EQ(verdict(system, step).size(), static_cast<std::size_t>(check_count));
  Step nan = last_step<AlphaGgl>(system, 2, 1e-2);
  history(nan.after)[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(verdict(system, nan).contains("momentum"));
}

}  // namespace
}  // namespace esc
