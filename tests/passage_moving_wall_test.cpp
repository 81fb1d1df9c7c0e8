// Walls that move as a function of time, of which a step knows the two ends: who rests on one, hops on it or flies over
// it is not blamed for the way between two states being a chord, but what goes through is seen.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/gap.hpp>
#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

namespace esc {
namespace {

constexpr double g = 9.81;  // m/s^2
constexpr double pi = std::numbers::pi;

// A body above a floor at A sin(w t + phase), with whose velocity it starts.
struct Shaker {
  double A;  // m
  double w;  // rad/s
  double phase = 0.0;
  double e = 0.0;
  double gravity = g;   // m/s^2
  double height = 0.0;  // m, above the floor

  Model model() const {
    Model model;
    model.set_gravity({0.0, -gravity, 0.0});
    const double y = height + A * std::sin(phase), v = A * w * std::cos(phase);
    const BlockId body =
        model.add_planar_body("body", {.mass = 1.0, .inertia = 1.0, .pose = {0, y, 0}, .velocity = {0, v, 0}});
    const auto gap_of_floor = [*this](const auto& t, const auto* q) {
      using std::sin;
      return q[0] - A * sin(w * t + phase);
    };
    model.add_contact("floor", std::vector{Coordinates(body, 1, 1)}, gap<1>(gap_of_floor), {.e = e});
    return model;
  }
};

std::vector<OptionText> options_of(const std::string& scheme) {
  return scheme == "halve" ? std::vector<OptionText>{{"inner.scheme", "combined-projection"}}
                           : std::vector<OptionText>{};
}

struct Ran : RunReport {
  State end;
};

Ran run(const Model& model, const std::string& name, const SimulateOptions& options) {
  const System system = compile(model);
  const auto scheme = make_scheme(name, system, options_of(name));
  State x = system.initial_state();
  const RunReport report = simulate(*scheme, x, options);
  return {report, x};
}

// `part` is that of gravity which the floor's acceleration reaches: below 1 a body at rest stays on it.
void expect_to_stay(const std::string& scheme, double e, double part) {
  for (const double w : {1.0, 30.0})
    for (const double wh : {1e-3, 1e-2, 0.1, 0.3})
      for (const double phase : {0.4, 1.5}) {  // the crest is at pi / 2
        const Shaker shaker{.A = part * g / (w * w), .w = w, .phase = phase, .e = e};
        const double turn = wh < 5e-3 ? 0.2 : wh < 5e-2 ? 1.3 : 6.2;
        const Ran report = run(shaker.model(), scheme, {.step = wh / w, .until = turn / w});
        EXPECT_TRUE(report.ok() && report.certified_steps == report.steps)
            << scheme << ", e " << e << ", part " << part << ", w " << w << ", w h " << wh << ", phase " << phase
            << ": " << report.message << " " << to_string(report.worst_check) << " " << report.worst_finding.value;
      }
}

TEST(MovingWall, ABodyAtRestIsNotBlamedForTheWall) {
  for (const char* scheme :
       {"halve", "combined-projection", "direct-projected", "moreau-jean", "position-theta", "schatzman-paoli"})
    for (const double part : {0.01, 0.3, 0.9}) expect_to_stay(scheme, 0.0, part);
}

TEST(MovingWall, NorIsOneThatHops) {
  for (const double e : {0.05, 0.5, 0.9}) {
    for (const char* scheme : {"halve", "combined-projection", "direct-projected", "moreau-jean", "schatzman-paoli"})
      for (const double part : {0.1, 0.9}) expect_to_stay(scheme, e, part);
    for (const char* scheme : {"halve", "combined-projection", "direct-projected"}) expect_to_stay(scheme, e, 1.5);
  }
}

// The floor comes, goes through the body and leaves within a step.
TEST(MovingWall, OneThatSweepsThroughABodyIsSeen) {
  for (const double w : {1.0, 30.0})
    for (const double part : {0.1, 0.5, 0.9}) {  // of the amplitude, from where the floor stands in the middle
      const double A = 0.01, h = 2.0 * pi / w;
      const Model model =
          Shaker{.A = A, .w = w, .phase = -0.5 * pi, .gravity = 0.0, .height = (1.0 + part) * A}.model();
      const Ran slow = run(model, "moreau-jean", {.step = h, .until = h});
      EXPECT_EQ(slow.certified_steps, 0) << part;
      EXPECT_EQ(slow.worst_check, Check::passage) << part;
      const Ran exact = run(model, "combined-projection", {.step = h, .until = h});
      EXPECT_EQ(exact.last.status, StepStatus::contact_missed) << part << " " << exact.message;
      const Ran halved = run(model, "halve", {.step = h, .until = h});
      EXPECT_TRUE(halved.certified()) << part << " " << halved.message;
      EXPECT_GE(halved.end.q[1], A - 1e-9) << part << ", lifted";
    }
}

// A round wall comes, and the step ends where the body is on its other side, or level with its middle: in no state does
// the gap push it back.
TEST(MovingWall, OneThatStopsBehindABodyIsSeen) {
  for (const double off : {0.001, 0.0}) {  // m, of the body from the way of the middle, of a radius of 10 mm
    Model model;
    const BlockId body = model.add_planar_body("body", {.pose = {0.1, off, 0}});
    const auto round = [](const auto& t, const auto* q) {
      using std::abs;
      using std::sqrt;
      const auto x = q[0] - 100.0 * t;
      return (q[1] == 0.0 ? abs(x) : sqrt(x * x + q[1] * q[1])) - 0.01;
    };
    model.add_contact("wall", std::vector{Coordinates(body, 0, 2)}, gap<2>(round), {.e = 0.5});
    const Ran report = run(model, "moreau-jean", {.step = 1e-3, .until = 1e-3});
    EXPECT_EQ(report.worst_check, Check::passage) << off;
    EXPECT_EQ(report.certified_steps, 0) << off;
  }
}

// The body rests on the floor in both states, and the floor has swung in between by half a wave or a whole one.
TEST(MovingWall, OneThatSwingsThroughABodyAtRestIsSeen) {
  for (const double waves : {0.5, 1.0}) {
    const double phase = waves < 1.0 ? 0.0 : -0.5 * pi, h = 2.0 * pi * waves;
    const Model model = Shaker{.A = 0.3 * g, .w = 1.0, .phase = phase}.model();
    const Ran report = run(model, "moreau-jean", {.step = h, .until = h});
    EXPECT_EQ(report.worst_check, Check::passage) << waves;
    EXPECT_EQ(report.certified_steps, 0) << waves;
  }
}

// The body is on a thin wall already, which the impulse of the step lets it cross: half the way of its velocity.
TEST(MovingWall, AThinWallUnderTheImpulseOfTheStepIsSeen) {
  for (const double speed : {0.0, 3.0}) {  // m/s, of the wall, 10 mm thick
    Model model;
    const BlockId body = model.add_planar_body(
        "body", {.mass = 1, .inertia = 1, .pose = {-5e-3, 0, 0}, .velocity = {10.0 + speed, 0, 0}});
    const auto wall = [=](const auto& t, const auto* q) {
      using std::abs;
      return abs(q[0] - speed * t) - 5e-3;
    };
    model.add_contact("wall", std::vector{Coordinates(body, 0, 1)}, gap<1>(wall), {.e = 0.5});
    const System system = compile(model);
    const std::vector<OptionText> options{{"frame", "begin"}};
    const auto scheme = make_scheme("moreau-jean", system, options);
    State x = system.initial_state();
    const RunReport report = simulate(*scheme, x, {.step = 1e-2, .until = 1e-2});
    ASSERT_EQ(x.contacts.size(), 1u);
    EXPECT_GT(x.contacts[0].P[0], 0.0) << speed;
    EXPECT_EQ(report.worst_check, Check::passage) << speed;
  }
}

}  // namespace
}  // namespace esc
