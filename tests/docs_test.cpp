// The code that the documentation shows does what the pages say. The pages themselves are checked by docs_test.py.
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/ad/dual.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "docs/code/groove.hpp"
#include "docs/code/mechanisms.hpp"
#include "docs/code/models.hpp"
#include "docs/code/my_scheme.hpp"
#include "docs/code/on_pipe.hpp"
#include "examples/bouncing_ball.hpp"
#include "examples/registry.hpp"
#include "examples/slider_crank.hpp"
#include "examples/slider_on_roller.hpp"
#include "tests/support/repository.hpp"

namespace esc {
namespace {

RunReport run(const System& system, State& x, double step, double until) {
  MoreauJean scheme(system);
  x = system.initial_state();
  return simulate(scheme, x, {.step = step, .until = until});
}

// docs/add_a_scheme.md

using Hashes = std::vector<std::uint64_t>;

template <class Between>
Hashes trajectory(Scheme& scheme, const examples::Example& example, Between between) {
  Hashes hashes;
  State x = scheme.system().initial_state();
  scheme.start(x);
  for (int k = 0; k < static_cast<int>(example.until / example.step); ++k) {
    between(scheme);
    const StepReport report = scheme.step(x, example.step);
    EXPECT_TRUE(report.ok()) << to_string(report.status) << " at t = " << x.t;
    if (!report.ok()) break;
    hashes.push_back(hash(x));
  }
  return hashes;
}

class MyScheme : public ::testing::TestWithParam<examples::Example> {
 protected:
  const System system = compile(GetParam().model());
};

TEST_P(MyScheme, GivesTheSameBitsAfterPoisonAndInvalidate) {
  BackwardEuler scheme(system), other(system);
  const auto plain = trajectory(scheme, GetParam(), [](Scheme&) {});
  EXPECT_EQ(trajectory(scheme, GetParam(), [](Scheme&) {}), plain);
  EXPECT_EQ(trajectory(other, GetParam(), [](Scheme& s) { s.poison(); }), plain);
  EXPECT_EQ(trajectory(other, GetParam(), [](Scheme& s) { s.invalidate(); }), plain);
}

TEST_P(MyScheme, KeepsItsPromise) {
  BackwardEuler scheme(system);
  State x = system.initial_state();
  const RunReport report = simulate(scheme, x, {.step = GetParam().step, .until = GetParam().until});
  EXPECT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(report.impacts > 0, GetParam().contacts);
  EXPECT_EQ(report.failed_certificates, 0) << to_string(report.worst_check);
}

INSTANTIATE_TEST_SUITE_P(Docs, MyScheme, ::testing::ValuesIn(examples::all()), [](const auto& entry) {
  std::string name(entry.param.name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

// First order: the uniform error of the position shrinks with h.
TEST(MySchemeOnTheBall, ConvergesToTheExactMotion) {
  const examples::BouncingBall ball;
  const System system = compile(ball.model());
  for (const double h : {1e-2 / std::numbers::sqrt2, 1e-3 / std::numbers::sqrt2}) {
    BackwardEuler scheme(system);
    State x = system.initial_state();
    scheme.start(x);
    for (int k = 1; k * h <= 4.0; ++k) {
      ASSERT_TRUE(scheme.step(x, h).ok());
      ASSERT_NEAR(x.q[0], ball.exact(k * h).q, 5.0 * h) << "t = " << k * h;
    }
  }
}

void expect_failure(Scheme& scheme, State& x, double h, StepStatus status) {
  const auto before = hash(x);
  const StepReport report = scheme.step(x, h);
  EXPECT_EQ(report.status, status) << to_string(report.status) << " instead of " << to_string(status);
  EXPECT_EQ(report.advanced, 0.0);
  EXPECT_EQ(hash(x), before);
}

TEST(MySchemeFailure, LeavesTheStateUntouched) {
  const System system = compile(examples::SliderCrank{}.model());
  BackwardEuler scheme(system, {.newton_max = 1});
  State x = system.initial_state();
  expect_failure(scheme, x, 1e-4, StepStatus::foreign_state);
  scheme.start(x);
  expect_failure(scheme, x, 0.0, StepStatus::bad_step);
  expect_failure(scheme, x, 1e-4, StepStatus::newton_stalled);
  EXPECT_THROW(BackwardEuler(system, {.tol = -1.0}), OptionError);
}

TEST(MySchemeFailure, NumbersInTheStateThatAreNotFinite) {
  const System system = compile(examples::SliderOnRoller{}.model());
  BackwardEuler scheme(system);
  State good = system.initial_state();
  scheme.start(good);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (std::vector<double> State::*part : {&State::q, &State::v, &State::u}) {
      State x = good;
      (x.*part)[0] = bad;
      expect_failure(scheme, x, 1e-3, StepStatus::not_finite);
    }
    State x = good;
    x.t = bad;
    expect_failure(scheme, x, 1e-3, StepStatus::not_finite);
  }
  EXPECT_TRUE(scheme.step(good, 1e-3).ok());
}

// docs/add_a_contact_pair.md

// Each flank carries m g / (2 sin a) of a disc at rest in the groove.
TEST(Groove, CarriesADiscAtRest) {
  constexpr double h = 1e-3, mass = 2.0, g = 9.81;
  const DiscInGroove groove{0.1, 0.6};
  Model model;
  model.set_gravity({0.0, -g, 0.0});
  const BlockId disc =
      model.add_planar_body("disc", {.mass = mass, .inertia = 0.01, .pose = {0.02, 0.1 / std::sin(0.6) + 0.05, 0.0}});
  model.add_contact("groove", {disc}, contacts(groove), {});
  const System system = compile(model);
  State x;
  const RunReport report = run(system, x, h, 1.0);
  ASSERT_TRUE(report.ok() && report.failed_certificates == 0);
  EXPECT_NEAR(x.q[0], 0.0, 2e-3);
  ASSERT_EQ(x.contacts.size(), 2u);
  for (const ContactRecord& record : x.contacts) EXPECT_NEAR(record.P[0] / h, mass * g / (2.0 * std::sin(0.6)), 1e-9);
}

// The two ways to write it agree: gap, and G of the gap function against the frame of the pair.
TEST(Groove, GapFunctionAndPairAgree) {
  using S = ad::Dual<3>;
  const DiscInGroove leaf{0.1, 0.6};
  const planar::DiscGroove pair{0.1, 0.6};
  S q[3] = {S(0.03), S(0.4), S(0.7)};
  for (int i = 0; i < 3; ++i) q[i].d[i] = 1.0;
  S gaps[2], slips[2];
  leaf.gap(S(0.0), q, gaps);
  leaf.slip(S(0.0), q, slips);
  for (int k = 0; k < 2; ++k) {
    const auto f = pair.feature(k, planar::Pose<double>{{0.03, 0.4}, std::cos(0.7), std::sin(0.7)},
                                planar::Pose<double>{{0.0, 0.0}, 1.0, 0.0});
    EXPECT_NEAR(f.gap, gaps[k].value, 1e-15);
    EXPECT_NEAR(std::hypot(f.a.x - f.b.x, f.a.y - f.b.y), f.gap, 1e-15);
    const planar::Vec<double> t{f.n.y, -f.n.x}, arm{f.a.x - 0.03, f.a.y - 0.4};
    const double normal_row[3] = {f.n.x, f.n.y, planar::cross(arm, f.n)};
    const double tangent_row[3] = {t.x, t.y, planar::cross(arm, t)};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(gaps[k].d[i], normal_row[i], 1e-15);
      EXPECT_NEAR(slips[k].d[i], tangent_row[i], 1e-15);
    }
  }
}

// In space, seen along the edge of a groove that has been turned about it, the pair is the planar one.
TEST(Groove, PlanarAndSpatialPairAgree) {
  const planar::DiscGroove flat{0.1, 0.6};
  const spatial::SphereGroove solid_groove{0.1, 0.6};
  const double c = std::cos(0.4), s = std::sin(0.4);
  const Pose<double> sphere{{0.03, 5.0, 0.4}, {}},
      groove{{0.01, 0.0, -0.02}, {{c, 0.0, s}, {0.0, 1.0, 0.0}, {-s, 0.0, c}}};
  for (int k = 0; k < 2; ++k) {
    const auto f =
        flat.feature(k, planar::Pose<double>{{0.03, 0.4}, 1.0, 0.0}, planar::Pose<double>{{0.01, -0.02}, c, s});
    const auto g = solid_groove.feature(k, sphere, groove);
    EXPECT_NEAR(g.gap, f.gap, 1e-15);
    EXPECT_NEAR(norm(g.n - Vec3<double>{f.n.x, 0.0, f.n.y}), 0.0, 1e-15);
    EXPECT_NEAR(norm(g.a - Vec3<double>{f.a.x, 5.0, f.a.y}), 0.0, 1e-15);
    EXPECT_NEAR(norm(g.b - Vec3<double>{f.b.x, 5.0, f.b.y}), 0.0, 1e-15);
  }
}

// docs/models.md

TEST(DocsModels, ThreeWaysToWriteAPendulumGiveOneMotion) {
  State leaf, functions, energies;
  EXPECT_EQ(run(compile(docs::pendulum_by_leaf()), leaf, 1e-3, 2.0).failed_certificates, 0);
  EXPECT_EQ(run(compile(docs::pendulum_by_functions()), functions, 1e-3, 2.0).failed_certificates, 0);
  EXPECT_EQ(run(compile(docs::pendulum_by_energies()), energies, 1e-3, 2.0).failed_certificates, 0);
  EXPECT_GT(leaf.t, 1.99);
  EXPECT_NEAR(leaf.q[0], functions.q[0], 1e-9);
  EXPECT_NEAR(leaf.q[0], energies.q[0], 1e-9);
}

TEST(DocsModels, MaterialsAndFiltersMakeTheContacts) {
  const System system = compile(docs::boxes());
  ASSERT_EQ(system.pairs(), 2);
  ContactSet set;
  const State& x = system.initial_state();
  system.detect(x.t, x.q, any_gap, set);
  ASSERT_EQ(set.size(), 5);  // four corners, one disc
  for (const Contact& contact : set.contacts) {
    EXPECT_DOUBLE_EQ(contact.law.e, 0.6);
    EXPECT_DOUBLE_EQ(contact.law.mu, contact.key.pair == system.contact_key("rim/floor").pair ? 0.55 : 0.2);
  }
  State rest;
  const RunReport report = run(system, rest, 1e-3, 3.0);
  EXPECT_EQ(report.failed_certificates, 0);
  EXPECT_NEAR(rest.q[system.coordinate("box.y")], 0.1, 5e-3);
  EXPECT_NEAR(rest.q[system.coordinate("ball.y")], 0.05, 5e-3);
}

// The table's acceleration stays below g, so the box ends up moving with table and belt; their work is counted to
// round-off.
TEST(DocsModels, AShakenBoxIsCarriedByTableAndBelt) {
  const System system = compile(docs::shaken_box());
  State x;
  const RunReport report = run(system, x, 1e-4, 2.0);
  EXPECT_EQ(report.failed_certificates, 0);
  EXPECT_GT(report.impacts, 0);
  EXPECT_NEAR(x.v[0], 0.1, 1e-9);
  EXPECT_NEAR(x.v[1], 0.12 * std::cos(60.0 * x.t), 1e-9);
  EXPECT_NE(report.total[Work::walls], 0.0);
  EXPECT_NEAR(report.total.balance_error(), 0.0, 1e-9);
}

// The impulse of the motor is the momentum of both carts.
TEST(DocsModels, TwoCarts) {
  const System system = compile(docs::two_carts());
  State x;
  const RunReport report = run(system, x, 1e-3, 1.0);
  EXPECT_EQ(report.failed_certificates, 0);
  EXPECT_NEAR(x.v[0] + x.v[1], 3.0 * x.t, 1e-9);
  EXPECT_LT(report.total[Work::damping], 0.0);
  double distance = 0.0;
  system.outputs(x, {&distance, 1});
  EXPECT_EQ(distance, x.q[1] - x.q[0]);
}

// Wave theory: the wall carries E S v0 / c0 while the wave runs to the far end and back.
TEST(DocsModels, TheBarHitsTheWall) {
  const System system = compile(docs::bar());
  State x;
  EXPECT_EQ(run(system, x, 2e-6, 7e-4).failed_certificates, 0);
  ASSERT_EQ(x.contacts.size(), 1u);
  EXPECT_NEAR(x.contacts[0].P[0] / 2e-6, 1e-4 * 0.1 * std::sqrt(210e9 * 7800.0), 5.0);
}

TEST(DocsModels, TheErrorOnThePageIsTheErrorOfTheLibrary) {
  Model model;
  const BlockId box = model.add_planar_body("box", {.pose = {0.0, 0.05, 0.0}});
  const ShapeId a = model.add_shape("plate", planar_frame(box, 0.0, 0.0), Rectangle{0.2, 0.1});
  const ShapeId b = model.add_shape("floor", planar_frame(ground, 0.0, 0.0), HalfPlane{});
  model.add_contact("plate on floor", a, b, {});
  try {
    (void)compile(model);
    FAIL() << "a box that starts inside the floor was accepted";
  } catch (const ModelError& error) {
    EXPECT_NE(testing::page("models.md").find(error.what()), std::string::npos)
        << "not in docs/models.md: " << error.what();
  }
}

// docs/shapes.md

TEST(DocsShapes, BrickAndBallComeToRest) {
  const System system = compile(docs::brick_and_ball());
  EXPECT_EQ(system.pairs(), 3);
  State x;
  EXPECT_EQ(run(system, x, 2e-3, 1.5).failed_certificates, 0);
  EXPECT_NEAR(x.q[system.coordinate("brick.z")], 0.04, 5e-3);
  EXPECT_NEAR(x.q[system.coordinate("ball.z")], 0.05, 5e-3);
}

// docs/joints.md

// The door ends at its stop; by least norm each hinge carries half of the weight.
TEST(DocsJoints, ADoorOnTwoHingesSharesItsWeight) {
  const System system = compile(docs::door());
  ASSERT_EQ(system.warnings().size(), 1u);
  EXPECT_NE(testing::page("joints.md").find(system.warnings()[0]), std::string::npos) << system.warnings()[0];
  State x;
  EXPECT_EQ(run(system, x, 5e-3, 6.0).failed_certificates, 0);
  EXPECT_NEAR(2.0 * std::atan2(x.q[6], x.q[3]), 1.0, 5e-3);
  const double weight = 9.81 * 600.0 * 0.8 * 0.04 * 2.0;
  for (const char* name : {"hinge", "upper hinge"})
    EXPECT_NEAR(x.joint_impulse[system.joints()[system.joint(name)].first_row + 2] / x.h, 0.5 * weight, 1e-6 * weight);
  const docs::DoorReadings door = docs::read_door(system, x);
  EXPECT_NEAR(door.weight, 0.5 * weight, 1e-6 * weight);
  EXPECT_NEAR(door.angle, 2.0 * std::atan2(x.q[6], x.q[3]), 1e-12);
  EXPECT_NEAR(door.stop, 15.0 * (1.2 - door.angle), 1e-3);  // against the closer
}

TEST(DocsJoints, ProjectedSliderCrankFollowsItsDrive) {
  const System system = compile(docs::slider_crank());
  State x;
  const RunReport report = run(system, x, 1e-4, 0.7);
  EXPECT_EQ(report.failed_certificates, 0);
  EXPECT_LT(report.max_joint_drift, 1e-5);
  const double phi = 10.0 * x.t + 0.2 * std::sin(5.0 * x.t), s = 0.1 * std::sin(phi);
  EXPECT_NEAR(x.q[system.coordinate("slider.x")], 0.1 * std::cos(phi) + std::sqrt(0.09 - s * s), 1e-5);
}

// docs/forces.md

TEST(DocsForces, GearsTurnAgainstEachOther) {
  const System system = compile(docs::gearbox());
  MoreauJean scheme(system);
  State x = system.initial_state();
  x.u[system.input("drive.velocity")] = 30.0;
  EXPECT_TRUE(simulate(scheme, x, {.step = 1e-3, .until = 2.0}).certified());
  EXPECT_NEAR(x.v[system.velocity("pinion.phi")], 30.0, 1e-9);
  EXPECT_NEAR(x.v[system.velocity("wheel.phi")], -10.0, 1e-9);
  EXPECT_NEAR(x.q[system.coordinate("wheel.phi")], -10.0 * x.t, 0.01);
  EXPECT_TRUE(docs::run_up(scheme, x));
  EXPECT_NEAR(x.v[system.velocity("wheel.phi")], -20.0, 1e-9);
}

TEST(DocsForces, SpringRopeAndMountCarryTheirWeights) {
  const System system = compile(docs::hanging());
  State x;
  EXPECT_EQ(run(system, x, 2e-3, 4.0).failed_certificates, 0);
  EXPECT_NEAR(x.q[system.coordinate("lamp.z")], -0.8 - 2.0 * 9.81 / 200.0, 1e-6);
  EXPECT_NEAR(x.q[system.coordinate("bucket.z")], -1.1 - 2.0 * 9.81 / 900.0, 1e-6);
  EXPECT_NEAR(x.q[system.coordinate("engine.z")], -1.0 - 2.0 * 9.81 / 2e4, 1e-6);
}

// docs/add_a_joint.md

// The two ways to write it agree: residual and row of G, on two bodies with frames of their own.
TEST(OnPipe, FunctionOfFramesAndRowAgree) {
  Model model;
  model.set_assembly(Assembly::project);
  const BlockId a = model.add_rigid_body("a", {.rotation = {0.8, 0.0, 0.6, 0.0}});
  const BlockId b = model.add_rigid_body("b", {.position = {0.7, 0.4, 0.9}, .rotation = {0.6, 0.8, 0.0, 0.0}});
  const Frame pipe{a, {0.1, 0.2, -0.1}, {0.96, 0.0, 0.0, 0.28}}, bead{b, {0.0, -0.1, 0.05}};
  model.add_joint("bead", {pipe, bead}, on_pipe(0.5));
  const System system = compile(model);
  const State& x = system.initial_state();
  JointSet set;
  system.evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), nullptr}, set);

