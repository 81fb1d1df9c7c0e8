// Pairs in space where the answer is known: exact values, parallel and centred poses, ties, and what has no answer.
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "src/geometry/spatial_frame.hpp"
#include "src/geometry/spatial_pairs.hpp"
#include "tests/support/spatial_motion.hpp"

namespace esc::spatial {
namespace {

using Keys = std::vector<int>;

Frame3 at(const Point& p) { return {p, {}}; }
Frame3 at(const Point& p, const Point& angle) { return moved({p, {}}, {{}, angle}, 1.0); }

template <class Pair>
double gap(const Pair& pair, int k, const Frame3& A, const Frame3& B = {}) {
  return pair.feature(k, A, B).gap;
}
template <class Pair>
double least_gap(const Pair& pair, const Frame3& A, const Frame3& B = {}) {
  double least = infinity;
  for (const int k : holding(pair, A, B)) least = std::min(least, gap(pair, k, A, B));
  return least;
}
template <class S>
bool finite(const Feature<S>& f) {
  using ad::value;
  const double sum = value(f.gap) + value(dot(f.n, f.n)) + value(dot(f.a, f.a)) + value(dot(f.b, f.b));
  return std::isfinite(sum);
}

TEST(SpatialExact, RoundShapes) {
  EXPECT_DOUBLE_EQ(gap(SpherePlane{0.5}, 0, at({3.0, 4.0, 2.0})), 1.5);
  EXPECT_DOUBLE_EQ(gap(SphereSphere{1.0, 2.0}, 0, at({3.0, 0.0, 4.0})), 2.0);
  EXPECT_DOUBLE_EQ(gap(SphereCapsule{0.5, 0.5, 1.0}, 0, at({3.0, 4.0, 0.7})), 4.0);
  EXPECT_DOUBLE_EQ(gap(SphereCapsule{0.5, 0.5, 1.0}, 2, at({3.0, 0.0, 5.0})), 4.0);
  EXPECT_FALSE(finite(SphereSphere{1.0, 2.0}.feature(0, at({}), at({})))) << "concentric";
}

// Capsules along x, one over the other: each contact is at an end of the overlap, and each end has one key.
TEST(SpatialExact, ParallelCapsulesTouchAtBothEndsOfTheirOverlap) {
  const Point lie{0.0, pi / 2, 0.0};
  const CapsuleCapsule longer{0.1, 0.5, 0.2, 2.0}, same{0.1, 1.0, 0.1, 1.0};
  EXPECT_EQ(holding(longer, at({0.3, 0.0, 0.3}, lie), at({}, lie)), (Keys{1, 2}));
  EXPECT_NEAR(gap(longer, 1, at({0.3, 0.0, 0.3}, lie), at({}, lie)), 0.0, 1e-15);
  EXPECT_NEAR(gap(longer, 2, at({0.3, 0.0, 0.3}, lie), at({}, lie)), 0.0, 1e-15);
  EXPECT_EQ(holding(same, at({0.3, 0.0, 0.2}, lie), at({}, lie)), (Keys{1, 4})) << "staggered";
  EXPECT_EQ(holding(same, at({0.0, 0.0, 0.2}), at({})), (Keys{1, 4})) << "coaxial and overlapping";
  EXPECT_EQ(holding(same, at({0.2, 0.0, 0.0}), at({})), (Keys{1, 2})) << "flush";
  EXPECT_EQ(holding(same, at({0.0, 0.0, 2.5}), at({})), (Keys{6})) << "end to end";
  EXPECT_DOUBLE_EQ(gap(same, 6, at({0.0, 0.0, 2.5})), 0.3);
}

// The upper capsule turns about the vertical through the parallel position: the two end contacts stay, the shaft
// contact comes and goes with a jump of the least gap below 1e-8.
TEST(SpatialExact, NearlyParallelCapsulesDoNotChatter) {
  const CapsuleCapsule pair{0.5, 1.0, 0.5, 1.5};
  const Frame3 B = at({}, {0.0, pi / 2, 0.0});
  for (const double angle : {0.0, 1e-12, 1e-8, 1e-6, 9e-5, 1.1e-4, 1e-3, 1e-2}) {
    const Frame3 A = moved(moved(B, {{0.0, 0.0, 1.0}, {}}, 1.0), {{}, {0.0, 0.0, angle}}, 1.0);
    const Keys keys = holding(pair, A, B);
    EXPECT_EQ(keys, angle > 1e-4 ? (Keys{0, 1, 2}) : (Keys{1, 2})) << angle;
    EXPECT_NEAR(least_gap(pair, A, B), 0.0, 1e-8) << angle;
    for (const int k : {1, 2}) EXPECT_NEAR(gap(pair, k, A, B), std::hypot(1.0, std::sin(angle)) - 1.0, 1e-14) << angle;
  }
}

TEST(SpatialExact, BoxOnItsCornersAndInASlot) {
  const BoxPlane floor{{1.0, 2.0, 3.0}};
  for (int k = 0; k < 8; ++k) EXPECT_DOUBLE_EQ(gap(floor, k, at({0.0, 0.0, 3.5})), k < 4 ? 0.5 : 6.5);
  const BoxSlot slot{{1.0, 2.0, 3.0}, 2.25};
  for (int corner = 0; corner < 8; ++corner) {
    const double y = (corner & 2 ? 2.0 : -2.0) + 0.1;
    EXPECT_NEAR(gap(slot, 2 * corner, at({7.0, 0.1, 9.0})), 2.25 + y, 1e-15);
    EXPECT_NEAR(gap(slot, 2 * corner + 1, at({7.0, 0.1, 9.0})), 2.25 - y, 1e-15);
  }
}

TEST(SpatialExact, SphereAtABox) {
  const SphereBox pair{1.0, {1.0, 1.0, 1.0}};
  EXPECT_EQ(holding(pair, at({0.2, 0.3, 3.0}), {}), (Keys{13 + 9}));
  EXPECT_EQ(holding(pair, at({4.0, 0.3, -5.0}), {}), (Keys{13 + 1 - 9}));
  EXPECT_EQ(holding(pair, at({-3.0, 3.0, 2.0}), {}), (Keys{13 - 1 + 3 + 9}));
  EXPECT_DOUBLE_EQ(least_gap(pair, at({4.0, 0.3, -5.0})), 4.0);
  EXPECT_DOUBLE_EQ(least_gap(pair, at({-3.0, 3.0, 2.0})), 2.0);
  EXPECT_EQ(holding(pair, at({0.2, -0.9, 0.3}), {}), (Keys{13 - 3})) << "a centre inside: the nearest face";
  EXPECT_NEAR(least_gap(pair, at({0.2, -0.9, 0.3})), -1.1, 1e-15);
}

TEST(SpatialExact, CylinderStandsLiesAndLeans) {
  const CylinderPlane pair{0.5, 1.0};
  EXPECT_EQ(holding(pair, at({0.0, 0.0, 1.0}), {}), (Keys{2, 3, 4, 5, 6, 7, 8, 9})) << "standing";
  for (int k = 2; k < 10; ++k) EXPECT_DOUBLE_EQ(gap(pair, k, at({0.0, 0.0, 1.0})), 0.0);
  EXPECT_EQ(holding(pair, at({0.0, 0.0, 1.0}, {pi, 0.0, 0.0}), {}).front(), 10) << "on its head";

  for (int turn = 0; turn < 7; ++turn) {  // lying, it rolls on the same two features
    const Frame3 A = moved(at({0.0, 0.0, 0.5}, {0.0, pi / 2, 0.0}), {{}, {0.3 * turn, 0.0, 0.0}}, 1.0);
    EXPECT_EQ(holding(pair, A, {}), (Keys{0, 1}));
    for (const int k : {0, 1}) {
      const auto f = pair.feature(k, A, {});
      EXPECT_NEAR(f.gap, 0.0, 1e-15);
      EXPECT_LE(norm(f.a - Point{k == 0 ? -1.0 : 1.0, 0.0, 0.0}), 1e-15);
    }
  }
  for (const double tilt : {1e-11, 1e-7, 0.9e-5, 1.1e-5, 1e-3, 0.049, 0.051, 1.0}) {
    const Frame3 A = at({0.0, 0.0, 2.0}, tilt * Point{std::cos(0.4), std::sin(0.4), 0.0});
    EXPECT_NEAR(least_gap(pair, A), 2.0 - std::cos(tilt) - 0.5 * std::sin(tilt), tilt < 1e-5 ? 4e-7 : 1e-15) << tilt;
  }
  EXPECT_TRUE(finite(pair.feature(0, moving(at({}), {}), moving({}, {})))) << "kept through the upright pose";
}

TEST(SpatialExact, SphereAtACylinder) {
  const SphereCylinder pair{0.5, 1.0, 2.0};
  EXPECT_DOUBLE_EQ(least_gap(pair, at({3.0, 4.0, 1.5})), 3.5);
  EXPECT_DOUBLE_EQ(least_gap(pair, at({0.3, 0.4, -4.0})), 1.5);
  EXPECT_DOUBLE_EQ(least_gap(pair, at({0.0, 4.0, 6.0})), 4.5);
  EXPECT_EQ(holding(pair, at({0.0, 4.0, 6.0}), {}), (Keys{4}));
  EXPECT_EQ(holding(pair, at({0.0, 0.9, 0.0}), {}), (Keys{0})) << "a centre inside, by the wall";
  EXPECT_EQ(holding(pair, at({0.0, 0.0, -1.9}), {}), (Keys{1})) << "a centre inside, by an end";
}

// With clearance a centred body has a gap and some direction; without, no direction can be given.
TEST(SpatialExact, CentredInAHole) {
  const Frame3 B{};
  const Pose<D1> still = moving(B, {});
  EXPECT_DOUBLE_EQ(gap(SphereHole{0.4, 1.0}, 0, B), 0.6);
  EXPECT_DOUBLE_EQ(gap(DiscHole{0.4, 1.0}, 0, B), 0.6);
  EXPECT_TRUE(finite(SphereHole{0.4, 1.0}.feature(0, still, still)));
  EXPECT_TRUE(finite(DiscHole{0.4, 1.0}.feature(0, still, still)));
  EXPECT_FALSE(finite(SphereHole{1.0, 1.0}.feature(0, B, B)));
  EXPECT_FALSE(finite(DiscHole{1.0, 1.0}.feature(0, B, B)));
  const PinInHole pin{0.9, 2.0, 1.0, 1.0, 0.02};
  EXPECT_EQ(holding(pin, B, B), (Keys{2, 3, 4, 5}));
  for (const int k : {2, 3}) EXPECT_NEAR(gap(pin, k, B), 0.1, 1e-15);
  for (const int k : {4, 5}) EXPECT_NEAR(gap(pin, k, B), 0.01, 1e-15);
  for (const int k : {2, 3, 4, 5}) EXPECT_TRUE(finite(pin.feature(k, still, still)));
}

// Off the axis by c without tilt: hole - radius - c, in the direction of c, however small c is.
TEST(SpatialExact, ShiftedJournal) {
  for (const double c : {0.05, 1e-3, 1e-6, 1e-9}) {
    const auto f = DiscHole{0.9, 1.0}.feature(0, at({0.6 * c, 0.8 * c, 5.0}), {});
    EXPECT_NEAR(f.gap, 0.1 - c, 1e-15);
    EXPECT_LE(norm(f.n + Point{0.6, 0.8, 0.0}), 1e-15 / c + 1e-14);
  }
}

// A disc tilted by theta about x and shifted by c along y is seen as an ellipse with half axes r and r cos(theta).
// Inside the evolute it is farthest from the axis at two points, at the distance sqrt(r^2 + c^2 / sin^2(theta)).
TEST(SpatialExact, TiltedDiscTouchesAtTwoPoints) {
  const double r = 0.9, hole = 1.0, theta = 0.8, c = std::sin(theta) * std::sqrt(hole * hole - r * r);
  const DiscHole pair{r, hole};
  const Frame3 A = at({0.0, c, 0.0}, {theta, 0.0, 0.0});
  ASSERT_EQ(holding(pair, A, {}), (Keys{1, 2}));
  const auto f = pair.feature(1, A, {}), g = pair.feature(2, A, {});
  EXPECT_NEAR(f.gap, 0.0, 1e-15);
  EXPECT_NEAR(g.gap, 0.0, 1e-15);
  EXPECT_NEAR(f.a.x, -g.a.x, 1e-15);
  EXPECT_NEAR(f.a.y, g.a.y, 1e-15);

  // Through the tie each feature keeps its point. Shifted on, one maximum ends at a fold; its continuation stays on the
  // rim, without a jump.
  const auto shifted = [&](double shift) { return at({shift, c, 0.0}, {theta, 0.0, 0.0}); };
  Point before = pair.feature(2, shifted(-0.05), {}).a;
  for (double shift = -0.05; shift < 0.6; shift += 1e-4) {
    const Point next = pair.feature(2, shifted(shift), {}).a;
    EXPECT_LE(norm(next - before), 0.02) << shift;
    before = next;
  }
  EXPECT_EQ(holding(pair, shifted(0.6), {}), (Keys{0}));
}

// A pin through a thin plate, tilted about its middle, is held by both sides of each edge: hole cos(theta) = radius.
TEST(SpatialExact, PinTiltedInAThinPlate) {
  const double theta = 0.3, hole = 1.0, radius = std::cos(theta);
  const PinInHole pin{radius, 3.0, hole, 0.0, infinity};
  const Frame3 A = at({}, {theta, 0.0, 0.0});
  EXPECT_EQ(holding(pin, A, {}), (Keys{10, 11, 12, 13}));
  for (const int k : {10, 11, 12, 13}) EXPECT_NEAR(gap(pin, k, A), 0.0, 1e-15);
  EXPECT_NEAR(pin.feature(10, A, {}).b.y, -pin.feature(11, A, {}).b.y, 1e-15);
}

// In a plate of half thickness L the edge on the side of the tilt is nearer: hole cos(theta) - L sin(theta) - radius.
TEST(SpatialExact, PinTiltedInAPlate) {
  const double theta = 0.05, L = 1.2;
  const PinInHole pin{0.9, 3.0, 1.0, L, 0.02};
  const Frame3 A = at({0.0, 0.0, 0.004}, {theta, 0.0, 0.0});
  const double shift = 0.004 * std::sin(theta);  // of the pin's axis in the middle plane, square to itself
  EXPECT_NEAR(gap(pin, 2, A), std::cos(theta) - L * std::sin(theta) - 0.9 - shift, 1e-15);
  EXPECT_NEAR(gap(pin, 3, A), std::cos(theta) - L * std::sin(theta) - 0.9 + shift, 1e-15);
  EXPECT_NEAR(gap(pin, 4, A) + gap(pin, 5, A), 0.02 + 2 * L * (1.0 - std::cos(theta)), 1e-15);
  EXPECT_NEAR(gap(pin, 5, A) - gap(pin, 4, A), 2 * 0.004 * std::cos(theta), 1e-15) << "moved towards +z";
}

// A disc that spins about its own axis: the angle of the contact point on the rim changes, the point does not.
TEST(SpatialExact, SecondDerivativesAtARim) {
  using D2 = ad::Dual<1, D1>;
  const D2 t = ad::seed<1>(ad::seed<1>(0.7, 0), 0), c = cos(t), s = sin(t);
  const Frame3 A = at({0.05, 0.02, 0.0}, {0.2, -0.1, 0.0});
  const auto constant = [](const Point& x) { return Vec3<D2>{D2(x.x), D2(x.y), D2(x.z)}; };
  const Pose<D2> spun{constant(A.p), {c * A.R.x + s * A.R.y, c * A.R.y - s * A.R.x, constant(A.R.z)}};
  const auto f = DiscHole{0.9, 1.0}.feature(0, spun, Pose<D2>{});
  for (const D2& x : {f.gap, f.n.x, f.n.y, f.a.x, f.a.y, f.a.z}) {
    EXPECT_NEAR(x.d[0].value, 0.0, 1e-14);
    EXPECT_NEAR(x.d[0].d[0], 0.0, 1e-13);
  }
}

class Field {
 public:
  template <class Height>
  Field(int nx, int ny, Height height) : nx_(nx), ny_(ny) {
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) z_.push_back(height(i, j));
  }
  SphereHeightField ball(double radius) const { return {radius, {nx_, ny_, 1.0, 1.0, z_}}; }

