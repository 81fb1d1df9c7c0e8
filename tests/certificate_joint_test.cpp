// The certificate's checks of joints: one number is wrong, and exactly the right check fails, at the right joint.
#include <cmath>
#include <limits>
#include <memory>
#include <typeindex>
#include <utility>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/models/constraint.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "examples/four_bar.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/certificates.hpp"

namespace esc {
namespace {

using examples::FourBar;
using testing::failed;
using testing::Names;
using testing::Step;
using testing::verdict;

Step one_step(const System& system, double h, const MoreauJeanOptions& options = {}) {
  MoreauJean scheme(system, options);
  State x = system.initial_state();
  scheme.start(x);
  Step step{x, x, scheme.promise()};
  EXPECT_TRUE(scheme.step(step.after, h).ok());
  EXPECT_EQ(failed(certify(system, step.before, step.after, step.promise)), Names{});
  return step;
}

// Unit masses with a weight on the second coordinate; two of them on the line x + y = 0, the third is held still.
System masses_on_a_line() {
  Model model;
  const BlockId masses =
      model.add_coordinates("mass", {"x", "y", "z"}, testing::masses_with_weight<3>(2.0), {0.5, -0.5, 0.0}, {0, 0, 0});
  model.add_joint("still", {Coordinates(masses, 2, 1)}, constraint<1>([](const auto&, const auto* q) { return q[0]; }));
  model.add_joint("line", {Coordinates(masses, 0, 2)},
                  constraint<2>([](const auto&, const auto* q) { return q[0] + q[1]; }));
  return compile(model);
}

// The impulse of the line is 0.01 N s larger, velocities and positions are those that it gives: all laws of motion
// hold, but the masses leave the line at 2 x 0.01 m/s.
TEST(CorruptedJoint, AnImpulseTooLargeWithTheMotionThatItGives) {
  const System system = masses_on_a_line();
  const double h = 1e-3, more = 0.01;
  Step step = one_step(system, h);
  step.after.joint_impulse[system.joints()[system.joint("line")].first_row] += more;
  for (const int i : {0, 1}) {
    step.after.v[i] += more;
    step.after.q[i] += 0.5 * h * more;
  }
  const Certificate certificate = certify(system, step.before, step.after, step.promise);
  EXPECT_EQ(failed(certificate), Names{"joint_velocity"});
  EXPECT_NEAR(certificate[Check::joint_velocity].value, 2.0 * more, 1e-12);
  EXPECT_EQ(certificate[Check::joint_velocity].joint, system.joint("line"));
}

// The whole step takes place off the line: only the position of the joint is wrong, and only if it was promised.
TEST(CorruptedJoint, AStepBesideTheLine) {
  const System system = masses_on_a_line();
  Step step = one_step(system, 1e-3);
  step.promise.joints = JointPromise::position_and_velocity;
  EXPECT_EQ(verdict(system, step), Names{});
  for (State* x : {&step.before, &step.after}) x->q[0] += 1e-6;
  const Certificate certificate = certify(system, step.before, step.after, step.promise);
  EXPECT_EQ(failed(certificate), Names{"joint_position"});
  EXPECT_NEAR(certificate[Check::joint_position].value, 1e-6, 1e-15);
  EXPECT_EQ(certificate[Check::joint_position].joint, system.joint("line"));
  step.promise.joints = JointPromise::velocity;
  EXPECT_EQ(verdict(system, step), Names{});
}

// One impulse alone: the momentum does not balance.
TEST(CorruptedJoint, AnImpulseAlone) {
  for (const bool spatial : {false, true}) {
    const FourBar data;
    const System system = compile(spatial ? data.spatial_model() : data.planar_model());
    const Step right = one_step(system, 1e-3);
    for (int row = 0; row < system.joint_rows(); ++row) {
      Step step = right;
      step.after.joint_impulse[row] += 1e-6;
      EXPECT_EQ(verdict(system, step), Names{"momentum"}) << row;
    }
  }
}

// One velocity alone: momentum and way of the body are wrong, and so are the joints of the body ...
TEST(CorruptedJoint, AVelocityAlone) {
  const System system = compile(FourBar{}.planar_model());
  const Step right = one_step(system, 1e-3);
  for (int i = 0; i < system.nv(); ++i) {
    Step step = right;
    step.after.v[i] += 1e-4;
    EXPECT_EQ(verdict(system, step), (Names{"momentum", "kinematics", "joint_velocity"}))
        << system.velocities()[i].name;
  }
}

// ... and one position alone: its way, and the joints of the body where their positions were promised.
TEST(CorruptedJoint, APositionAlone) {
  const System system = compile(FourBar{}.planar_model());
  Step right = one_step(system, 1e-3);
  right.promise.joints = JointPromise::position_and_velocity;
  right.promise.tol.joint = 1e-5;  // the scheme's own drift is 1e-6
  ASSERT_EQ(verdict(system, right), Names{});
  for (int i = 0; i < system.nq(); ++i) {
    Step step = right;
    step.after.q[i] += 1e-3;
    const Names names = verdict(system, step);
    EXPECT_TRUE(names.contains("kinematics") && names.contains("joint_position")) << system.coordinates()[i].name;
  }
}

TEST(CorruptedJoint, ANumberThatIsNone) {
  const System system = compile(FourBar{}.spatial_model());
  const Step right = one_step(system, 1e-3);
  for (auto member : {&State::joint_impulse, &State::q, &State::v}) {
    Step step = right;
    (step.after.*member).back() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(verdict(system, step), Names{});
  }
}

TEST(CorruptedJoint, ImpulsesOfAnotherSystem) {
  const System system = compile(FourBar{}.spatial_model());
  const Step right = one_step(system, 1e-3);
  State foreign = right.after;
  foreign.joint_impulse.push_back(0.0);
  EXPECT_FALSE(certify(system, right.before, foreign, right.promise).ok());
}

// A joint x = 0 whose rows say that y matters too.
struct WrongGradient final : JointSource {
  explicit WrongGradient(double slope) : y_slope(slope) {}
  void evaluate(const Point& at, JointSet& set) const override {
    set.g[place.first_row] = at.q[place.arguments[0].first];
    set.G[place.first_value] = 1.0;
    set.G[place.first_value + 1] = y_slope;
    set.g_t[place.first_row] = 0.0;
  }
  void curvature(const Point&, double* out) const override { out[place.first_row] = 0.0; }
  void add_stiffness(const Point&, const double*, const double*, double*) const override {}
  double y_slope;
  JointPlace place;
};

struct WrongGradientLeaf final : JointLeaf {
  explicit WrongGradientLeaf(double slope) : y_slope(slope) {}
  int rows() const override { return 1; }
  int arity() const override { return 2; }
  std::type_index type() const override { return typeid(WrongGradientLeaf); }
  std::unique_ptr<JointSource> new_pool() const override { return std::make_unique<WrongGradient>(y_slope); }
  void append(JointSource& pool, JointPlace place) const override {
    static_cast<WrongGradient&>(pool).place = std::move(place);
  }
  double y_slope;
};

// The mass falls along the line that the rows leave free, which is not where x = 0.
TEST(CorruptedJoint, AGradientThatIsNotThatOfItsPosition) {
  for (const double slope : {0.0, 0.1}) {
    Model model;
    const BlockId mass = model.add_coordinates("mass", {"x", "y"}, testing::masses_with_weight<2>(2.0), {0, 0}, {0, 0});
    model.add_joint("wire", {mass}, std::make_unique<WrongGradientLeaf>(slope));
    const System system = compile(model);
    MoreauJean scheme(system);
    State before = system.initial_state();
    scheme.start(before);
    State after = before;
    ASSERT_TRUE(scheme.step(after, 1e-2).ok());
    const Certificate certificate = certify(system, before, after, scheme.promise());
    EXPECT_EQ(failed(certificate), slope == 0.0 ? Names{} : Names{"jacobian"});
    EXPECT_EQ(certificate[Check::jacobian].joint, slope == 0.0 ? -1 : system.joint("wire"));
  }
}

}  // namespace
}  // namespace esc