  const Anchor anchor_a{BodyKind::rigid, 0, 0, vec3(pipe.position), rotation_of(pipe.rotation)};
  const Anchor anchor_b{BodyKind::rigid, 7, 6, vec3(bead.position), rotation_of(bead.rotation)};
  const auto A = place(anchor_a, x.q.data()), B = place(anchor_b, x.q.data());
  double row[12];
  write_row(pipe_wrench(A.frame, B.frame), anchor_a, A, anchor_b, B, row);
  EXPECT_NEAR(pipe_value(0.5, A.frame, B.frame), set.g[0], 1e-15);
  for (int j = 0; j < 12; ++j) EXPECT_NEAR(row[j], set.G[j], 1e-14) << j;
}

// A bead that does not turn swings around a level pipe as a pendulum and slides along it at a constant speed.
TEST(OnPipe, ABeadSwingsAndSlides) {
  constexpr double g = 9.81, r = 0.5, start = 1.0, h = 5e-4;
  Model model;
  model.set_gravity({0.0, -g, 0.0});
  const BlockId bead = model.add_rigid_body(
      "bead", {.position = {r * std::sin(start), -r * std::cos(start), 0.0}, .velocity = {0, 0, 2}});
  model.add_joint("pipe", {Frame{ground}, Frame{bead}}, on_pipe(r));
  const System system = compile(model);
  State x;
  const RunReport report = run(system, x, h, 1.0);
  EXPECT_EQ(report.failed_certificates, 0);
  EXPECT_LT(report.max_joint_drift, 10.0 * h * h);
  EXPECT_NEAR(x.q[2], 2.0 * x.t, 1e-12);
  double angle = start, rate = 0.0;  // leapfrog, fine
  for (int i = 0; i < 100000; ++i) {
    const double dt = x.t / 100000, half = rate - 0.5 * dt * g / r * std::sin(angle);
    angle += dt * half;
    rate = half - 0.5 * dt * g / r * std::sin(angle);
  }
  EXPECT_NEAR(std::atan2(x.q[0], -x.q[1]), angle, 5.0 * h);
}

}  // namespace
}  // namespace esc
