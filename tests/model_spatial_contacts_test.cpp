// Pairs of shapes in space on two moving bodies with turned, offset frames: G against differences of the gap, curvature
// against differences of G v, action and reaction, keys, both orders of the shapes, detection within reach.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/system.hpp>

#include "src/math/so3.hpp"
#include "tests/support/collected.hpp"
#include "tests/support/row_changes.hpp"

namespace esc {
namespace {

using Vec = Vec3<double>;

// The frame of A in the frame of B is drawn within these bounds, so that every feature of the pair is met.
struct Case {
  std::string name;
  Geometry a, b;
  bool symmetric = false;  // either may come first: the order given decides
  double spread = 2.0;     // m
  double angle = 3.0;      // rad
};

HeightField hills() {
  HeightField field{5, 4, 0.7, 0.9, {}};
  for (int j = 0; j < field.ny; ++j)
    for (int i = 0; i < field.nx; ++i) field.heights.push_back(0.4 * std::sin(1.3 * i + 0.7) * std::cos(0.9 * j));
  return field;
}

const std::vector<Case> cases{
    {"vertex_plane", Vertex{}, HalfSpace{}},
    {"sphere_plane", Sphere{0.4}, HalfSpace{}},
    {"capsule_plane", Capsule{0.3, 0.8}, HalfSpace{}},
    {"box_plane", Box{0.3, 0.4, 0.6}, HalfSpace{}},
    {"cylinder_plane", Cylinder{0.5, 0.3}, HalfSpace{}},
    {"upright_cylinder_plane", Cylinder{0.5, 0.3}, HalfSpace{}, false, 2.0, 0.03},
    {"vertex_sphere", Vertex{}, Sphere{0.7}, true},
    {"sphere_sphere", Sphere{0.4}, Sphere{0.7}, true},
    {"sphere_capsule", Sphere{0.4}, Capsule{0.3, 0.8}},
    {"capsule_capsule", Capsule{0.4, 1.0}, Capsule{0.3, 1.2}, true, 1.0},
    {"sphere_box", Sphere{0.4}, Box{0.3, 0.4, 0.6}},
    {"vertex_box", Vertex{}, Box{0.3, 0.4, 0.6}},
    {"sphere_cylinder", Sphere{0.4}, Cylinder{0.7, 0.9}},
    {"sphere_hole", Sphere{0.4}, Hole{2.5}},
    {"rim_hole", Rim{0.4}, Hole{0.7}, false, 0.2, 1.0},
    {"cylinder_hole", Cylinder{0.4, 0.6}, Hole{0.5}, false, 0.1, 0.3},
    {"cylinder_plate", Cylinder{0.4, 0.6}, Hole{0.5, 0.3}, false, 0.1, 0.3},
    {"pin_plate", Pin{0.4, 0.6, 0.4}, Hole{0.5, 0.3}, false, 0.1, 0.3},
    {"box_channel", Box{0.3, 0.4, 0.6}, Channel{1.0}},
    {"sphere_height_field", Sphere{0.4}, hills(), false, 1.3},  // over the field
};

struct Placement {
  Vec p;
  Quaternion turn;
};
Placement operator*(const Placement& outer, const Placement& inner) {
  return {outer.p + rotation_of(outer.turn) * inner.p, normalized(multiply(outer.turn, inner.turn))};
}
Placement inverse(const Placement& x) { return {-to_frame(rotation_of(x.turn), x.p), conjugate(x.turn)}; }
Frame frame_on(BlockId body, const Placement& x) { return {body, {x.p.x, x.p.y, x.p.z}, x.turn}; }

const Placement frame_a{{0.15, -0.25, 0.1}, quaternion_exp(0.7, -0.2, 0.4)};
const Placement frame_b{{-0.35, 0.2, 0.3}, quaternion_exp(-1.1, 0.3, 0.5)};

class Random {
 public:
  double operator()(double size) { return std::uniform_real_distribution<double>(-size, size)(engine_); }
  Vec vec(double size) { return {(*this)(size), (*this)(size), (*this)(size)}; }
  Quaternion turn(double angle) {
    const Vec w = vec(angle / std::sqrt(3.0));
    return quaternion_exp(w.x, w.y, w.z);
  }
  std::vector<double> velocity() {
    std::vector<double> v(12);
    for (double& x : v) x = (*this)(2.0);
    return v;
  }
  // q of the two bodies.
  std::vector<double> poses(const Case& pair) {
    const Placement second{vec(2.0), turn(3.0)};
    Placement relative{vec(pair.spread), turn(pair.angle)};
    if (std::holds_alternative<HeightField>(pair.b)) relative.p = relative.p + Vec{1.4, 1.35, 0.0};
    const Placement first = second * frame_b * relative * inverse(frame_a);
    std::vector<double> q;
    for (const Placement& x : {first, second}) {
      q.insert(q.end(), {x.p.x, x.p.y, x.p.z});
      q.insert(q.end(), x.turn.begin(), x.turn.end());
    }
    return q;
  }

