// Friction in a polygon: a box on a level floor under a tilted gravity sticks and slides as the polygon says, and as
// the round cone says in the limit of many directions. Directions are angles from the first tangent of the contacts,
// along which the first corner of a polygon lies.
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <escapement/certify.hpp>
#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>
#include <escapement/schemes/position_theta.hpp>

#include "tests/support/norms.hpp"

namespace esc {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double mu = 0.5, g = 9.81, h = 5e-3;

// Gravity tilted by an angle with this tangent, towards `angle` from x.
Model tilted_from_x(double tangent, double angle) {
  const double down = g / std::hypot(1.0, tangent), along = tangent * down;
  Model model;
  model.set_gravity({along * std::cos(angle), along * std::sin(angle), -down});
  const Box box{0.10, 0.15, 0.02};
  RigidBody body = solid(box, 1000.0);
  body.position = {0.0, 0.0, 0.02 - 5e-10};  // a little below the surface: a gap of zero is a tie
  const BlockId id = model.add_rigid_body("box", body);
  const ShapeId above = model.add_shape("sides", {id}, box);
  const ShapeId below = model.add_shape("floor", {ground}, HalfSpace{});
  model.add_contact("touch", above, below, {.e = 0.0, .mu = mu});
  return model;
}

// rad, of the first tangent from x; the normal points upwards.
double first_tangent() {
  static const double angle = [] {
    const System system = compile(tilted_from_x(0.0, 0.0));
    const ContactSet set = test::contacts_at(system, system.initial_state());
    EXPECT_NEAR(set.contacts[0].normal[2], 1.0, 1e-12);
    return std::atan2(set.contacts[0].tangent[1], set.contacts[0].tangent[0]);
  }();
  return angle;
}

Model tilted(double tangent, double direction) { return tilted_from_x(tangent, direction + first_tangent()); }

template <class S>
typename S::Options polygon(int directions) {
  typename S::Options options;
  options.friction_cone = FrictionCone::polygon;
  options.friction_directions = directions;
  return options;
}

struct Slide {
  double speed = 0.0, direction = 0.0;  // m/s, rad
};

template <class S = MoreauJean>
Slide slide(const Model& model, const typename S::Options& options, int steps = 20) {
  Slide end;
  test::follow<S>(model, options, {.step = h, .until = steps * h}, [&](const System& system, const State& x) {
    const double vx = x.v[system.velocity("box.vx")], vy = x.v[system.velocity("box.vy")];
    end = {std::hypot(vx, vy), std::remainder(std::atan2(vy, vx) - first_tangent(), 2.0 * pi)};
  });
  return end;
}

// From the nearest of the directions 2 pi i / n.
double offset(double angle, int n) { return std::remainder(angle, 2.0 * pi / n); }

// The largest tangent of the slope at which a box does not slide: the polygon has its sides at cos(pi / n).
double largest_slope(double direction, int n) {
  return mu * std::cos(pi / n) / std::cos(offset(direction - pi / n, n));
}

// Sliding from rest keeps its direction. Against one corner at an angle `off` from the slope the acceleration is
// slope - mu corner; if that leaves the sector of the corner, two corners share and the box slides between them.
double sliding_direction(double tangent, double direction, int n) {
  const double off = offset(direction, n), half = pi / n;
  const double turned = std::atan2(tangent * std::sin(off), tangent * std::cos(off) - mu);
  return direction - off + (std::abs(turned) <= half ? turned : std::copysign(half, off));
}

TEST(FrictionPolygon, HoldsTheBoxUpToItsSides) {
  for (const int n : {4, 8, 16})
    for (const double direction : {0.0, pi / n, 0.3 * pi / n, 1.7 * pi / n, pi / 2.0, -2.2}) {
      const double most = largest_slope(direction, n);
      const auto options = polygon<MoreauJean>(n);
      EXPECT_LE(slide(tilted(0.999 * most, direction), options).speed, 1e-11) << n << " " << direction;
      EXPECT_GE(slide(tilted(1.001 * most, direction), options).speed, 1e-5) << n << " " << direction;
    }
}

// Full friction along the corners only: the four-sided polygon has 1 / sqrt(2) of it between two of them.
TEST(FrictionPolygon, OfFourSidesHoldsLeastBetweenItsCorners) {
  const auto options = polygon<MoreauJean>(4);
  for (int k = 0; k < 4; ++k) {
    const double corner = k * pi / 2.0, middle = corner + pi / 4.0;
    EXPECT_LE(slide(tilted(0.99 * mu, corner), options).speed, 1e-11);
    EXPECT_GE(slide(tilted(1.01 * mu * std::sqrt(0.5), middle), options).speed, 1e-4);
    EXPECT_LE(slide(tilted(0.99 * mu * std::sqrt(0.5), middle), options).speed, 1e-11);
    EXPECT_LE(slide(tilted(0.99 * mu, middle), {}).speed, 1e-11) << "the round cone holds in every direction";
  }
}

TEST(FrictionPolygon, SlidesInItsDirectionAndInThatOfTheSlopeInTheLimit) {
  for (const double tangent : {0.55, 0.8, 1.5})
    for (const double direction : {0.11, 0.5, 1.2, -2.0}) {
      const Slide round = slide(tilted(tangent, direction), {});
      EXPECT_NEAR(std::remainder(round.direction - direction, 2.0 * pi), 0.0, 1e-9);
      for (const int n : {4, 8, 16, 32}) {
        const Slide sliding = slide(tilted(tangent, direction), polygon<MoreauJean>(n));
        const double expected = sliding_direction(tangent, direction, n);
        EXPECT_NEAR(std::remainder(sliding.direction - expected, 2.0 * pi), 0.0, 1e-8) << n << " " << direction;
        EXPECT_LE(std::abs(std::remainder(sliding.direction - direction, 2.0 * pi)), pi / n + 1e-8);
        EXPECT_LE(std::abs(sliding.speed - round.speed), 0.5 * mu * g * 20 * h * pi * pi / (n * n) + 1e-9);
      }
    }
}

TEST(FrictionPolygon, IsTheSameToEveryScheme) {
  const Model model = tilted(0.8, 0.5);
  const double expected = sliding_direction(0.8, 0.5, 8);
  EXPECT_NEAR(slide<DirectProjected>(model, polygon<DirectProjected>(8)).direction, expected, 1e-8);
  EXPECT_NEAR(slide<CombinedProjection>(model, polygon<CombinedProjection>(8)).direction, expected, 1e-8);
  EXPECT_NEAR(slide<PositionTheta>(model, polygon<PositionTheta>(8)).direction, expected, 1e-7);
  auto coupled = polygon<CombinedProjection>(8);
  coupled.implementation = Implementation::coupled;
  EXPECT_NEAR(slide<CombinedProjection>(model, coupled).direction, expected, 1e-8);
}

TEST(FrictionPolygon, GoesToTheSolversThatKnowIt) {
  const Model model = tilted(0.8, 0.5);
  for (const ConeSolver solver : {ConeSolver::automatic, ConeSolver::lemke, ConeSolver::nsgs}) {
    auto options = polygon<MoreauJean>(8);
    options.solver = solver;
    EXPECT_NEAR(slide(model, options).direction, sliding_direction(0.8, 0.5, 8), 1e-8);
  }
}

std::string refusal(const MoreauJeanOptions& options) {
  const System system = compile(tilted(0.8, 0.5));
  try {
    const MoreauJean scheme(system, options);
  } catch (const OptionError& error) {
    return error.what();
  }
  return "";
}

TEST(FrictionPolygon, IsRefusedWhereNoSolverOrNoSenseIsInIt) {
  auto options = polygon<MoreauJean>(8);
  options.solver = ConeSolver::enumerate;
  EXPECT_NE(refusal(options).find("enumerate takes friction in the plane only"), std::string::npos) << refusal(options);
  EXPECT_NE(refusal({.solver = ConeSolver::lemke}).find("friction_cone = polygon"), std::string::npos);
  EXPECT_NE(refusal(polygon<MoreauJean>(7)).find("odd"), std::string::npos);
  EXPECT_NE(refusal(polygon<MoreauJean>(2)).find("friction_directions"), std::string::npos);
  EXPECT_NE(refusal(polygon<MoreauJean>(66)).find("friction_directions"), std::string::npos);
}

// Between two corners a sliding contact has less than mu P_N of friction, and slides all the same. At rest the four
// contacts may share the load so that some are at the bound.
TEST(FrictionPolygon, SaysWhatSlides) {
  for (const double tangent : {0.3, 0.6}) {
    const System system = compile(tilted(tangent, pi / 4.0));
    MoreauJean scheme(system, polygon<MoreauJean>(4));
    State x = system.initial_state();
    scheme.start(x);
    ASSERT_TRUE(scheme.step(x, h).ok());
    ASSERT_EQ(x.contacts.size(), 4U);
    int sliding = 0;
    for (const ContactRecord& record : x.contacts) sliding += record.mode == ContactMode::sliding;
    EXPECT_EQ(sliding == 4, tangent > mu * std::sqrt(0.5)) << sliding;
  }
}

// The certificate holds a step to the cone that was promised, and to no other.
TEST(FrictionPolygon, IsWhatTheCertificateAsksFor) {
  const System system = compile(tilted(0.8, 0.5));
  for (const FrictionCone cone : {FrictionCone::round, FrictionCone::polygon}) {
    MoreauJeanOptions options;
    options.friction_cone = cone;
    MoreauJean scheme(system, options);
    State before = system.initial_state();
    scheme.start(before);
    State after = before;
    ASSERT_TRUE(scheme.step(after, h).ok());
    Promise promise = scheme.promise();
    EXPECT_TRUE(certify(system, before, after, promise).ok());
    std::get<ThetaEquations>(promise.equations).friction_cone =
        cone == FrictionCone::round ? FrictionCone::polygon : FrictionCone::round;
    EXPECT_FALSE(certify(system, before, after, promise)[Check::friction_law].ok());
    promise = scheme.promise();
    std::get<ThetaEquations>(promise.equations).friction_directions = 0;  // as no scheme promises, but a file may
    EXPECT_EQ(certify(system, before, after, promise).ok(), cone == FrictionCone::round);
  }
}

}  // namespace
}  // namespace esc
