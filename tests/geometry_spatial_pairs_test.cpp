// Every pair in space at random poses: the least gap against a search over sampled surfaces, n, a and b against the
// motion of material points, derivatives by dual numbers against differences, and the keys of features.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "src/geometry/spatial_pairs.hpp"
#include "tests/support/spatial_motion.hpp"

namespace esc::spatial {
namespace {

// The least value of f over the unit square: a grid, then a shrinking window about each of its best local minima.
template <class F>
double least(F f, int grid = 40) {
  std::vector<double> values((grid + 1) * (grid + 1));
  const auto at = [&](int i, int j) -> double& { return values[j * (grid + 1) + i]; };
  for (int j = 0; j <= grid; ++j)
    for (int i = 0; i <= grid; ++i) at(i, j) = f(1.0 * i / grid, 1.0 * j / grid);
  std::vector<std::array<double, 3>> seeds;
  for (int j = 0; j <= grid; ++j)
    for (int i = 0; i <= grid; ++i) {
      bool local = true;
      for (int k = 0; k < 9; ++k) {
        const int ii = i + k % 3 - 1, jj = j + k / 3 - 1;
        if (ii < 0 || jj < 0 || ii > grid || jj > grid) continue;
        if (at(ii, jj) < at(i, j) || (k < 4 && at(ii, jj) == at(i, j))) local = false;  // of equals, the first
      }
      if (local) seeds.push_back({at(i, j), 1.0 * i / grid, 1.0 * j / grid});
    }
  std::sort(seeds.begin(), seeds.end());
  double best = infinity;
  for (std::size_t s = 0; s < std::min<std::size_t>(4, seeds.size()); ++s) {
    std::array<double, 3> here = seeds[s];
    for (double size = 1.0 / grid; size > 1e-12; size *= 0.6) {
      const double u0 = here[1], v0 = here[2];
      for (int k = 0; k < 25; ++k) {
        const double u = std::clamp(u0 + 0.5 * size * (k % 5 - 2), 0.0, 1.0);
        const int row = k / 5 - 2;
        const double v = std::clamp(v0 + 0.5 * size * row, 0.0, 1.0);
        here = std::min(here, {f(u, v), u, v});
      }
    }
    best = std::min(best, here[0]);
  }
  return best;
}

// Points of surfaces by two parameters in [0, 1], in the frame of the shape.
Point on_sphere(double r, double u, double v) {
  const double s = r * std::sin(pi * v);
  return {s * std::cos(2 * pi * u), s * std::sin(2 * pi * u), r * std::cos(pi * v)};
}
Point on_shaft(double r, double h, double u, double v) {
  return {r * std::cos(2 * pi * u), r * std::sin(2 * pi * u), h * (2 * v - 1)};
}
Point on_cap(double r, double z, double u, double v) {
  return {r * v * std::cos(2 * pi * u), r * v * std::sin(2 * pi * u), z};
}
Point on_face(const std::array<double, 3>& half, int face, double u, double v) {
  std::array<double, 3> x;
  x[face / 2] = face % 2 ? half[face / 2] : -half[face / 2];
  x[(face / 2 + 1) % 3] = half[(face / 2 + 1) % 3] * (2 * u - 1);
  x[(face / 2 + 2) % 3] = half[(face / 2 + 2) % 3] * (2 * v - 1);
  return vec3(x);
}
template <class F>
double least_on_box(const std::array<double, 3>& half, F f) {
  double best = infinity;
  for (int face = 0; face < 6; ++face)
    best = std::min(best, least([&](double u, double v) { return f(on_face(half, face, u, v)); }, 12));
  return best;
}
Point seen_from(const Frame3& B, const Frame3& A, const Point& x) { return in_frame(B, in_world(A, x)); }

// Signed distances, in the frame of the shape.
double round_distance(const Point& x, double r, double h) {  // sphere: h = 0
  return norm(x - Point{0.0, 0.0, std::clamp(x.z, -h, h)}) - r;
}
double corner_distance(double x, double y) {  // to the quadrant x < 0, y < 0
  return std::hypot(std::max(x, 0.0), std::max(y, 0.0)) + std::min(std::max(x, y), 0.0);
}
double cylinder_distance(const Point& x, double r, double h) {
  return corner_distance(std::hypot(x.x, x.y) - r, std::abs(x.z) - h);
}
double box_distance(const Point& x, const std::array<double, 3>& half) {
  return corner_distance(corner_distance(std::abs(x.x) - half[0], std::abs(x.y) - half[1]), std::abs(x.z) - half[2]);
}
double plate_distance(const Point& x, double hole, double h) {
  return corner_distance(hole - std::hypot(x.x, x.y), std::abs(x.z) - h);
}
double plane_distance(const Point& x) { return x.z; }

template <class Pair>
void check_motion(const Pair& pair, int k, const Frame3& A, const Frame3& B, Random& random) {
  const Feature<double> f = pair.feature(k, A, B);
  const Twist ma{random.point(1.0), random.point(1.0)}, mb{random.point(1.0), random.point(1.0)};
  const double h = 1e-5;
  const auto at = [&](double t) { return pair.feature(k, moved(A, ma, t), moved(B, mb, t)); };
  const Feature<double> f2 = at(2 * h), f1 = at(h), b1 = at(-h), b2 = at(-2 * h);
  const Feature<D1> dual = pair.feature(k, moving(A, ma), moving(B, mb));
  const Point va = ma.v + cross(ma.w, f.a - A.p), vb = mb.v + cross(mb.w, f.b - B.p);
  const auto slope = [&](auto part) {
    return (1.0 / (12 * h)) * (8.0 * (part(f1) - part(b1)) - (part(f2) - part(b2)));
  };
  const double speed = std::max({norm(rate_of(dual.n)), norm(rate_of(dual.a)), norm(rate_of(dual.b))});
  const double tolerance = 1e-8 * (1.0 + speed * speed * speed);  // the higher derivatives, where the point runs fast
  EXPECT_NEAR(dot(f.n, va - vb), dual.gap.d[0], 1e-10);
  EXPECT_NEAR(dot(f.n, va - vb), slope([](const auto& x) { return x.gap; }), tolerance);
  EXPECT_LE(norm(rate_of(dual.n) - slope([](const auto& x) { return x.n; })), tolerance);
  EXPECT_LE(norm(rate_of(dual.a) - slope([](const auto& x) { return x.a; })), tolerance);
  EXPECT_LE(norm(rate_of(dual.b) - slope([](const auto& x) { return x.b; })), tolerance);
}

// place(random, B) gives the pose of A; on_a and on_b are signed distances to the surfaces, in their frames. Returns
// the keys of all features that held at some pose.
template <class Pair, class Place, class OnA, class OnB, class Least>
std::set<int> check_pair(const Pair& pair, Place place, OnA on_a, OnB on_b, Least least_gap) {
  Random random;
  std::set<int> seen;
  for (int sample = 0; sample < 150; ++sample) {
    const Frame3 B{random.point(2.0), random.rotation()};
    const Frame3 A = place(random, B);
    const std::vector<int> keys = holding(pair, A, B);
    SCOPED_TRACE(testing::Message() << "sample " << sample << " first key " << (keys.empty() ? -1 : keys[0]));
    EXPECT_FALSE(keys.empty());
    seen.insert(keys.begin(), keys.end());
    EXPECT_TRUE(std::is_sorted(keys.begin(), keys.end(), std::less_equal<>{})) << "ascending, none twice";
    const Twist small{random.point(1e-9), random.point(1e-9)};
    EXPECT_EQ(keys, holding(pair, moved(A, small, 1.0), B));

    Feature<double> nearest{infinity, {}, {}, {}};
    for (const int k : keys) {
      SCOPED_TRACE(testing::Message() << "feature " << k);
      const Feature<double> f = pair.feature(k, A, B);
      EXPECT_NEAR(norm(f.n), 1.0, 1e-14);
      EXPECT_LE(norm(f.a - f.gap * f.n - f.b), 1e-13);
      EXPECT_LE(on_a(in_frame(A, f.a)), 1e-12) << "a part of the solid";
      EXPECT_LE(on_b(in_frame(B, f.b)), 1e-12) << "a part of the solid";
      if (f.gap < nearest.gap) nearest = f;
      check_motion(pair, k, A, B, random);
      if (testing::Test::HasFailure()) return seen;
    }
    EXPECT_NEAR(nearest.gap, least_gap(A, B), 1e-9);
    EXPECT_NEAR(on_a(in_frame(A, nearest.a)), 0.0, 1e-12) << "on the surface";
    EXPECT_NEAR(on_b(in_frame(B, nearest.b)), 0.0, 1e-12) << "on the surface";
  }
  return seen;
}

// Anywhere within `size` of the origin of B.
auto anywhere(double size) {
  return [size](Random& random, const Frame3& B) { return Frame3{in_world(B, random.point(size)), random.rotation()}; };
}
// Anywhere outside a shape given by its signed distance.
template <class Distance>
auto outside(double size, Distance distance) {
  return [=](Random& random, const Frame3& B) {
    Point x;
    do x = random.point(size);
    while (distance(x) < 0.01);
    return Frame3{in_world(B, x), random.rotation()};
  };
}
// Near the axis of B, tilted by up to `tilt`.
auto along_axis(double offset, double axial, double tilt) {
  return [=](Random& random, const Frame3& B) {
    const double angle = random(0.0, 2 * pi), turn = random(0.01, tilt), spin = random(-pi, pi);
    const Frame3 spun = moved({{}, {}}, {{}, {0.0, 0.0, spin}}, 1.0);
    const Frame3 tilted = moved(spun, {{}, turn * Point{std::cos(angle), std::sin(angle), 0.0}}, 1.0);
    const Point p{random(-offset, offset), random(-offset, offset), random(-axial, axial)};
    return Frame3{in_world(B, p), B.R * tilted.R};
  };
}
const std::array<double, 3> half{0.5, 0.3, 0.8};

TEST(SpatialPairs, SpherePlane) {
  for (const double r : {0.0, 0.4})
    check_pair(
        SpherePlane{r}, anywhere(1.0), [r](Point x) { return round_distance(x, r, 0.0); }, plane_distance,
        [r](const Frame3& A, const Frame3& B) {
          return least([&](double u, double v) { return seen_from(B, A, on_sphere(r, u, v)).z; });
        });
}

TEST(SpatialPairs, SphereSphere) {
  check_pair(
      SphereSphere{0.4, 0.7}, anywhere(1.0), [](Point x) { return round_distance(x, 0.4, 0.0); },
      [](Point x) { return round_distance(x, 0.7, 0.0); },
      [](const Frame3& A, const Frame3& B) {
        return least([&](double u, double v) { return norm(in_frame(A, in_world(B, on_sphere(0.7, u, v)))); }) - 0.4 +
               (norm(A.p - B.p) < 0.7 ? 2 * (norm(A.p - B.p) - 0.7) : 0.0);  // inside, the nearest point is behind
      });
}

TEST(SpatialPairs, CapsulePlane) {
  const auto seen = check_pair(
      CapsulePlane{0.2, 0.6}, anywhere(1.0), [](Point x) { return round_distance(x, 0.2, 0.6); }, plane_distance,
      [](const Frame3& A, const Frame3& B) {
        return least([&](double s, double) { return seen_from(B, A, {0.0, 0.0, 0.6 * (2 * s - 1)}).z; }) - 0.2;
      });
  EXPECT_EQ(static_cast<int>(seen.size()), 2);
}

TEST(SpatialPairs, SphereCapsule) {
  const auto seen = check_pair(
      SphereCapsule{0.3, 0.2, 0.6}, anywhere(1.5), [](Point x) { return round_distance(x, 0.3, 0.0); },
      [](Point x) { return round_distance(x, 0.2, 0.6); },
      [](const Frame3& A, const Frame3& B) {
        return least([&](double s, double) { return norm(seen_from(A, B, {0.0, 0.0, 0.6 * (2 * s - 1)})); }) - 0.5;
      });
  EXPECT_EQ(static_cast<int>(seen.size()), 3);
}

TEST(SpatialPairs, CapsuleCapsule) {
  const auto seen = check_pair(
      CapsuleCapsule{0.3, 0.7, 0.2, 0.6}, anywhere(1.0), [](Point x) { return round_distance(x, 0.3, 0.7); },
      [](Point x) { return round_distance(x, 0.2, 0.6); },
      [](const Frame3& A, const Frame3& B) {
        return least([&](double s, double t) {
                 return norm(seen_from(B, A, {0.0, 0.0, 0.7 * (2 * s - 1)}) - Point{0.0, 0.0, 0.6 * (2 * t - 1)});
               }) -
               0.5;
      });
  EXPECT_EQ(static_cast<int>(seen.size()), 9);
}

TEST(SpatialPairs, BoxPlane) {
  const auto seen = check_pair(
      BoxPlane{half}, anywhere(1.0), [](Point x) { return box_distance(x, half); }, plane_distance,
      [](const Frame3& A, const Frame3& B) {
        return least_on_box(half, [&](Point x) { return seen_from(B, A, x).z; });
      });
  EXPECT_EQ(static_cast<int>(seen.size()), 8);
}

TEST(SpatialPairs, BoxSlot) {
  const auto seen = check_pair(
      BoxSlot{half, 1.2}, anywhere(0.3), [](Point x) { return box_distance(x, half); },
      [](Point x) { return 1.2 - std::abs(x.y); },
      [](const Frame3& A, const Frame3& B) {
        return least_on_box(half, [&](Point x) { return 1.2 - std::abs(seen_from(B, A, x).y); });
      });
  EXPECT_EQ(static_cast<int>(seen.size()), 16);
}

TEST(SpatialPairs, SphereBox) {
  const auto box = [](Point x) { return box_distance(x, half); };
  const auto seen = check_pair(
      SphereBox{0.2, half}, outside(2.0, box), [](Point x) { return round_distance(x, 0.2, 0.0); }, box,
      [](const Frame3& A, const Frame3& B) {
        return least_on_box(half, [&](Point x) { return norm(seen_from(A, B, x)); }) - 0.2;
      });
  EXPECT_EQ(static_cast<int>(seen.size()), 26);
}

TEST(SpatialPairs, SphereCylinder) {
  const auto cylinder = [](Point x) { return cylinder_distance(x, 0.5, 0.4); };
  const auto seen = check_pair(
      SphereCylinder{0.2, 0.5, 0.4}, outside(1.2, cylinder), [](Point x) { return round_distance(x, 0.2, 0.0); },
      cylinder,
      [](const Frame3& A, const Frame3& B) {
        const auto from = [&](Point x) { return norm(seen_from(A, B, x)); };
        return std::min({least([&](double u, double v) { return from(on_shaft(0.5, 0.4, u, v)); }),
                         least([&](double u, double v) { return from(on_cap(0.5, 0.4, u, v)); }),
                         least([&](double u, double v) { return from(on_cap(0.5, -0.4, u, v)); })}) -
               0.2;
      });
  EXPECT_EQ(static_cast<int>(seen.size()), 5);
}

double cylinder_above(const Frame3& A, const Frame3& B) {
  return least([&](double u, double v) { return seen_from(B, A, on_shaft(0.5, 0.4, u, v)).z; });
}

TEST(SpatialPairs, CylinderPlane) {
  const auto cylinder = [](Point x) { return cylinder_distance(x, 0.5, 0.4); };
  check_pair(CylinderPlane{0.5, 0.4}, anywhere(1.0), cylinder, plane_distance, cylinder_above);
  check_pair(CylinderPlane{0.5, 0.4}, along_axis(1.0, 1.0, 0.1), cylinder, plane_distance, cylinder_above);
}

TEST(SpatialPairs, SphereHole) {
  check_pair(
      SphereHole{0.2, 1.0}, anywhere(0.8), [](Point x) { return round_distance(x, 0.2, 0.0); },
      [](Point x) { return plate_distance(x, 1.0, infinity); },
      [](const Frame3& A, const Frame3& B) {
        return least(
            [&](double u, double v) { return plate_distance(seen_from(B, A, on_sphere(0.2, u, v)), 1.0, infinity); });
      });
}

TEST(SpatialPairs, DiscHole) {
  std::set<int> seen;
  for (const double tilt : {0.1, 1.5})
    seen.merge(check_pair(
        DiscHole{0.9, 1.0}, along_axis(0.2, 1.0, tilt), [](Point x) { return cylinder_distance(x, 0.9, 0.0); },
        [](Point x) { return plate_distance(x, 1.0, infinity); },
        [](const Frame3& A, const Frame3& B) {
          return least([&](double u, double) {
            return plate_distance(seen_from(B, A, on_shaft(0.9, 0.0, u, 0.0)), 1.0, infinity);
          });
        }));
  EXPECT_EQ(static_cast<int>(seen.size()), 3);
}

// In a bore that is infinite, shorter than the pin, longer than the pin.
TEST(SpatialPairs, PinInHole) {
  for (const double bore : {infinity, 0.5, 1.4})
    check_pair(
        PinInHole{0.9, 1.0, 1.0, bore, infinity}, along_axis(0.03, 0.2, 0.08),
        [](Point x) { return cylinder_distance(x, 0.9, 1.0); },
        [bore](Point x) { return plate_distance(x, 1.0, bore); },
        [bore](const Frame3& A, const Frame3& B) {
          return least(
              [&](double u, double v) { return plate_distance(seen_from(B, A, on_shaft(0.9, 1.0, u, v)), 1.0, bore); });
        });
}

// A short pin in a thin plate, tilted far: two points on one circle, and the axial stops.
TEST(SpatialPairs, PinInHoleTiltedFar) {
  Random random;
  std::set<int> seen;
  for (const PinInHole& pin : {PinInHole{0.9, 0.1, 1.0, 1.0, 0.02}, PinInHole{0.9, 2.0, 1.0, 0.05, 0.02}})
    for (int sample = 0; sample < 150; ++sample) {
      const Frame3 B{random.point(2.0), random.rotation()};
      const Frame3 A = along_axis(0.05, 0.02, 0.6)(random, B);
      for (const int k : holding(pin, A, B)) {
        SCOPED_TRACE(testing::Message() << "sample " << sample << " feature " << k);
        const Feature<double> f = pin.feature(k, A, B);
        seen.insert(k);
        EXPECT_NEAR(norm(f.n), 1.0, 1e-14);
        EXPECT_LE(norm(f.a - f.gap * f.n - f.b), 1e-13);
        check_motion(pin, k, A, B, random);
      }
    }
  EXPECT_EQ(static_cast<int>(seen.size()), PinInHole::features);
}

TEST(SpatialPairs, SphereHeightField) {
  Random heights;
  std::vector<double> z(5 * 4);
  for (double& height : z) height = heights(-0.4, 0.4);
  const HeightField field{5, 4, 0.5, 0.6, z};
  const auto height = [&](double x, double y) {  // by interpolation in the triangle
    const int i = std::clamp(static_cast<int>(x / 0.5), 0, 3), j = std::clamp(static_cast<int>(y / 0.6), 0, 2);
    const double u = x / 0.5 - i, v = y / 0.6 - j;
    const double z00 = z[5 * j + i], z10 = z[5 * j + i + 1], z01 = z[5 * j + i + 5], z11 = z[5 * j + i + 6];
    return u > v ? z00 + u * (z10 - z00) + v * (z11 - z10) : z00 + v * (z01 - z00) + u * (z11 - z01);
  };
  const auto place = [&](Random& random, const Frame3& B) {
    const double x = random(-0.3, 2.3), y = random(-0.3, 2.1);
    const double base = height(std::clamp(x, 0.0, 2.0), std::clamp(y, 0.0, 1.8));
    return Frame3{in_world(B, Point{x, y, base + random(0.01, 0.8)}), random.rotation()};
  };
  check_pair(
      SphereHeightField{0.2, field}, place, [](Point x) { return round_distance(x, 0.2, 0.0); },
      [&](Point x) { return x.z - height(x.x, x.y); },
      [&](const Frame3& A, const Frame3& B) {
        const Point c = in_frame(B, A.p);
        double best = infinity;
        for (int cell = 0; cell < 12; ++cell) {
          const int i = cell % 4, j = cell / 4;
          const auto distance = [&](double u, double v) {
            const double x = 0.5 * (i + u), y = 0.6 * (j + v);
            return norm(c - Point{x, y, height(x, y)});
          };
          best = std::min(best, least(distance, 8));
        }
        return best - 0.2;
      });
}

}  // namespace
}  // namespace esc::spatial