 private:
  std::mt19937 engine_{4711};
};

// The shapes on two bodies; `swapped` gives the contact in the other order. The model is gone when the System works.
System pair_system(const Case& pair, bool swapped = false) {
  Model model;
  Random random;
  const std::vector<double> q = random.poses(pair);
  BlockId bodies[2];
  for (int k = 0; k < 2; ++k) {
    const double* x = q.data() + 7 * k;
    bodies[k] = model.add_rigid_body(k == 0 ? "first" : "second",
                                     {.position = {x[0], x[1], x[2]}, .rotation = {x[3], x[4], x[5], x[6]}});
  }
  model.set_penetration_tolerance(100.0);
  const ShapeId a = model.add_shape("a", frame_on(bodies[0], frame_a), pair.a);
  const ShapeId b = model.add_shape("b", frame_on(bodies[1], frame_b), pair.b);
  model.add_contact("pair", swapped ? b : a, swapped ? a : b, {.mu = 0.5});
  return compile(model);
}

ContactSet evaluated(const System& system, const std::vector<double>& q, double reach = any_gap) {
  ContactSet set;
  system.detect(0.0, q, reach, set);
  system.evaluate(0.0, q, set);
  return set;
}

// The same contacts, at retract(q, s v).
ContactSet moved(const System& system, ContactSet set, const std::vector<double>& q, std::vector<double> v, double s) {
  std::vector<double> there(q.size());
  for (double& x : v) x *= s;
  system.retract(q, v, there);
  system.evaluate(0.0, there, set);
  return set;
}

std::vector<double> velocities(const ContactSet& set, const std::vector<double>& v) {
  std::vector<double> U(set.rows());
  for (const Contact& contact : set.contacts) velocity(set, contact, v, U.data() + contact.first_row);
  return U;
}

// The row of a contact as a full vector over the velocities of both bodies.
std::array<double, 12> full_row(const ContactSet& set, const Contact& contact, int row) {
  std::array<double, 12> dense{};
  const double* G = set.G.data() + contact.first_value + row * contact.width;
  for (const Segment& segment : contact.segments)
    for (int j = 0; j < segment.length; ++j) dense[segment.first + j] += *G++;
  return dense;
}

std::vector<ContactKey> keys(const ContactSet& set) {
  std::vector<ContactKey> list;
  for (const Contact& contact : set.contacts) list.push_back(contact.key);
  return list;
}

Vec vec(const std::array<double, 3>& a) { return vec3(a); }

constexpr int trials = 200;

class SpatialPairs : public ::testing::TestWithParam<Case> {};

TEST_P(SpatialPairs, TheNormalRowIsTheRateOfTheGap) {
  for (const bool swapped : {false, true}) {
    const System system = pair_system(GetParam(), swapped);
    Random random;
    int seen = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const auto q = random.poses(GetParam());
      const auto v = random.velocity();
      const ContactSet set = evaluated(system, q);
      const auto U = velocities(set, v);
      const double d = 1e-6;
      const ContactSet plus = moved(system, set, q, v, d), minus = moved(system, set, q, v, -d);
      for (int k = 0; k < set.size(); ++k) {
        const double rate = (plus.contacts[k].gap - minus.contacts[k].gap) / (2.0 * d);
        EXPECT_NEAR(U[set.contacts[k].first_row], rate, 1e-6) << "feature " << set.contacts[k].key.feature;
        ++seen;
      }
    }
    EXPECT_GE(seen, trials / 2);
  }
}

TEST_P(SpatialPairs, CurvatureIsTheRateOfTheRowsAlongTheMotion) {
  const System system = pair_system(GetParam());
  Random random;
  for (int trial = 0; trial < trials; ++trial) {
    const auto q = random.poses(GetParam());
    const auto v = random.velocity();
    const ContactSet set = evaluated(system, q);
    std::vector<double> curvature(set.rows());
    system.curvature(0.0, q, v, set, curvature);
    const double d = 1e-6;
    const ContactSet sets[] = {moved(system, set, q, v, -d), moved(system, set, q, v, d)};
    const auto before = velocities(sets[0], v), after = velocities(sets[1], v);
    for (int k = 0; k < set.size(); ++k) {
      const Vec turned = vec(sets[1].contacts[k].tangent) - vec(sets[0].contacts[k].tangent);
      const int rows = norm(turned) < 0.1 ? 3 : 1;  // the tangent may change its axis in between
      for (int row = set.contacts[k].first_row; row < set.contacts[k].first_row + rows; ++row)
        EXPECT_NEAR(curvature[row], (after[row] - before[row]) / (2.0 * d), 1e-5 * (1.0 + std::abs(curvature[row])))
            << "feature " << set.contacts[k].key.feature << " row " << row - set.contacts[k].first_row;
    }
  }
}

// Nearly upright cylinders have features that turn fast: 4e-5 by differences.
TEST_P(SpatialPairs, ChangesOfTheRowsGiveTheCurvature) {
  const System system = pair_system(GetParam());
  Random random;
  for (int trial = 0; trial < trials; ++trial) {
    esc::testing::Here here(system);
    here.q = random.poses(GetParam());
    here.v = random.velocity();
    const ContactSet set = evaluated(system, here.q);
    std::vector<double> curvature(set.rows());
    system.curvature(0.0, here.q, here.v, set, curvature);
    const auto is = esc::testing::row_products(system, here, set, {}, here.v);
    for (int row = 0; row < set.rows(); ++row)
      EXPECT_NEAR(is.rates[row], curvature[row], 1e-4 * (1.0 + std::abs(curvature[row]))) << "row " << row;
  }
}

// The rows are forces along the axes of the contact frame at one line of action: they sum to zero, and their moment is
// that of a pair of forces at the distance of the gap.
TEST_P(SpatialPairs, RowsAreActionAndReactionAlongAnOrthonormalFrame) {
  const System system = pair_system(GetParam());
  Random random;
  for (int trial = 0; trial < trials; ++trial) {
    const auto q = random.poses(GetParam());
    const ContactSet set = evaluated(system, q);
    for (const Contact& contact : set.contacts) {
      const Vec n = vec(contact.normal), t = vec(contact.tangent);
      EXPECT_NEAR(norm(n), 1.0, 1e-12);
      EXPECT_NEAR(norm(t), 1.0, 1e-12);
      EXPECT_NEAR(dot(n, t), 0.0, 1e-12);
      const Vec axes[] = {n, t, cross(n, t)};
      ASSERT_EQ(contact.row_count, 3);
      for (int row = 0; row < 3; ++row) {
        const auto G = full_row(set, contact, row);
        Vec moment{};
        for (int body = 0; body < 2; ++body) {
          const double *x = q.data() + 7 * body, *g = G.data() + 6 * body;
          const Vec force{g[0], g[1], g[2]};
          EXPECT_NEAR(norm(force - (body == 0 ? 1.0 : -1.0) * axes[row]), 0.0, 1e-12);
          const Vec turning = rotation_of(x[3], x[4], x[5], x[6]) * Vec{g[3], g[4], g[5]};
          moment = moment + cross(Vec{x[0], x[1], x[2]}, force) + turning;
          // The point of the contact lies midway between the points at which the two forces act.
          const Vec about_point = cross(Vec{x[0], x[1], x[2]} - vec(contact.point), force) + turning;
          EXPECT_NEAR(norm(about_point - 0.5 * contact.gap * cross(n, axes[row])), 0.0, 1e-10);
        }
        EXPECT_NEAR(norm(moment - contact.gap * cross(n, axes[row])), 0.0, 1e-10);
      }
    }
  }
}

TEST_P(SpatialPairs, KeysAscendAndStayUnderSmallMotions) {
  const System system = pair_system(GetParam());
  Random random;
  int changed = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const auto q = random.poses(GetParam());
    auto v = random.velocity();
    for (double& x : v) x *= 1e-9;
    const auto here = keys(evaluated(system, q));
    EXPECT_TRUE(std::is_sorted(here.begin(), here.end()));
    EXPECT_EQ(std::adjacent_find(here.begin(), here.end()), here.end());
    std::vector<double> there(q.size());
    system.retract(q, v, there);
    changed += here != keys(evaluated(system, there));
  }
  EXPECT_EQ(changed, 0);
}

