// Towers and heavy bodies on light ones, from their first step: what lies at rest stays, every interface carries the
// weight above it, and every step holds what its scheme promises.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

#include "examples/box_stack.hpp"

namespace esc {
namespace {

struct Tower {
  const char* scheme;
  int boxes;
  double h;     // s
  double left;  // N s, what each box may leave of its balance: an interface carries what is above to the sum of these
  int steps = 300;
};

void expect_rest(const Tower& tower) {
  const examples::BoxStack stack{.boxes = tower.boxes, .clearance = 0.0};
  const System system = compile(stack.model());
  const auto scheme = make_scheme(tower.scheme, system);
  const double weight = solid(stack.box, stack.density).mass * stack.g;
  State x = system.initial_state();
  double worst = 0.0;
  SimulateOptions options{.step = tower.h, .until = tower.steps * tower.h};
  options.observe = [&](const Progress& progress) {
    std::vector<double> force(tower.boxes, 0.0);
    for (const ContactRecord& record : progress.after.contacts)
      force[record.key.pair] += to_world(record)[2] / progress.after.h;
    for (int i = 0; i < tower.boxes; ++i) worst = std::max(worst, std::abs(force[i] / weight - (tower.boxes - i)));
  };
  const RunReport report = simulate(*scheme, x, options);
  EXPECT_TRUE(report.certified()) << tower.scheme << ", " << tower.boxes << " boxes\n"
                                  << summary(*scheme, options, report);
  EXPECT_LE(worst, tower.boxes * tower.left / (weight * tower.h)) << tower.scheme << ", h = " << tower.h;
  for (std::size_t i = 0; i < x.q.size(); ++i)
    EXPECT_NEAR(x.q[i], system.initial_state().q[i], 1e-11) << tower.scheme << ", coordinate " << i;
}

constexpr double tol = 1e-10;  // N s, of the schemes: the Newton loop ends there

TEST(Towers, EightBoxesRestWithCombinedProjection) { expect_rest({"combined-projection", 8, 1e-3, tol}); }

TEST(Towers, TwentyBoxesRestAtVelocityLevel) {
  for (const char* scheme : {"moreau-jean", "direct-projected"})
    for (const double h : {1e-3, 1e-2}) expect_rest({scheme, 20, h, tol});
}

TEST(Towers, TwentyBoxesRestWithCombinedProjection_slow) {
  expect_rest({"combined-projection", 8, 1e-2, tol});
  for (const double h : {1e-3, 1e-2}) expect_rest({"combined-projection", 20, h, tol});
}

// At position level impulses follow from gaps. One that is off by what the scheme promises, 10 gap_tol = 1e-11 m, moves
// the impulse of a box of mass m by m 1e-11 m / h.
TEST(Towers, TwentyBoxesRestAtPositionLevel_slow) {
  const examples::BoxStack stack;
  const double m = solid(stack.box, stack.density).mass;
  expect_rest({"position-theta", 20, 1e-3, m * 1e-11 / 1e-3, 100});
  expect_rest({"position-theta", 20, 1e-2, m * 1e-11 / 1e-2});
}

// 1 g below 1000 kg: spheres of 1 cm and 30 cm, or boxes of one size, the upper one on the upper face of the lower.
Model heavy_on_light(bool box, double fall, double e, double mu) {
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  ShapeId below = model.add_shape("floor", {}, HalfSpace{});
  double top = 0.0;
  for (const bool heavy : {false, true}) {
    const std::string name = heavy ? "heavy" : "light";
    const double size = box ? 0.1 : heavy ? 0.3 : 0.01, mass = heavy ? 1e3 : 1e-3;
    const Geometry shape = box ? Geometry(Box{size, size, size}) : Geometry(Sphere{size});
    RigidBody body = solid(shape, 1.0);
    for (double& moment : body.inertia) moment *= mass / body.mass;
    body.mass = mass;
    body.position = {0.0, 0.0, top + fall + size};
    top += fall + 2.0 * size;
    const BlockId id = model.add_rigid_body(name, body);
    const ShapeId skin = model.add_shape(name + ".skin", {id}, shape);
    model.add_contact(name + ".below", skin, below, {.e = e, .mu = mu});
    below = box ? model.add_shape(name + ".top", {id, {0.0, 0.0, size}}, HalfSpace{}) : skin;
  }
  return model;
}

struct Held {
  State before, after;
  Promise promise;
};

// Returns the step with the largest impulse.
Held expect_held(const Model& model, const std::string& name, double h) {
  const System system = compile(model);
  const bool halves = name == "halve";
  const auto scheme = make_scheme(
      name, system,
      halves ? std::vector<OptionText>{{"inner.scheme", "combined-projection"}} : std::vector<OptionText>{});
  State x = system.initial_state();
  Held held;
  double largest = 0.0;
  SimulateOptions options{.step = h, .until = 300 * h};
  options.observe = [&](const Progress& progress) {
    for (const ContactRecord& record : progress.after.contacts) {
      if (!(record.P[0] > largest)) continue;
      largest = record.P[0];
      held = {progress.before, progress.after, *progress.step.promise};
    }
  };
  const RunReport report = simulate(*scheme, x, options);
  EXPECT_TRUE(report.certified()) << name << ", h = " << h << "\n" << summary(*scheme, options, report);
  return held;
}

TEST(Towers, AThousandKilogramsOnAGramAreHeldAsSpheres) {
  for (const char* scheme : {"moreau-jean", "direct-projected", "combined-projection", "halve"})
    for (const double fall : {0.0, 1e-3, 0.1})
      for (const double e : {0.0, 0.5})
        for (const double mu : {0.0, 0.5}) {
          expect_held(heavy_on_light(false, fall, e, mu), scheme, 1e-3);
          expect_held(heavy_on_light(false, fall, e, mu), scheme, 1e-2);
        }
}

TEST(Towers, AThousandKilogramsOnAGramAreHeldAsBoxes) {
  for (const double e : {0.0, 0.5}) {
    for (const double mu : {0.0, 0.5}) expect_held(heavy_on_light(true, 0.0, e, mu), "halve", 1e-3);
    expect_held(heavy_on_light(true, 0.1, e, 0.0), "halve", 1e-3);
  }
}

TEST(Towers, AThousandKilogramsOnAGramAreHeldAsBoxes_slow) {
  for (const double fall : {0.0, 1e-3, 0.1})
    for (const double e : {0.0, 0.5}) expect_held(heavy_on_light(true, fall, e, 0.5), "halve", 1e-2);
}

// The bound of round-off hides nothing else: 1e-7 m/s of the light ball, on which 1000 N s act from both sides, is
// seen.
TEST(Towers, AWrongVelocityOfTheGramIsSeen) {
  const Model model = heavy_on_light(false, 0.1, 0.0, 0.0);
  const System system = compile(model);
  Held step = expect_held(model, "combined-projection", 1e-3);
  EXPECT_TRUE(certify(system, step.before, step.after, step.promise).ok());
  step.after.v[2] -= 1e-7;
  const Certificate wrong = certify(system, step.before, step.after, step.promise);
  const Finding& finding = wrong.findings[static_cast<std::size_t>(Check::impact_law)];
  EXPECT_FALSE(finding.ok());
  EXPECT_NEAR(finding.value, 1e-7, 1e-8);
}

}  // namespace
}  // namespace esc
