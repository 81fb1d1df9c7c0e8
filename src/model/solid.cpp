// Mass and inertia of homogeneous solids, closed form.
#include <cmath>
#include <numbers>

#include <escapement/model.hpp>

#include "src/math/text.hpp"
#include "src/model/shapes.hpp"

namespace esc {

namespace {

using std::numbers::pi;

RigidBody body(double mass, double Jxx, double Jyy, double Jzz) { return {.mass = mass, .inertia = {Jxx, Jyy, Jzz}}; }

RigidBody solid_of(const Sphere& s, double density) {
  const double m = density * 4.0 / 3.0 * pi * s.radius * s.radius * s.radius;
  const double J = 0.4 * m * s.radius * s.radius;
  return body(m, J, J, J);
}

RigidBody solid_of(const Box& s, double density) {
  const double m = density * 8.0 * s.half_x * s.half_y * s.half_z;
  const double x2 = s.half_x * s.half_x, y2 = s.half_y * s.half_y, z2 = s.half_z * s.half_z;
  return body(m, m / 3.0 * (y2 + z2), m / 3.0 * (x2 + z2), m / 3.0 * (x2 + y2));
}

RigidBody solid_of(const Cylinder& s, double density) {
  const double r2 = s.radius * s.radius, h = s.half_length;
  const double m = density * pi * r2 * 2.0 * h;
  const double across = m * (r2 / 4.0 + h * h / 3.0);
  return body(m, across, across, 0.5 * m * r2);
}

// A cylinder and two half balls, whose centres of mass stand 3/8 r beyond its ends.
RigidBody solid_of(const Capsule& s, double density) {
  const RigidBody shaft = solid_of(Cylinder{s.radius, s.half_length}, density);
  const RigidBody ball = solid_of(Sphere{s.radius}, density);
  const double h = s.half_length;
  const double across = shaft.inertia[0] + ball.inertia[0] + ball.mass * (h * h + 0.75 * h * s.radius);
  return body(shaft.mass + ball.mass, across, across, shaft.inertia[2] + ball.inertia[2]);
}

}  // namespace

RigidBody solid(const Geometry& shape, double density) {
  require_sizes("solid", shape);
  if (!(density > 0.0) || !std::isfinite(density))
    throw ModelError("solid", "density is " + to_text(density) + " kg/m^3; it must be positive and finite");
  return std::visit(
      [&](const auto& geometry) -> RigidBody {
        if constexpr (requires { solid_of(geometry, density); }) return solid_of(geometry, density);
        throw ModelError("solid", "a " + std::string(geometry_name(shape)) +
                                      " has no volume; allowed are sphere, box, cylinder and capsule");
      },
      shape);
}

}  // namespace esc