 private:
  int nx_, ny_;
  std::vector<double> z_;
};

// On a plane, level or sloping, one feature holds wherever the ball is: in a cell, over an edge, over a vertex.
TEST(SpatialExact, BallOnAPlaneOfTriangles) {
  const Field level(6, 6, [](int, int) { return 0.25; });
  const Field slope(6, 6, [](int i, int j) { return 0.3 * i - 0.7 * j; });
  const double length = std::sqrt(1.0 + 0.09 + 0.49);
  for (int step = 0; step <= 32; ++step)
    for (int other = 0; other <= 32; ++other) {
      const double x = 1.0 + step / 16.0, y = 1.0 + other / 16.0;
      EXPECT_EQ(holding(level.ball(0.5), at({x, y, 1.0}), {}, 0.3).size(), 1u) << x << ' ' << y;
      EXPECT_DOUBLE_EQ(least_gap(level.ball(0.5), at({x, y, 1.0})), 0.25);
      const Point foot{x, y, 0.3 * x - 0.7 * y}, n = (1.0 / length) * Point{-0.3, 0.7, 1.0};
      EXPECT_NEAR(least_gap(slope.ball(0.5), at(foot + 0.6 * n)), 0.1, 1e-14) << x << ' ' << y;
      const double depth = least_gap(slope.ball(0.0), at(foot - 1e-9 * n));
      EXPECT_NEAR(depth, -1e-9, 1e-14) << "a vertex just below";
    }
}

TEST(SpatialExact, BallInAValleyAndOnARidge) {
  const Field valley(5, 3, [](int i, int) { return std::abs(i - 2.0); });
  const Field ridge(5, 3, [](int i, int) { return -std::abs(i - 2.0); });
  const double half = std::sqrt(0.5);
  const Frame3 above = at({2.0, 0.7, 1.0});
  const SphereHeightField low = valley.ball(half), high = ridge.ball(half);
  const int cell = 6 * (0 * 5 + 1);  // its triangle over the foot (1.5, 0.7), and that of the next one
  EXPECT_EQ(holding(low, above, {}, 0.1), (Keys{cell + SphereHeightField::upper, cell + 6 + SphereHeightField::upper}));
  EXPECT_NEAR(least_gap(low, above), 0.0, 1e-15);
  EXPECT_EQ(holding(high, above, {}, 0.5), (Keys{cell + 6 + SphereHeightField::along_y}));
  EXPECT_DOUBLE_EQ(least_gap(high, above), 1.0 - half);
  EXPECT_EQ(holding(high, at({2.0, -1.0, 1.0}), {}, 2.0), (Keys{cell + 6 + SphereHeightField::corner})) << "beyond";
  EXPECT_TRUE(holding(low, at({20.0, 20.0, 0.0}), {}, 0.1).size() <= 1) << "far from the border";
  EXPECT_TRUE(holding(ridge.ball(0.0), at({2.5, 0.7, 5.0}), {}, 0.1).size() <= 8);
}

// Beyond the border there is no solid, also not below the plane that a rising slope continues.
TEST(SpatialExact, BallBeyondTheBorderAndBelowTheSlope) {
  const Field slope(2, 2, [](int i, int) { return 1.0 * i; });
  for (const int key : holding(slope.ball(0.4), at({1.3, 0.5, -0.5}), {}, 10.0)) {
    const double gap = slope.ball(0.4).feature(key, at({1.3, 0.5, -0.5}), Frame3{}).gap;
    EXPECT_NEAR(gap, std::hypot(0.3, 1.5) - 0.4, 1e-14) << key;
  }
}

TEST(SpatialExact, Tangent) {
  Random random;
  for (int sample = 0; sample < 200; ++sample) {
    const Frame3 F{{}, random.rotation()};
    const Point w = random.point(1.0), t = tangent_of(F.R.x);
    EXPECT_NEAR(norm(t), 1.0, 1e-15);
    EXPECT_NEAR(dot(t, F.R.x), 0.0, 1e-15);
    const auto turned_by = [&](double h) { return tangent_of(moved(F, {{}, w}, h).R.x); };
    const Point slope = (0.5e5) * (turned_by(1e-5) - turned_by(-1e-5));
    EXPECT_LE(norm(rate_of(tangent_of(moving(F, {{}, w}).R.x)) - slope), 1e-8);
  }
  for (const Point n : {Point{1.0, 0.0, 0.0}, Point{0.0, -1.0, 0.0}, Point{0.0, 0.0, 1.0}})
    EXPECT_DOUBLE_EQ(norm(tangent_of(n)), 1.0);
}

}  // namespace
}  // namespace esc::spatial