TEST_P(SpatialPairs, BothOrdersOfTheShapesGiveTheSameContacts) {
  const System system = pair_system(GetParam()), other = pair_system(GetParam(), true);
  Random random;
  for (int trial = 0; trial < trials; ++trial) {
    const auto q = random.poses(GetParam());
    const ContactSet set = evaluated(system, q), swapped = evaluated(other, q);
    ASSERT_EQ(set.size(), swapped.size());
    if (!GetParam().symmetric) {
      EXPECT_EQ(keys(set), keys(swapped));
    }
    const double sign = GetParam().symmetric ? -1.0 : 1.0;
    for (const Contact& contact : set.contacts) {
      const auto same = [&](const Contact& c) {
        return std::abs(c.gap - contact.gap) < 1e-12 && norm(vec(c.normal) - sign * vec(contact.normal)) < 1e-12;
      };
      const auto twin = std::find_if(swapped.contacts.begin(), swapped.contacts.end(), same);
      ASSERT_NE(twin, swapped.contacts.end()) << "feature " << contact.key.feature;
      const auto G = full_row(set, contact, 0), H = full_row(swapped, *twin, 0);
      for (int j = 0; j < 12; ++j) EXPECT_NEAR(G[j], H[j], 1e-11);
    }
  }
}

TEST_P(SpatialPairs, DetectionKeepsExactlyWhatIsWithinReach) {
  const System system = pair_system(GetParam());
  Random random;
  for (int trial = 0; trial < trials; ++trial) {
    const auto q = random.poses(GetParam());
    const ContactSet all = evaluated(system, q);
    std::vector<double> reaches{-0.2, 0.0, 0.1, 1.0};
    for (const Contact& contact : all.contacts) reaches.push_back(contact.gap);
    for (const double reach : reaches) {
      std::vector<ContactKey> expected;
      for (const Contact& contact : all.contacts)
        if (contact.gap <= reach) expected.push_back(contact.key);
      EXPECT_EQ(keys(evaluated(system, q, reach)), expected) << reach;
    }
  }
}

