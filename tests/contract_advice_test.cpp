// What the message of a failed run advises helps: for every status a run that fails, and one that follows the advice.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/slider_crank.hpp"
#include "tests/support/stubborn.hpp"

namespace esc::advised {
namespace {

using testing::Stubborn;
using Options = std::vector<OptionText>;

RunReport run(const Model& model, const std::string& name, const Options& options, const SimulateOptions& steps) {
  const System system = compile(model);
  const auto scheme = make_scheme(name, system, options);
  State x = system.initial_state();
  return simulate(*scheme, x, steps);
}

void expect_failed(const RunReport& report, StepStatus status, const std::vector<std::string>& says) {
  EXPECT_EQ(report.last.status, status) << report.message;
  for (const std::string& text : says) EXPECT_NE(report.message.find(text), std::string::npos) << report.message;
}

const auto unit_mass = [](double, const double*, MatrixView M) { M(0, 0) = 1.0; };

// A coordinate x with a mass of its own and a force.
template <class Mass, class Force>
Model coordinate(const Mass& mass, const Force& force, double x = 0.0, double v = 0.0) {
  Model model;
  model.add_coordinates("cart", {"x"}, lagrangian<1>(mass, force), {x}, {v});
  return model;
}

TEST(Advice, GiveAStepThatIsPositiveAndStart) {
  const System system = compile(examples::BouncingBall{}.model());
  const auto scheme = make_scheme("moreau-jean", system);
  State x = system.initial_state();
  EXPECT_EQ(scheme->step(x, 1e-3).status, StepStatus::foreign_state);  // call start()
  scheme->start(x);
  EXPECT_EQ(scheme->step(x, 0.0).status, StepStatus::bad_step);
  EXPECT_TRUE(scheme->step(x, 1e-3).ok());
}

TEST(Advice, LookForAForceThatIsNotANumber) {
  const auto with = [](double sign) {
    return coordinate(unit_mass, [=](const auto& t, const auto*, const auto*, auto* F) {
      using std::sqrt;
      F[0] = sqrt(0.5 + sign * t);
    });
  };
  for (const char* scheme : {"moreau-jean", "combined-projection", "halve"}) {
    expect_failed(run(with(-1.0), scheme, {}, {.step = 0.1, .until = 2.0}), StepStatus::not_finite, {"force"});
    EXPECT_TRUE(run(with(1.0), scheme, {}, {.step = 0.1, .until = 2.0}).ok());
  }
}

const auto no_force = [](const auto&, const auto*, const auto*, auto* F) { F[0] = 0.0; };

TEST(Advice, AMassThatIsNotANumberIsNamed) {
  const auto mass = [](double t, const double*, MatrixView M) { M(0, 0) = std::sqrt(0.52 - t); };
  for (const char* scheme :
       {"moreau-jean", "combined-projection", "direct-projected", "position-theta", "schatzman-paoli", "halve"})
    expect_failed(run(coordinate(mass, no_force, 0.0, 1.0), scheme, {}, {.step = 0.1, .until = 2.0}),
                  StepStatus::not_finite, {"the mass matrix of 'cart' is not finite", "a mass"});
}

TEST(Advice, KeepALostMassAwayWithALimit) {
  const auto mass = [](double, const double* q, MatrixView M) { M(0, 0) = 1.0 - q[0]; };
  const auto force = [](const auto&, const auto*, const auto* v, auto* F) { F[0] = 0.5 * v[0] * v[0]; };  // Lagrange's
  Model model;
  const BlockId cart = model.add_coordinates("cart", {"x"}, lagrangian<1>(mass, force), {0.0}, {1.0});
  expect_failed(run(model, "moreau-jean", {}, {.step = 0.01, .until = 2.0}), StepStatus::mass_lost,
                {"'cart'", "a contact or a limit"});
  model.add_contact("limit", {cart}, gap<1>([](const auto&, const auto* q) { return 0.5 - q[0]; }), {.e = 0.5});
  EXPECT_TRUE(run(model, "moreau-jean", {}, {.step = 0.01, .until = 2.0}).ok());
}

// m - h^2 k / 4 = 0 at h = 2 / sqrt(k / m).
TEST(Advice, ReduceTheStepOfASingularMatrix) {
  const Model model = coordinate(
      unit_mass, [](const auto&, const auto* q, const auto*, auto* F) { F[0] = 256.0 * q[0]; }, 1e-3);
  expect_failed(run(model, "moreau-jean", {}, {.step = 0.125, .until = 0.25}), StepStatus::singular_matrix,
                {"Reduce the step"});
  EXPECT_TRUE(run(model, "moreau-jean", {}, {.step = 0.0625, .until = 0.25}).ok());
}

// Balls of 1 kg in a column on the floor.
Model column(int balls) {
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  ShapeId below = model.add_shape("floor", {}, HalfSpace{});
  for (int i = 0; i < balls; ++i) {
    const std::string name = "ball" + std::to_string(i);
    RigidBody body{.mass = 1.0, .inertia = {1.0, 1.0, 1.0}, .position = {0.0, 0.0, 0.2 * i + 0.1}};
    const ShapeId skin = model.add_shape(name + ".skin", {model.add_rigid_body(name, body)}, Sphere{0.1});
    model.add_contact(name + ".below", skin, below, {});
    below = skin;
  }
  return model;
}

TEST(Advice, LeaveTheSolverAutomatic) {
  const SimulateOptions steps{.step = 1e-3, .until = 1e-2};
  expect_failed(run(column(30), "moreau-jean", {{"solver", "enumerate"}}, steps), StepStatus::solver_failed,
                {"leave solver = automatic"});
  expect_failed(run(column(30), "moreau-jean", {{"solver", "nsgs"}, {"solver_max", "2"}}, steps),
                StepStatus::solver_failed, {"leave solver = automatic"});
  EXPECT_TRUE(run(column(30), "moreau-jean", {{"solver", "automatic"}}, steps).certified());
}

// A box that turns on the floor: short steps need fewer iterations.
Model turning_box() {
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  RigidBody body = solid(Box{0.2, 0.15, 0.1}, 500.0);
  body.position = {0.0, 0.0, 0.1};
  body.angular_velocity = {1.0, 2.0, 0.5};
  const ShapeId skin = model.add_shape("skin", {model.add_rigid_body("box", body)}, Box{0.2, 0.15, 0.1});
  model.add_contact("rest", skin, model.add_shape("floor", {ground}, HalfSpace{}), {.mu = 0.3});
  return model;
}

TEST(Advice, RaiseNewtonMaxWhereNewtonStalls) {
  const SimulateOptions steps{.step = 1e-3, .until = 1e-2};
  expect_failed(run(turning_box(), "moreau-jean", {{"newton_max", "1"}}, steps), StepStatus::newton_stalled,
                {"stuck at contact rest", "raise newton_max"});
  EXPECT_TRUE(run(turning_box(), "moreau-jean", {}, steps).certified());
}

TEST(Advice, HalveWhereNewtonStallsAndMoreHalvingsWhereThatStops) {
  const SimulateOptions steps{.step = 1e-2, .until = 0.1};
  expect_failed(
      run(turning_box(), "moreau-jean", {{"newton_max", "3"}}, steps), StepStatus::newton_stalled,
      {"stuck at contact rest", "Reduce the step", "scheme = \"halve\"", "inner = { scheme = \"moreau-jean\" }"});
  const auto halving = [](const char* most) {
    return Options{{"inner.scheme", "moreau-jean"}, {"inner.newton_max", "3"}, {"max_halvings", most}};
  };
  const RunReport stopped = run(turning_box(), "halve", halving("0"), steps);
  expect_failed(stopped, StepStatus::newton_stalled, {"max_halvings"});
  EXPECT_EQ(stopped.message.find("scheme = \"halve\""), std::string::npos) << "it is around the scheme already";
  const RunReport helped = run(turning_box(), "halve", halving("12"), steps);
  EXPECT_TRUE(helped.certified()) << helped.message;
}

TEST(Advice, LoosenGapTolWhereTheProjectionStalls) {
  const SimulateOptions steps{.step = 1e-4, .until = 1e-2};
  const Model model = examples::SliderCrank{}.model();
  expect_failed(run(model, "combined-projection", {{"gap_tol", "1e-19"}}, steps), StepStatus::projection_stalled,
                {"loosen gap_tol"});
  EXPECT_TRUE(run(model, "combined-projection", {{"gap_tol", "1e-12"}}, steps).ok());
}

TEST(Advice, UseASchemeThatDoesNotLocateEvents) {
  const System system = compile(examples::BouncingBall{}.model());
  Stubborn scheme(system, {.impacts = -1});
  State x = system.initial_state();
  const SimulateOptions steps{.step = 0.125, .until = 1.0, .certify = false};
  expect_failed(simulate(scheme, x, steps), StepStatus::no_progress, {"a scheme that does not locate events"});
  EXPECT_TRUE(run(examples::BouncingBall{}.model(), "moreau-jean", {}, steps).ok());
}

// Both start at rest, so that the start is consistent.
TEST(Advice, MotorsThatContradictEachOtherAreNamedAndOneIsRemoved) {
  const auto driven = [](bool both) {
    Model model;
    const BlockId disc = model.add_rigid_body("disc", {.mass = 1.0, .inertia = {0.3, 0.3, 0.5}});
    const JointId hinge = model.add_joint("hinge", Revolute{}, Frame{ground}, Frame{disc});
    const auto motor = [](double rate) {
      return VelocityMotor{[=](double t, const double*) { return std::array<double, 2>{rate * t, rate}; }};
    };
    model.add_motor("slow", hinge, JointCoordinate::angle, motor(1.0));
    if (both) model.add_motor("fast", hinge, JointCoordinate::angle, motor(2.0));
    const BlockId other =
        model.add_rigid_body("other", {.mass = 1.0, .inertia = {0.3, 0.3, 0.5}, .position = {1, 0, 0}});
    const JointId axle = model.add_joint("axle", Revolute{}, Frame{ground, {1, 0, 0}}, Frame{other});
    model.add_motor("third", axle, JointCoordinate::angle, motor(3.0));
    return model;
  };
  for (const char* scheme : {"moreau-jean", "combined-projection", "direct-projected", "position-theta", "halve"}) {
    const RunReport jammed = run(driven(true), scheme, {}, {.step = 1e-3, .until = 1e-2});
    EXPECT_EQ(jammed.status, RunStatus::failed) << scheme;
    EXPECT_NE(jammed.message.find("no velocity satisfies 'slow', 'fast' together"), std::string::npos)
        << scheme << " " << jammed.message;
    EXPECT_TRUE(run(driven(false), scheme, {}, {.step = 1e-3, .until = 1e-2}).certified()) << scheme;
  }
}

}  // namespace
}  // namespace esc::advised
