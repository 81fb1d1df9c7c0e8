// The certificate of impacts, steps in which t and q stay: one number is wrong, and exactly the right checks fail. And
// the measure of friction, on impacts whose impulses and velocities are chosen by hand.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/models/constraint.hpp>
#include <escapement/models/gap.hpp>

#include "tests/support/bodies.hpp"
#include "tests/support/certificates.hpp"

namespace esc {
namespace {

using testing::failed;
using testing::Names;
using testing::Step;
using testing::verdict;

constexpr double e = 0.5, mu = 0.3;

// The floor z = 0, with x and y as slips.
struct Floor {
  static constexpr int size = 3, contacts = 1, slips = 2;
  template <class S>
  void gap(const S&, const S* q, S* g) const {
    g[0] = q[2];
  }
  template <class S>
  void slip(const S&, const S* q, S* s) const {
    s[0] = q[0];
    s[1] = q[1];
  }
};

// Five unit masses: x, y, z above the floor, and a, b with a + b = 0.
System masses() {
  Model model;
  const BlockId block = model.add_coordinates("mass", {"x", "y", "z", "a", "b"}, testing::masses_with_weight<5>(2.0),
                                              {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0});
  model.add_contact("floor", {Coordinates(block, 0, 3)}, contacts(Floor{}), {.e = e, .mu = mu});
  model.add_joint("line", {Coordinates(block, 3, 2)},
                  constraint<2>([](const auto&, const auto* q) { return q[0] + q[1]; }));
  return compile(model);
}

// From v before by the impulses (P_N, P_x, P_y) and Lambda.
Step impact(const System& system, const std::vector<double>& v, const std::array<double, 3>& P, double Lambda,
            const RateLaw& law = {}) {
  Step step{system.initial_state(), {}, {.equations = ImpactEquations{.law = law}}};
  step.before.t = 0.3;
  step.before.v = v;
  step.after = step.before;
  for (const std::size_t i : {0, 1, 2}) step.after.v[i] += P[(i + 1) % 3];
  for (const std::size_t i : {3, 4}) step.after.v[i] += Lambda;
  step.after.contacts = {{.key = system.contact_key("floor"), .P = P, .rows = 3, .mode = ContactMode::sticking}};
  step.after.joint_impulse = {Lambda};
  return step;
}

// Newton's law with e = 1/2; the mass sticks, and the joint stops both of its coordinates.
Step right_impact(const System& system) { return impact(system, {0.2, 0.0, -1.0, 1.0, 1.0}, {1.5, -0.2, 0.0}, -1.0); }

TEST(ImpactCertificate, HoldsForNewtonsLawWithFrictionAndAJoint) {
  const System system = masses();
  const Step step = right_impact(system);
  const Certificate certificate = certify(system, step.before, step.after, step.promise);
  EXPECT_EQ(failed(certificate), Names{});
  EXPECT_NEAR(certificate.audit[Work::impact], 1.5 * 0.5 * (-1.0 + 0.5), 1e-15);
  EXPECT_NEAR(certificate.audit[Work::friction], -0.2 * 0.5 * 0.2, 1e-15);
  EXPECT_NEAR(certificate.audit[Work::joints], -1.0, 1e-15);
  EXPECT_EQ(certificate.audit[Work::applied], 0.0);
  EXPECT_LT(certificate[Check::energy].allowed, 1e-8);  // the balance is bounded: M is that of one place
}

TEST(ImpactCertificate, NothingMovesInNoTime) {
  const System system = masses();
  const Step right = right_impact(system);
  for (std::size_t i = 0; i < right.after.q.size(); ++i) {
    Step step = right;
    step.after.q[i] = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(verdict(system, step), Names{"kinematics"}) << i;
  }
  Step late = right;
  late.after.t = std::nextafter(late.after.t, 1.0);
  EXPECT_EQ(verdict(system, late), Names{"kinematics"});
}

TEST(ImpactCertificate, AVelocityChanged) {
  const System system = masses();
  const Step right = right_impact(system);
  const auto with = [&](std::size_t i) {
    Step step = right;
    step.after.v[i] += 1e-6;
    return verdict(system, step);
  };
  EXPECT_EQ(with(0), (Names{"momentum", "friction_law", "energy"}));  // it slides, but friction does not oppose that
  EXPECT_EQ(with(2), (Names{"momentum", "impact_law", "energy"}));
  for (const std::size_t i : {3, 4}) EXPECT_EQ(with(i), (Names{"momentum", "joint_velocity", "energy"}));
}

TEST(ImpactCertificate, AnImpulseChanged) {
  const System system = masses();
  const Step right = right_impact(system);
  for (const std::size_t row : {0, 1, 2}) {
    Step step = right;
    step.after.contacts[0].P[row] += 1e-6;
    // Nothing moves along y: the impulse does no work there.
    EXPECT_EQ(verdict(system, step), row == 2 ? Names{"momentum"} : (Names{"momentum", "energy"})) << row;
  }
  Step step = right;
  step.after.joint_impulse[0] += 1e-6;
  EXPECT_EQ(verdict(system, step), (Names{"momentum", "energy"}));
}

// Momentum and energy hold for any restitution; the law does not.
TEST(ImpactCertificate, AnotherRestitution) {
  const System system = masses();
  const Step step = impact(system, {0.2, 0.0, -1.0, 1.0, 1.0}, {1.3, -0.2, 0.0}, -1.0);
  const Certificate certificate = certify(system, step.before, step.after, step.promise);
  EXPECT_EQ(failed(certificate), Names{"impact_law"});
  EXPECT_NEAR(certificate[Check::impact_law].value, 0.2, 1e-12);
}

TEST(ImpactCertificate, FrictionOutsideTheCone) {
  const System system = masses();
  const Step step = impact(system, {0.6, 0.0, -1.0, 1.0, 1.0}, {1.5, -0.6, 0.0}, -1.0);
  const Certificate certificate = certify(system, step.before, step.after, step.promise);
  EXPECT_EQ(failed(certificate), Names{"friction_law"});
  EXPECT_NEAR(certificate[Check::friction_law].value, 0.6 - mu * 1.5, 1e-12);
}

TEST(ImpactCertificate, AnImpulseThatPulls) {
  const System system = masses();
  const Step step = impact(system, {0, 0, 1.0, 0, 0}, {-0.25, 0, 0}, 0.0);
  EXPECT_EQ(verdict(system, step), Names{"friction_law"});
}

// A closed contact without a record may separate, and must not approach.
TEST(ImpactCertificate, AClosedContactThatWasLeftOut) {
  const System system = masses();
  for (const double v : {1.0, 0.0, -1.0}) {
    Step step = impact(system, {0.2, 0, v, 0, 0}, {0, 0, 0}, 0.0);
    step.after.contacts.clear();
    EXPECT_EQ(verdict(system, step), v < 0.0 ? Names{"impact_law"} : Names{}) << v;
  }
}

TEST(ImpactCertificate, AnImpulseAtAnOpenContact) {
  const System system = masses();
  Step step = impact(system, {0, 0, -1.0, 0, 0}, {0, 0, 0}, 0.0);
  for (State* x : {&step.before, &step.after}) x->q[2] = 1e-3;
  step.after.contacts[0].P = {1e-14, 0, 0};
  EXPECT_EQ(verdict(system, step), Names{"inactive"});
  std::get<ImpactEquations>(step.promise.equations).activation_tolerance = 2e-3;  // now it counts as closed
  EXPECT_EQ(verdict(system, step), Names{"impact_law"});
}

// potra (6.6)-(6.7): the mean velocities vanish, whatever e is.
TEST(ImpactCertificate, TheLawIsData) {
  const System system = masses();
  const RateLaw mean{.restitution = 0.0, .normal = 1.0, .tangent = 1.0};
  Step step = impact(system, {0.2, 0, -1.0, 0, 0}, {2.0, -0.4, 0}, 0.0, mean);
  EXPECT_EQ(verdict(system, step), Names{});
  step.promise.equations = ImpactEquations{};
  EXPECT_EQ(verdict(system, step), (Names{"impact_law", "friction_law"}));
  const RateLaw compression{.restitution = 0.0};
  step = impact(system, {0.2, 0, -1.0, 0, 0}, {1.0, -0.2, 0}, 0.0, compression);
  EXPECT_EQ(verdict(system, step), Names{});
  step.promise.equations = ImpactEquations{};
  EXPECT_EQ(verdict(system, step), Names{"impact_law"});
}

TEST(ImpactCertificate, AGradientThatIsNotThatOfTheGap) {
  for (const double slope : {1.0, 1.1}) {
    Model model;
    const BlockId mass = model.add_coordinates("mass", {"x"}, testing::masses_with_weight<1>(0.0), {0}, {0});
    model.add_contact("floor", {mass}, contacts(testing::WrongFloor{slope, 0.0, false}), {});
    const System system = compile(model);
    Step step{system.initial_state(), {}, {.equations = ImpactEquations{}}};
    step.before.v = {1.0};
    step.after = step.before;
    step.after.contacts = {{.key = system.contact_key("floor"), .mode = ContactMode::open}};
    EXPECT_EQ(verdict(system, step), slope == 1.0 ? Names{} : Names{"jacobian"});
  }
}

TEST(ImpactCertificate, NumbersThatAreNone) {
  const System system = masses();
  const Step right = right_impact(system);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto spoil = [&](auto change) {
    Step step = right;
    change(step.after);
    EXPECT_FALSE(certify(system, step.before, step.after, step.promise).ok());
  };
  spoil([&](State& x) { x.t = nan; });
  for (const std::size_t i : {0, 1, 2, 3, 4}) {
    spoil([&](State& x) { x.q[i] = nan; });
    spoil([&](State& x) { x.v[i] = nan; });
  }
  for (const std::size_t row : {0, 1, 2}) spoil([&](State& x) { x.contacts[0].P[row] = nan; });
  spoil([&](State& x) { x.joint_impulse[0] = nan; });
}

// Friction: P_N = 1 N s, friction P_x, and a mass that slides along x afterwards.
Finding friction_finding(const System& system, double P_x, double slip, const Tolerances& tol = {}) {
  Step step = impact(system, {slip - P_x, 0, -1.0, 0, 0}, {1.0, P_x, 0}, 0.0, {.restitution = 0.0});
  step.after.v[0] = slip;
  step.after.v[2] = 0.0;
  step.promise.tol = tol;
  return certify(system, step.before, step.after, step.promise)[Check::friction_law];
}

// The measure goes to zero with the slip, and is continuous where the slip is just the tolerance.
TEST(FrictionMeasure, IsContinuousInTheSlip) {
  const System system = masses();
  const Tolerances tol;
  const double lacking = 0.1;  // P_x = -mu P_N + lacking: what friction at slip would have to add
  double last = 0.0;
  for (double slip = 0.01 * tol.velocity; slip < 10.0 * tol.velocity; slip *= 1.01) {
    const Finding finding = friction_finding(system, -mu + lacking, slip);
    EXPECT_NEAR(finding.value, slip / tol.velocity * tol.momentum, 1e-12 * tol.momentum);
    EXPECT_LE(std::abs(finding.value - last), 0.011 * finding.value + 0.0101 * tol.momentum);
    last = finding.value;
  }
  EXPECT_EQ(friction_finding(system, -mu + lacking, 0.0).value, 0.0);
}

// It accepts what a threshold on the slip would accept, to the last bit.
TEST(FrictionMeasure, AcceptsASlipUpToTheTolerance) {
  const System system = masses();
  for (const double velocity : {1e-8, 3e-7, 1.1e-9}) {
    const Tolerances tol{.velocity = velocity};
    EXPECT_TRUE(friction_finding(system, 0.0, velocity, tol).ok());
    EXPECT_FALSE(friction_finding(system, 0.0, std::nextafter(velocity, 1.0), tol).ok());
    EXPECT_FALSE(friction_finding(system, 0.0, -std::nextafter(velocity, 1.0), tol).ok());
  }
}

// A sticking contact that slips by twice the tolerance is off by a factor of two, and not by all of its friction.
TEST(FrictionMeasure, ASmallSlipIsASmallDefect) {
  const System system = masses();
  const Tolerances tol{.momentum = 1e-9, .velocity = 1e-10};
  const Finding finding = friction_finding(system, -0.25, 2e-10, tol);
  EXPECT_FALSE(finding.ok());
  EXPECT_NEAR(finding.value, 2e-9, 1e-20);
}

TEST(FrictionMeasure, FastSlipInTheWrongDirectionFails) {
  const System system = masses();
  EXPECT_NEAR(friction_finding(system, -mu, 1.0).value, 0.0, 1e-15);
  EXPECT_NEAR(friction_finding(system, mu, 10.0).value, 2.0 * mu, 1e-15);
  EXPECT_NEAR(friction_finding(system, -0.5 * mu, 10.0).value, 0.5 * mu, 1e-15);
}

}  // namespace
}  // namespace esc