TEST_P(SpatialPairs, KeysLeadToTheContactsThatDetectionFinds) {
  for (const bool swapped : {false, true}) {
    const System system = pair_system(GetParam(), swapped);
    Random random;
    for (int trial = 0; trial < trials; ++trial) {
      const auto q = random.poses(GetParam());
      for (const double reach : {0.0, 0.1, any_gap}) testing::expect_collected(system, 0.0, q, reach);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SpatialPairs, ::testing::ValuesIn(cases),
                         [](const auto& entry) { return entry.param.name; });

TEST(SpatialPair, OnGroundHasColumnsOfTheMovingBodyOnly) {
  for (const Case& pair : cases) {
    for (const bool a_moves : {true, false}) {
      Model model;
      model.set_penetration_tolerance(100.0);
      model.add_rigid_body("bystander", {});
      const BlockId body = model.add_rigid_body("body", {.rotation = quaternion_exp(0.3, 0.1, 0.01)});
      const ShapeId a = model.add_shape("a", {a_moves ? body : ground, {0.01, 0.02, 0.7}}, pair.a);
      const ShapeId b = model.add_shape("b", {a_moves ? ground : body, {0.0, 0.03, 0.1}}, pair.b);
      model.add_contact("pair", a, b, {});
      const System system = compile(model);
      const ContactSet set = evaluated(system, system.initial_state().q);
      for (const Contact& contact : set.contacts) {
        EXPECT_EQ(contact.row_count, 1);  // no friction
        ASSERT_EQ(contact.segments.size(), 1u);
        EXPECT_EQ(contact.segments[0].first, 6);
        EXPECT_EQ(contact.width, 6);
        const double* G = set.G.data() + contact.first_value;
        EXPECT_NEAR(norm(Vec{G[0], G[1], G[2]} - (a_moves ? 1.0 : -1.0) * vec(contact.normal)), 0.0, 1e-12);
      }
    }
  }
}

// Worked out by hand: a sphere of radius 0.5 rolls along x on a floor at z = 0 without slipping.
TEST(SpatialPair, RollingSphereHasNoVelocityAtTheContact) {
  Model model;
  const BlockId body = model.add_rigid_body("ball", {.position = {0, 0, 0.5}});
  model.add_contact("floor", model.add_shape("ball's", {body}, Sphere{0.5}), model.add_shape("plane", {}, HalfSpace{}),
                    {.mu = 0.3});
  const System system = compile(model);
  const ContactSet set = evaluated(system, system.initial_state().q);
  for (const double u : velocities(set, {1.0, 0.0, 0.0, 0.0, 2.0, 0.0})) EXPECT_NEAR(u, 0.0, 1e-15);
  const auto U = velocities(set, {1.0, 0.0, 0.0, 0.0, 0.0, 0.0});
  EXPECT_NEAR(std::hypot(U[1], U[2]), 1.0, 1e-15);
}

}  // namespace
}  // namespace esc
