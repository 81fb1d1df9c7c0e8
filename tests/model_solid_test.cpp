// Mass and inertia of solids, against integrals by subdivision and the limits of their sizes.
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include <escapement/system.hpp>

#include "tests/support/expect_refused.hpp"

namespace esc {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double density = 7800.0;

struct Integral {
  double mass = 0.0;
  std::array<double, 3> inertia{};
};

// Slices across z, each a disc of the radius that `radius_at` gives, or nothing: a body of revolution by the midpoint
// rule.
Integral of_revolution(const std::function<double(double)>& radius_at, double top) {
  constexpr int slices = 200'000;
  const double dz = 2.0 * top / slices;
  Integral sum;
  for (int i = 0; i < slices; ++i) {
    const double z = -top + (i + 0.5) * dz, r2 = std::pow(radius_at(z), 2);
    const double m = density * pi * r2 * dz;
    sum.mass += m;
    sum.inertia[0] += m * (r2 / 4.0 + z * z);
    sum.inertia[1] += m * (r2 / 4.0 + z * z);
    sum.inertia[2] += m * r2 / 2.0;
  }
  return sum;
}

void expect_same(const RigidBody& body, const Integral& integral, double relative) {
  EXPECT_NEAR(body.mass, integral.mass, relative * integral.mass);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(body.inertia[i], integral.inertia[i], relative * integral.inertia[i]) << "axis " << i;
  EXPECT_EQ(body.products, (std::array<double, 3>{0.0, 0.0, 0.0}));
}

TEST(Solid, SphereCylinderAndCapsuleAreSumsOfTheirSlices) {
  const double r = 0.3, h = 0.7;
  const auto ball = [r](double z) { return std::sqrt(std::max(0.0, r * r - z * z)); };
  expect_same(solid(Sphere{r}, density), of_revolution(ball, r), 1e-8);
  expect_same(solid(Cylinder{r, h}, density), of_revolution([r](double) { return r; }, h), 1e-8);
  const auto capsule = [&](double z) { return ball(std::max(0.0, std::abs(z) - h)); };
  expect_same(solid(Capsule{r, h}, density), of_revolution(capsule, h + r), 1e-8);
}

TEST(Solid, BoxIsTheSumOfItsCells) {
  const double half[3] = {0.2, 0.3, 0.5};
  constexpr int n = 100;
  Integral sum;
  for (int i = 0; i < n * n * n; ++i) {
    const int index[3] = {i % n, i / n % n, i / n / n};
    double x2[3], m = density;
    for (int k = 0; k < 3; ++k) {
      x2[k] = std::pow(half[k] * (2.0 * (index[k] + 0.5) / n - 1.0), 2);
      m *= 2.0 * half[k] / n;
    }
    sum.mass += m;
    for (int k = 0; k < 3; ++k) sum.inertia[k] += m * (x2[(k + 1) % 3] + x2[(k + 2) % 3]);
  }
  expect_same(solid(Box{half[0], half[1], half[2]}, density), sum, 2.0 / (n * n));
}

TEST(Solid, LimitsOfACapsule) {
  const auto near = [](const RigidBody& a, const RigidBody& b, double relative) {
    EXPECT_NEAR(a.mass, b.mass, relative * b.mass);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(a.inertia[i], b.inertia[i], relative * b.inertia[i]);
  };
  near(solid(Capsule{0.3, 1e-9}, density), solid(Sphere{0.3}, density), 1e-7);
  near(solid(Capsule{1e-6, 1.0}, density), solid(Cylinder{1e-6, 1.0}, density), 1e-5);
}

TEST(Solid, MakesABodyThatCompiles) {
  for (const Geometry& shape : {Geometry(Sphere{0.1}), Geometry(Box{1e-3, 1.0, 1e-3}), Geometry(Cylinder{1.0, 1e-6}),
                                Geometry(Capsule{1e-3, 2.0})}) {
    Model model;
    RigidBody body = solid(shape, density);
    body.position = {1.0, 2.0, 3.0};
    model.add_rigid_body("body", body);
    EXPECT_TRUE(compile(model).warnings().empty()) << geometry_name(shape);
  }
}

TEST(Solid, RefusesShapesWithoutVolumeAndBadNumbers) {
  const auto refused = [](const Geometry& shape, double rho, std::initializer_list<std::string> parts) {
    testing::expect_refused([&](Model& m) { m.add_rigid_body("body", solid(shape, rho)); }, "solid", parts);
  };
  refused(Vertex{}, 1.0, {"a vertex has no volume", "sphere, box, cylinder and capsule"});
  refused(Disc{}, 1.0, {"a disc has no volume"});
  refused(HalfSpace{}, 1.0, {"a half-space has no volume"});
  refused(Rim{}, 1.0, {"a rim has no volume"});
  refused(HeightField{}, 1.0, {"a height field has no volume"});
  for (const double bad :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    refused(Sphere{1.0}, bad, {"density is ", "positive and finite"});
    refused(Box{1.0, bad, 1.0}, 1.0, {"half_y is ", "positive and finite"});
  }
}

}  // namespace
}  // namespace esc
