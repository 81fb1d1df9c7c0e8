// For every check of the certificate: one number is wrong, and exactly that check fails. Where a wrong number breaks
// two laws of mechanics, the test says which.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/models/block_pool.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/box_on_incline.hpp"
#include "examples/slider_crank.hpp"
#include "examples/slider_on_roller.hpp"
#include "tests/support/certificates.hpp"

namespace esc {
namespace {

using examples::BouncingBall;
using examples::SliderOnRoller;
using testing::failed;
using testing::Names;
using testing::Step;
using testing::verdict;
using testing::WrongFloor;

Step one_step(const System& system, const State& from, double h, const MoreauJeanOptions& options = {}) {
  MoreauJean scheme(system, options);
  Step step{from, from, scheme.promise()};
  scheme.start(step.before);
  step.after = step.before;
  EXPECT_TRUE(scheme.step(step.after, h).ok());
  EXPECT_EQ(failed(certify(system, step.before, step.after, step.promise)), Names{});
  return step;
}

// A ball a little below its floor at this velocity.
State touching(const System& system, double velocity) {
  State x = system.initial_state();
  x.q[0] = -1e-6;
  x.v[0] = velocity;
  return x;
}

TEST(Corrupted, PenetrationWhereNoneIsPromised) {
  const System system = compile(BouncingBall{.height = 1e-3, .velocity = -1.0}.model());
  Step step = one_step(system, system.initial_state(), 1e-2);  // reaches the other side of the floor
  step.promise.gap = GapPromise::nonnegative;
  EXPECT_EQ(verdict(system, step), Names{"penetration"});
}

TEST(Corrupted, AStateMovedBelowTheFloor) {
  const System system = compile(BouncingBall{.height = 0.0, .velocity = 0.0}.model());
  Step step = one_step(system, system.initial_state(), 1e-2);
  step.promise.gap = GapPromise::nonnegative;
  EXPECT_EQ(verdict(system, step), Names{});
  for (State* x : {&step.before, &step.after}) x->q[0] -= 1e-3;
  const Certificate certificate = certify(system, step.before, step.after, step.promise);
  EXPECT_EQ(failed(certificate), Names{"penetration"});
  EXPECT_NEAR(certificate[Check::penetration].value, 1e-3, 1e-12);
}

// A step that is right for another restitution: momentum and energy hold, the law does not.
TEST(Corrupted, RestitutionOfAnotherMaterial) {
  const System system = compile(BouncingBall{.e = 0.5}.model());
  const System livelier = compile(BouncingBall{.e = 0.8}.model());
  const Step step = one_step(livelier, touching(livelier, -1.0), 1e-3);
  const Certificate certificate = certify(system, step.before, step.after, step.promise);
  EXPECT_EQ(failed(certificate), Names{"impact_law"});
  EXPECT_NEAR(certificate[Check::impact_law].value, 0.3, 1e-12);
}

// The ball falls through: it never saw the floor, and everything but the impact law is that of free flight.
TEST(Corrupted, AMissedContact) {
  const System system = compile(BouncingBall{}.model());
  const System blind = compile(BouncingBall{.height = 10.0}.model());
  State high = touching(blind, -1.0);
  high.q[0] += 10.0;
  Step step = one_step(blind, high, 1e-3);
  for (State* x : {&step.before, &step.after}) x->q[0] -= 10.0;
  EXPECT_TRUE(step.after.contacts.empty());
  EXPECT_EQ(verdict(system, step), Names{"impact_law"});
}

TEST(Corrupted, ARecordErased) {
  const System system = compile(BouncingBall{}.model());
  Step step = one_step(system, touching(system, -1.0), 1e-3, {.theta = 0.6});
  step.after.contacts.clear();
  EXPECT_EQ(verdict(system, step), Names{"momentum"});
}

// Two more laws that a wrong friction coefficient leaves alone: momentum and energy.
TEST(Corrupted, StickingOutsideTheCone) {
  const SliderOnRoller rough{.mu = 0.3, .height = -5e-10};
  SliderOnRoller smooth = rough;
  smooth.mu = 0.1;
  smooth.torque_ratio = 1.5;  // the same torque
  const System system = compile(smooth.model());
  const System sticky = compile(rough.model());
  ASSERT_NEAR(smooth.torque(), rough.torque(), 1e-15);
  const Step step = one_step(sticky, sticky.initial_state(), 1e-3);
  ASSERT_EQ(step.after.contacts.at(0).mode, ContactMode::sticking);
  const Certificate certificate = certify(system, step.before, step.after, step.promise);
  EXPECT_EQ(failed(certificate), Names{"friction_law"});
  const double weight = rough.mass * rough.g * 1e-3;  // N s in one step
  EXPECT_NEAR(certificate[Check::friction_law].value, (0.15 - 0.1) * weight, 1e-9);
}

// The roller turns under the slider; friction of the wrong sign, or of the wrong size, speeds it up instead.
TEST(Corrupted, FrictionThatDoesNotOpposeTheSlip) {
  const SliderOnRoller roller{.height = -5e-10, .torque_ratio = 0.0};
  const System system = compile(roller.model());
  State turning = system.initial_state();
  turning.v[1] = 50.0;
  const Step right = one_step(system, turning, 1e-3, {.theta = 0.6});
  const double friction = right.after.contacts.at(0).P[1];
  ASSERT_GT(friction, 0.0);  // the slip is -R w
  for (const double wrong : {-friction, 0.5 * friction, 1.5 * friction}) {
    Step step = right;
    const double change = -roller.radius * (wrong - friction) / roller.inertia;  // of the roller's velocity
    step.after.contacts[0].P[1] = wrong;
    step.after.v[1] += change;
    step.after.q[1] += 1e-3 * 0.6 * change;
    EXPECT_EQ(verdict(system, step), Names{"friction_law"}) << wrong / friction;
  }
}

TEST(Corrupted, AnImpulseThatPulls) {
  const System system = compile(BouncingBall{.force = -1e-9}.model());
  Step step = one_step(system, touching(system, 1.0), 1e-3);  // it leaves by itself
  ASSERT_EQ(step.after.contacts.at(0).P[0], 0.0);
  step.after.contacts[0].P[0] = -0.25;
  step.after.v[0] -= 0.25;
  step.after.q[0] -= 0.5 * 1e-3 * 0.25;
  EXPECT_EQ(verdict(system, step), Names{"friction_law"});
}

TEST(Corrupted, AnImpulseWithoutAContact) {
  const System system = compile(BouncingBall{.count = 2}.model());
  const Step right = one_step(system, system.initial_state(), 1e-3);
  ASSERT_TRUE(right.after.contacts.empty());
  for (const ContactKey key : {ContactKey{0, 0}, ContactKey{1, 0}, ContactKey{1, 7}, ContactKey{99, 0}}) {
    Step step = right;
    step.after.contacts.push_back({.key = key, .P = {1e-14, 0.0, 0.0}, .mode = ContactMode::sliding});
    const Certificate certificate = certify(system, step.before, step.after, step.promise);
    EXPECT_EQ(failed(certificate), Names{"inactive"});
    EXPECT_EQ(certificate[Check::inactive].key, key);
  }
}

// One contact, two records: only one of them can be true.
TEST(Corrupted, ARecordDoubled) {
  const System system = compile(BouncingBall{}.model());
  Step step = one_step(system, touching(system, -1.0), 1e-3);
  step.after.contacts.push_back(step.after.contacts.at(0));
  EXPECT_EQ(verdict(system, step), Names{"inactive"});
}

TEST(Corrupted, AVelocityChanged) {
  const System system = compile(BouncingBall{}.model());
  for (const double theta : {0.5, 0.6}) {
    Step step = one_step(system, system.initial_state(), 1e-3, {.theta = theta});
    step.after.v[0] += 1e-6;
    step.after.q[0] += 1e-3 * theta * 1e-6;
    // Where the energy balance closes, it too sees what momentum lacks.
    EXPECT_EQ(verdict(system, step), theta == 0.5 ? (Names{"momentum", "energy"}) : Names{"momentum"});
  }
}

TEST(Corrupted, AnImpulseChanged) {
  const System system = compile(BouncingBall{}.model());
  Step step = one_step(system, touching(system, -1.0), 1e-3, {.theta = 0.6});
  step.after.contacts.at(0).P[0] *= 1.0 + 1e-6;
  EXPECT_EQ(verdict(system, step), Names{"momentum"});
}

// The frame of a record turns its impulse into a vector of the world, and does nothing else: one that is turned, that
// is no unit vector, or not across the normal, gives another vector.
TEST(Corrupted, AFrameOfARecordChanged) {
  const examples::BoxOnIncline box{};
  const System system = compile(box.model());
  State x = system.initial_state();
  MoreauJean scheme(system);
  scheme.start(x);
  while (x.contacts.empty() || x.contacts[0].P[0] <= 0.0) ASSERT_TRUE(scheme.step(x, 1e-3).ok());
  Step right{x, x, scheme.promise()};
  ASSERT_TRUE(scheme.step(right.after, 1e-3).ok());
  ASSERT_TRUE(certify(system, right.before, right.after, right.promise).ok());
  ASSERT_EQ(right.after.contacts[0].rows, 3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto spoil = [&](auto change) {
    Step step = right;
    change(step.after.contacts[0].frame);
    const Certificate certificate = certify(system, step.before, step.after, step.promise);
    EXPECT_FALSE(certificate[Check::momentum].ok());
  };
  spoil([](ContactFrame& f) { f.normal = {f.normal[0], f.normal[2], -f.normal[1]}; });
  spoil([](ContactFrame& f) { f.normal[2] *= 1.0 + 1e-6; });
  spoil([](ContactFrame& f) { f.normal = {0.0, 0.0, 0.0}; });
  spoil([](ContactFrame& f) { f.tangent = f.normal; });
  spoil([](ContactFrame& f) { f.tangent = {-f.tangent[0], -f.tangent[1], -f.tangent[2]}; });
  spoil([&](ContactFrame& f) { f.normal[1] = nan; });
  spoil([&](ContactFrame& f) { f.tangent[0] = nan; });
  Step elsewhere = right;  // nothing is judged by the stored point
  elsewhere.after.contacts[0].frame.point = {nan, 1.0, 2.0};
  EXPECT_TRUE(certify(system, elsewhere.before, elsewhere.after, elsewhere.promise).ok());
}

TEST(Corrupted, AForceNotIntegrated) {
  const System system = compile(examples::SliderCrank{}.model());
  const System weightless = compile(examples::SliderCrank{.g = 0.0}.model());
  const Step step = one_step(weightless, weightless.initial_state(), 1e-4);
  EXPECT_EQ(verdict(system, step), Names{"momentum"});
}

TEST(Corrupted, ABodyFrozenInMidAir) {
  const System system = compile(BouncingBall{}.model());
  Step step = one_step(system, system.initial_state(), 1e-3, {.theta = 0.6});
  step.after.q = step.before.q;
  EXPECT_EQ(verdict(system, step), Names{"kinematics"});
}

TEST(Corrupted, EveryPositionCounts) {
  const System system = compile(BouncingBall{.count = 5}.model());
  for (int i = 0; i < 5; ++i) {
    Step step = one_step(system, system.initial_state(), 1e-3, {.theta = 0.6});
    step.after.q[i] += 1e-10;
    EXPECT_EQ(verdict(system, step), Names{"kinematics"}) << i;
  }
}

struct Mass {
  static constexpr int size = 1;
  static constexpr bool constant_mass = true, linear = true;
  double energy_factor = 1.0;  // of the potential; 1 is right
  void mass(double, const double*, MatrixView M) const { M(0, 0) = 2.0; }
  template <class S>
  void force(const S&, const S* q, const S*, S* F) const {
    F[0] = -10.0 * q[0];
  }
  double potential(double, const double* q) const { return energy_factor * 5.0 * q[0] * q[0]; }
};

Names verdict_on(const WrongFloor& floor, const Mass& mass, double velocity) {
  Model model;
  const BlockId id = model.add_coordinates("mass", {"x"}, block(mass), {-5e-10}, {velocity});
  model.add_contact("floor", {id}, contacts(floor), {.e = 0.5});
  const System system = compile(model);
  MoreauJean scheme(system);
  State before = system.initial_state();
  scheme.start(before);
  State after = before;
  EXPECT_TRUE(scheme.step(after, 1e-3).ok());
  return failed(certify(system, before, after, scheme.promise()));
}

TEST(Corrupted, AGradientThatIsNotThatOfTheGap) {
  EXPECT_EQ(verdict_on({1.0, 0.0, false}, {}, -1.0), Names{});
  EXPECT_EQ(verdict_on({1.1, 0.0, false}, {}, -1.0), Names{"jacobian"});
}

TEST(Corrupted, AMovingWallWithoutItsVelocity) {
  EXPECT_EQ(verdict_on({1.0, 0.5, false}, {}, -1.0), Names{});
  EXPECT_EQ(verdict_on({1.0, 0.5, true}, {}, -1.0), Names{"jacobian"});
}

TEST(Corrupted, APotentialThatIsNotThatOfTheForce) {
  EXPECT_EQ(verdict_on({1.0, 0.0, false}, {1.0}, 1.0), Names{});
  EXPECT_EQ(verdict_on({1.0, 0.0, false}, {1.01}, 1.0), Names{"energy"});
}

TEST(Corrupted, ANumberThatIsNone) {
  const System system = compile(SliderOnRoller{.height = -5e-10}.model());
  const Step right = one_step(system, system.initial_state(), 1e-3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto spoil = [&](auto change) {
    Step step = right;
    change(step.after);
    EXPECT_FALSE(certify(system, step.before, step.after, step.promise).ok());
  };
  spoil([&](State& x) { x.q[0] = nan; });
  spoil([&](State& x) { x.v[1] = nan; });
  spoil([&](State& x) { x.t = nan; });
  spoil([&](State& x) { x.contacts.at(0).P[0] = nan; });
  spoil([&](State& x) { x.contacts.at(0).P[1] = nan; });
}

// What is right at one contact does not hide what is no number at another.
TEST(Corrupted, ANumberThatIsNoneAtTheFirstOfTwoContacts) {
  const System system = compile(BouncingBall{.count = 2}.model());
  State x = system.initial_state();
  for (const std::size_t i : {0, 1}) {
    x.q[i] = -1e-6;
    x.v[i] = -1.0;
  }
  Step step = one_step(system, x, 1e-3);
  ASSERT_EQ(step.after.contacts.size(), 2u);
  step.after.contacts[0].P[0] = std::numeric_limits<double>::quiet_NaN();
  const Certificate certificate = certify(system, step.before, step.after, step.promise);
  EXPECT_TRUE(std::isnan(certificate[Check::friction_law].value));
  EXPECT_TRUE(std::isnan(certificate[Check::momentum].value));
}

TEST(Corrupted, AStateOfAnotherSystem) {
  const System system = compile(SliderOnRoller{.height = -5e-10}.model());
  const Step right = one_step(system, system.initial_state(), 1e-3);
  for (auto member : {&State::q, &State::v, &State::u}) {
    State foreign = right.after;
    (foreign.*member).push_back(0.0);
    EXPECT_FALSE(certify(system, right.before, foreign, right.promise).ok());
    EXPECT_FALSE(certify(system, foreign, right.after, right.promise).ok());
  }
}

}  // namespace
}  // namespace esc
