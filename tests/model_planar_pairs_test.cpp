// Planar pairs on two moving bodies with rotated, offset frames: G against differences of the gap, tangential rows
// against the velocities of material points, curvature against a difference quotient along the motion.
#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <escapement/system.hpp>

#include "tests/support/row_changes.hpp"

namespace esc {
namespace {

struct Vec2 {
  double x, y;
};
Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
Vec2 operator*(double s, Vec2 a) { return {s * a.x, s * a.y}; }
double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
double length(Vec2 a) { return std::hypot(a.x, a.y); }
Vec2 turned(double phi, Vec2 a) {
  return {std::cos(phi) * a.x - std::sin(phi) * a.y, std::sin(phi) * a.x + std::cos(phi) * a.y};
}

struct Pose {
  Vec2 p;
  double phi;
};
Pose in(const Pose& outer, const Pose& inner) { return {outer.p + turned(outer.phi, inner.p), outer.phi + inner.phi}; }

// Nearest points, normal and gap, worked out by hand from the two world poses.
struct Touch {
  double gap;
  Vec2 a, b, n;
};

// Of two round shapes either may come first; all other pairs have one order, whatever the user's.
struct Case {
  std::string name;
  Geometry a, b;
  int features;
  Touch (*expected)(int feature, const Pose& a, const Pose& b);
};

constexpr double radius = 0.4, other_radius = 0.7, hole = 9.0, half_length = 0.6, half_height = 0.3;

Touch above_line(Vec2 point, double r, const Pose& line) {
  const Vec2 n = turned(line.phi, {0.0, 1.0});
  const double distance = dot(n, point - line.p);
  return {distance - r, point - r * n, point - distance * n, n};
}
Touch between_discs(Vec2 a, double ra, Vec2 b, double rb) {
  const Vec2 n = (1.0 / length(a - b)) * (a - b);
  return {length(a - b) - ra - rb, a - ra * n, b + rb * n, n};
}
Touch in_hole(Vec2 a, double r, Vec2 centre) {
  const Vec2 n = (1.0 / length(centre - a)) * (centre - a);
  return {hole - r - length(a - centre), a - r * n, centre - hole * n, n};
}
Touch corner_on_line(int i, const Pose& box, const Pose& line) {
  const Vec2 corners[] = {{-half_length, -half_height},
                          {half_length, -half_height},
                          {half_length, half_height},
                          {-half_length, half_height}};
  return above_line(in(box, {corners[i], 0.0}).p, 0.0, line);
}

const std::vector<Case> cases{
    {"disc_line", Disc{radius}, HalfPlane{}, 1,
     [](int, const Pose& a, const Pose& b) { return above_line(a.p, radius, b); }},
    {"vertex_line", Vertex{}, HalfPlane{}, 1,
     [](int, const Pose& a, const Pose& b) { return above_line(a.p, 0.0, b); }},
    {"disc_disc", Disc{radius}, Disc{other_radius}, 1,
     [](int, const Pose& a, const Pose& b) { return between_discs(a.p, radius, b.p, other_radius); }},
    {"vertex_disc", Vertex{}, Disc{other_radius}, 1,
     [](int, const Pose& a, const Pose& b) { return between_discs(a.p, 0.0, b.p, other_radius); }},
    {"vertex_ring", Vertex{}, Ring{hole}, 1, [](int, const Pose& a, const Pose& b) { return in_hole(a.p, 0.0, b.p); }},
    {"disc_ring", Disc{radius}, Ring{hole}, 1,
     [](int, const Pose& a, const Pose& b) { return in_hole(a.p, radius, b.p); }},
    {"rectangle_line", Rectangle{half_length, half_height}, HalfPlane{}, 4, corner_on_line},
};

bool round(const Geometry& shape) {
  return std::holds_alternative<Disc>(shape) || std::holds_alternative<Vertex>(shape);
}

const Pose frame_a{{0.15, -0.25}, 0.7}, frame_b{{-0.35, 0.2}, -1.1};

// Two bodies far enough apart at the start; `swapped` gives the pair in the other order.
System pair_system(const Case& pair, bool swapped) {
  Model model;
  const BlockId first = model.add_planar_body("first", {.pose = {1.0, 4.0, 0.0}});
  const BlockId second = model.add_planar_body("second", {});
  model.set_penetration_tolerance(100.0);
  const ShapeId a = model.add_shape("a", planar_frame(first, frame_a.p.x, frame_a.p.y, frame_a.phi), pair.a);
  const ShapeId b = model.add_shape("b", planar_frame(second, frame_b.p.x, frame_b.p.y, frame_b.phi), pair.b);
  model.add_contact("pair", swapped ? b : a, swapped ? a : b, {.mu = 0.5});
  return compile(model);
}

std::vector<double> random_numbers(double low, double high, int n) {
  std::vector<double> values(n);
  for (double& value : values) value = low + (high - low) * (*rc::gen::inRange(0, 1 << 20) / double(1 << 20));
  return values;
}

// Bodies a and b near each other, but not concentric.
std::vector<double> random_poses() {
  std::vector<double> q = random_numbers(-3.0, 3.0, 6);
  q[0] += q[0] < 0.0 ? -2.0 : 2.0;
  q[3] *= 0.3;
  return q;
}

Pose body(const std::vector<double>& q, int first) { return {{q[first], q[first + 1]}, q[first + 2]}; }

ContactSet evaluated(const System& system, const std::vector<double>& q) {
  ContactSet set;
  system.detect(0.0, q, any_gap, set);
  system.evaluate(0.0, q, set);
  return set;
}

// The row of a contact as a full vector over all velocities.
std::vector<double> full_row(const ContactSet& set, const Contact& contact, int row, int nv) {
  std::vector<double> dense(nv, 0.0);
  const double* G = set.G.data() + contact.first_value + row * contact.width;
  for (const Segment& segment : contact.segments)
    for (int j = 0; j < segment.length; ++j) dense[segment.first + j] += *G++;
  return dense;
}

class PlanarPairs : public ::testing::TestWithParam<Case> {};

TEST_P(PlanarPairs, GapAndFrameAreThoseWorkedOutByHand) {
  for (const bool swapped : {false, true}) {
    const System system = pair_system(GetParam(), swapped);
    EXPECT_TRUE(rc::check([&] {
      const auto q = random_poses();
      const ContactSet set = evaluated(system, q);
      RC_ASSERT(set.size() == GetParam().features);
      for (int k = 0; k < set.size(); ++k) {
        const Contact& contact = set.contacts[k];
        Touch touch = GetParam().expected(k, in(body(q, 0), frame_a), in(body(q, 3), frame_b));
        if (swapped && round(GetParam().a) && round(GetParam().b)) touch.n = -1.0 * touch.n;
        RC_ASSERT(contact.key.feature == static_cast<unsigned>(k));
        RC_ASSERT(contact.row_count == 2);
        RC_ASSERT(std::abs(contact.gap - touch.gap) < 1e-12);
        RC_ASSERT(length(Vec2{contact.normal[0], contact.normal[1]} - touch.n) < 1e-12);
        RC_ASSERT(length(Vec2{contact.point[0], contact.point[1]} - 0.5 * (touch.a + touch.b)) < 1e-11);
        RC_ASSERT(contact.point[2] == 0.0);
        RC_ASSERT(length(Vec2{contact.tangent[0], contact.tangent[1]} - Vec2{touch.n.y, -touch.n.x}) < 1e-12);
      }
    }));
  }
}

TEST_P(PlanarPairs, TheNormalRowIsTheDerivativeOfTheGapInEveryCoordinate) {
  for (const bool swapped : {false, true}) {
    const System system = pair_system(GetParam(), swapped);
    EXPECT_TRUE(rc::check([&] {
      const auto q = random_poses();
      const ContactSet set = evaluated(system, q);
      const double d = 1e-5;
      for (int j = 0; j < system.nv(); ++j) {
        auto forward = q, backward = q;
        forward[j] += d;
        backward[j] -= d;
        const ContactSet plus = evaluated(system, forward), minus = evaluated(system, backward);
        for (int k = 0; k < set.size(); ++k) {
          const double slope = (plus.contacts[k].gap - minus.contacts[k].gap) / (2.0 * d);
          RC_ASSERT(std::abs(full_row(set, set.contacts[k], 0, system.nv())[j] - slope) < 1e-8);
        }
      }
    }));
  }
}

TEST_P(PlanarPairs, RowsGiveTheRelativeVelocityOfTheMaterialPoints) {
  const System system = pair_system(GetParam(), false);
  EXPECT_TRUE(rc::check([&] {
    const auto q = random_poses();
    const auto v = random_numbers(-2.0, 2.0, 6);
    const ContactSet set = evaluated(system, q);
    const auto point_velocity = [&](Vec2 point, int first) {
      const Vec2 r = point - Vec2{q[first], q[first + 1]};
      return Vec2{v[first] - v[first + 2] * r.y, v[first + 1] + v[first + 2] * r.x};
    };
    for (int k = 0; k < set.size(); ++k) {
      const Touch touch = GetParam().expected(k, in(body(q, 0), frame_a), in(body(q, 3), frame_b));
      const Vec2 relative = point_velocity(touch.a, 0) - point_velocity(touch.b, 3);
      double U[2];
      velocity(set, set.contacts[k], v, U);
      RC_ASSERT(std::abs(U[0] - dot(touch.n, relative)) < 1e-11);
      RC_ASSERT(std::abs(U[1] - dot({touch.n.y, -touch.n.x}, relative)) < 1e-11);
    }
  }));
}

TEST_P(PlanarPairs, CurvatureIsTheRateOfTheRowsAlongTheMotion) {
  const System system = pair_system(GetParam(), true);
  EXPECT_TRUE(rc::check([&] {
    const auto q = random_poses();
    const auto v = random_numbers(-2.0, 2.0, 6);
    const ContactSet set = evaluated(system, q);
    std::vector<double> curvature(set.rows());
    system.curvature(0.0, q, v, set, curvature);
    const double d = 1e-5;
    const auto velocities = [&](double s) {
      auto moved = q;
      for (int j = 0; j < 6; ++j) moved[j] += s * v[j];
      const ContactSet there = evaluated(system, moved);
      std::vector<double> U(there.rows());
      for (const Contact& contact : there.contacts) velocity(there, contact, v, U.data() + contact.first_row);
      return U;
    };
    const auto plus = velocities(d), minus = velocities(-d);
    for (int i = 0; i < set.rows(); ++i)
      RC_ASSERT(std::abs(curvature[i] - (plus[i] - minus[i]) / (2.0 * d)) < 1e-6 * (1.0 + std::abs(curvature[i])));
  }));
}

TEST_P(PlanarPairs, ChangesOfTheRowsGiveTheCurvature) {
  const System system = pair_system(GetParam(), true);
  EXPECT_TRUE(rc::check([&] {
    esc::testing::Here here(system);
    here.q = random_poses();
    here.v = random_numbers(-2.0, 2.0, 6);
    const ContactSet set = evaluated(system, here.q);
    std::vector<double> curvature(set.rows());
    system.curvature(0.0, here.q, here.v, set, curvature);
    const auto is = esc::testing::row_products(system, here, set, {}, here.v);
    for (int row = 0; row < set.rows(); ++row)
      RC_ASSERT(std::abs(is.rates[row] - curvature[row]) < 1e-6 * (1.0 + std::abs(curvature[row])));
  }));
}

INSTANTIATE_TEST_SUITE_P(All, PlanarPairs, ::testing::ValuesIn(cases),
                         [](const auto& entry) { return entry.param.name; });

// The same pair with one shape on ground: only the moving body has columns.
TEST(PlanarPairOnGround, HasColumnsOfTheMovingBodyOnly) {
  for (const Case& pair : cases) {
    Model model;
    model.set_penetration_tolerance(100.0);
    model.add_planar_body("bystander", {});
    const BlockId body_id = model.add_planar_body("body", {.pose = {1.0, 2.0, 0.3}});
    const ShapeId a = model.add_shape("a", planar_frame(body_id, frame_a.p.x, frame_a.p.y, frame_a.phi), pair.a);
    const ShapeId b = model.add_shape("b", planar_frame(ground, frame_b.p.x, frame_b.p.y, frame_b.phi), pair.b);
    model.add_contact("pair", a, b, {.mu = 0.5});
    const System system = compile(model);
    const std::vector<double> q = system.initial_state().q;
    const ContactSet set = evaluated(system, q);
    for (int k = 0; k < set.size(); ++k) {
      const Contact& contact = set.contacts[k];
      ASSERT_EQ(contact.segments.size(), 1u);
      EXPECT_EQ(contact.segments[0].first, 3);
      EXPECT_EQ(contact.width, 3);
      const Touch touch = pair.expected(k, in(body(q, 3), frame_a), frame_b);
      EXPECT_NEAR(contact.gap, touch.gap, 1e-12) << pair.name;
      EXPECT_NEAR(full_row(set, contact, 0, 6)[3], touch.n.x, 1e-12) << pair.name;
      EXPECT_NEAR(full_row(set, contact, 1, 6)[4], -touch.n.x, 1e-12) << pair.name;
    }
  }
}

TEST(PlanarPairOnGround, DetectionKeepsPairsWithinReachOnly) {
  const System system = pair_system(cases[6], false);
  const std::vector<double> q{1.0, 4.0, 0.3, 0.0, 0.0, 0.2};
  const ContactSet all = evaluated(system, q);
  std::vector<double> gaps;
  for (const Contact& contact : all.contacts) gaps.push_back(contact.gap);
  std::sort(gaps.begin(), gaps.end());
  for (int within = 0; within < 4; ++within) {
    ContactSet some;
    system.detect(0.0, q, gaps[within], some);
    EXPECT_EQ(some.size(), within + 1);
    EXPECT_TRUE(std::is_sorted(some.contacts.begin(), some.contacts.end(),
                               [](const Contact& x, const Contact& y) { return x.key < y.key; }));
  }
}

// Concentric discs have no normal: the gap is a number, the row is none, and a step stops there.
TEST(PlanarPairOnGround, ConcentricDiscsHaveNoNormal) {
  Model model;
  const BlockId id = model.add_planar_body("body", {.pose = {3.0, 0.0, 0.0}});
  const ShapeId disc = model.add_shape("disc", planar_frame(id, 0.0, 0.0), Disc{radius});
  model.add_contact("pair", disc, model.add_shape("post", {}, Disc{other_radius}), {});
  const System system = compile(model);
  const ContactSet set = evaluated(system, {0.0, 0.0, 0.0});
  EXPECT_EQ(set.contacts.at(0).gap, -(radius + other_radius));
  EXPECT_TRUE(std::isnan(set.G.at(0)));
}

}  // namespace
}  // namespace esc
