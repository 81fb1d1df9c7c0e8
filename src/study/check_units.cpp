// Numbers that no mechanism has: most often millimetres taken for metres, grams for kilograms, a density for a mass.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <escapement/model.hpp>

#include "src/math/text.hpp"
#include "src/model/shapes.hpp"
#include "src/study/findings.hpp"

namespace esc::study {

namespace {

constexpr double smallest_size = 1e-6, largest_size = 100.0;  // m
constexpr double largest_gravity = 30.0;                      // m/s^2
constexpr double largest_density = 25e3;                      // kg/m^3; osmium has 22.6e3
constexpr double smallest_density = 1.0;                      // kg/m^3, of a solid shape: air
constexpr double largest_gyration = 30.0;                     // times the size of the shapes

bool unusual(double size) { return size < smallest_size || size > largest_size; }

struct Inertia {
  double mass = 0.0;      // kg
  double gyration = 0.0;  // m, the largest radius
  double reach = 0.0;     // m, of the shapes
  double volume = 0.0;    // m^3, of the largest solid shape
  double solid = 0.0;     // m, how far the solid shapes reach from their own centres
};

Inertia inertia_of(const System& system, std::span<const double> M, const Model::Parts::Block& body) {
  const int v0 = first_velocity(system, body);
  const MatrixBlock& block = system.blocks()[system.block_of(v0)];
  const auto diagonal = [&](int i) { return M[block.a0 + i * block.n + i]; };
  double J = 0.0;
  for (int i = body.leaf->body() == BodyKind::planar ? 2 : 3; i < block.n; ++i) J = std::max(J, diagonal(i));
  return {.mass = diagonal(0), .gyration = std::sqrt(J / diagonal(0))};
}

// m^3; 0: not a solid of its own, or without depth.
struct Volume {
  double operator()(const Sphere& s) const { return 4.0 / 3.0 * std::numbers::pi * s.radius * s.radius * s.radius; }
  double operator()(const Capsule& s) const {
    return std::numbers::pi * s.radius * s.radius * (4.0 / 3.0 * s.radius + 2.0 * s.half_length);
  }
  double operator()(const Box& s) const { return 8.0 * s.half_x * s.half_y * s.half_z; }
  double operator()(const Cylinder& s) const { return 2.0 * std::numbers::pi * s.radius * s.radius * s.half_length; }
  template <class Shape>
  double operator()(const Shape&) const {
    return 0.0;
  }
};

// m, from its own centre; 0: not a solid.
struct Extent {
  double operator()(const Disc& s) const { return s.radius; }
  double operator()(const Rectangle& s) const { return std::hypot(s.half_length, s.half_height); }
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Capsule& s) const { return s.radius + s.half_length; }
  double operator()(const Box& s) const { return std::hypot(s.half_x, s.half_y, s.half_z); }
  double operator()(const Cylinder& s) const { return std::hypot(s.radius, s.half_length); }
  template <class Shape>
  double operator()(const Shape&) const {
    return 0.0;
  }
};

// By body: what its shapes say.
std::vector<Inertia> of_shapes(const Model::Parts& parts) {
  std::vector<Inertia> bodies(parts.blocks.size());
  for (const Model::Parts::Shape& shape : parts.shapes) {
    if (shape.frame.body == ground) continue;
    const auto& p = shape.frame.position;
    double own = std::hypot(p[0], p[1], p[2]);
    for (const double size : sizes_of(shape.geometry)) own += size;
    Inertia& body = bodies[shape.frame.body.index];
    body.reach = std::max(body.reach, own);
    if (std::ranges::any_of(sizes_of(shape.geometry), unusual)) continue;  // it is told by itself
    body.volume = std::max(body.volume, std::visit(Volume{}, shape.geometry));
    body.solid = std::max(body.solid, std::visit(Extent{}, shape.geometry));
  }
  return bodies;
}

// The largest that a body with these shapes and this inertia can fill: of all bodies whose radii of gyration are at
// most k, the homogeneous ball of radius k sqrt(5/2) has the largest volume.
double largest_volume(double reach, double k) {
  const double radius = std::max(reach, std::sqrt(2.5) * k);
  return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

void look_at_body(const Model::Parts& parts, int index, const Inertia& inertia, Findings& findings) {
  const std::string& name = parts.blocks[index].name;
  const auto& [mass, k, reach, solid_volume, solid] = inertia;
  const std::string body = "body '" + name + "' has a ";
  const bool rigid = parts.blocks[index].leaf->body() == BodyKind::rigid;  // nobody knows how deep a planar body is
  const double volume = largest_volume(reach, k);
  if (unusual(k))
    findings.warn("units",
                  body + "radius of gyration of " + short_text(k) +
                      " m: check mass and inertia, which are taken in kg and kg m^2",
                  name);
  else if (reach > 0.0 && k > largest_gyration * reach)
    findings.warn("units",
                  body + "radius of gyration of " + short_text(k) + " m, but its shapes reach only " +
                      short_text(reach) + " m from its centre: is the inertia in kg mm^2? It is taken in kg m^2",
                  name);
  else if (rigid && mass / volume > largest_density)
    findings.warn("units",
                  body + "mass of " + short_text(mass) + " kg in a volume of at most " + short_text(volume) +
                      " m^3: " + short_text(mass / volume) +
                      " kg/m^3 is denser than any metal; is the mass a density, or are lengths in mm?",
                  name);
  else if (mass < smallest_density * solid_volume)
    findings.warn("units",
                  body + "mass of " + short_text(mass) + " kg and a shape of " + short_text(solid_volume) +
                      " m^3: " + short_text(mass / solid_volume) +
                      " kg/m^3 is lighter than air; are lengths in mm? They are taken in m",
                  name);
  else if (largest_gyration * k < solid)
    findings.warn("units",
                  body + "radius of gyration of " + short_text(k) + " m, but a shape of it reaches " +
                      short_text(solid) +
                      " m from its own centre: is the mass in g, or are lengths in mm? They are taken in kg, kg m^2 "
                      "and m",
                  name);
}

}  // namespace

void look_at_units(const io::Scene& scene, const System& system, Findings& findings) {
  const Model::Parts& parts = scene.model.parts();
  const double g = std::hypot(parts.gravity[0], parts.gravity[1], parts.gravity[2]);
  if (g > largest_gravity)
    findings.warn("units", "gravity is " + short_text(g) + " m/s^2, " + short_text(g / 9.81) +
                               " times that of the earth: are lengths in mm? They are taken in m");
  const auto any = [&](BodyKind kind) {
    return std::ranges::any_of(parts.blocks, [kind](const auto& block) { return block.leaf->body() == kind; });
  };
  if (parts.gravity[2] != 0.0 && any(BodyKind::planar) && !any(BodyKind::rigid))
    findings.warn("units", "gravity has a part along z, " + short_text(parts.gravity[2]) +
                               " m/s^2; planar bodies do not feel it: they move in x and y");
  for (const io::Doubt& doubt : scene.doubts) findings.warn(doubt.topic, doubt.text, doubt.item);
  for (const Model::Parts::Shape& shape : parts.shapes)
    for (const double size : sizes_of(shape.geometry))
      if (unusual(size))
        findings.warn("units",
                      "shape '" + shape.name + "', a " + std::string(geometry_name(shape.geometry)) +
                          ", has a size of " + short_text(size) + " m: is that the unit?",
                      shape.name);

  const State& x = system.initial_state();
  std::vector<double> M(system.matrix_size()), scratch(system.scratch_size());
  system.mass({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, M, Part::all);
  const std::vector<Inertia> shapes = of_shapes(parts);
  for (int i = 0; i < static_cast<int>(parts.blocks.size()); ++i) {
    if (parts.blocks[i].leaf->body() == BodyKind::ground) continue;
    Inertia inertia = inertia_of(system, M, parts.blocks[i]);
    inertia.reach = shapes[i].reach;
    inertia.volume = shapes[i].volume;
    inertia.solid = shapes[i].solid;
    look_at_body(parts, i, inertia, findings);
  }
}

}  // namespace esc::study
