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
constexpr double largest_gyration = 30.0;                     // times the size of the shapes

bool unusual(double size) { return size < smallest_size || size > largest_size; }

struct Inertia {
  double mass = 0.0;      // kg
  double gyration = 0.0;  // m, the largest radius
  double reach = 0.0;     // m, of the shapes
};

Inertia inertia_of(const System& system, std::span<const double> M, const Model::Parts::Block& body) {
  const int v0 = first_velocity(system, body);
  const MatrixBlock& block = system.blocks()[system.block_of(v0)];
  const auto diagonal = [&](int i) { return M[block.a0 + i * block.n + i]; };
  double J = 0.0;
  for (int i = body.leaf->body() == BodyKind::planar ? 2 : 3; i < block.n; ++i) J = std::max(J, diagonal(i));
  return {diagonal(0), std::sqrt(J / diagonal(0)), 0.0};
}

// m, the farthest that the shapes of each body reach from its centre of mass; 0 without shapes.
std::vector<double> reaches(const Model::Parts& parts) {
  std::vector<double> reach(parts.blocks.size(), 0.0);
  for (const Model::Parts::Shape& shape : parts.shapes) {
    if (shape.frame.body == ground) continue;
    const auto& p = shape.frame.position;
    double own = std::hypot(p[0], p[1], p[2]);
    for (const double size : sizes_of(shape.geometry)) own += size;
    reach[shape.frame.body.index] = std::max(reach[shape.frame.body.index], own);
  }
  return reach;
}

// The largest that a body with these shapes and this inertia can fill: of all bodies whose radii of gyration are at
// most k, the homogeneous ball of radius k sqrt(5/2) has the largest volume.
double largest_volume(double reach, double k) {
  const double radius = std::max(reach, std::sqrt(2.5) * k);
  return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

void look_at_body(const Model::Parts& parts, int index, const Inertia& inertia, Findings& findings) {
  const std::string& name = parts.blocks[index].name;
  const auto& [mass, k, reach] = inertia;
  const std::string body = "body '" + name + "' has a ";
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
  if (parts.blocks[index].leaf->body() != BodyKind::rigid) return;  // nobody knows how deep a planar body is
  if (const double volume = largest_volume(reach, k); mass / volume > largest_density)
    findings.warn("units",
                  body + "mass of " + short_text(mass) + " kg in a volume of at most " + short_text(volume) +
                      " m^3: " + short_text(mass / volume) +
                      " kg/m^3 is denser than any metal; is the mass a density, or are lengths in mm?",
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
  for (const io::Doubt& doubt : scene.doubts) findings.warn("units", doubt.text, doubt.item);
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
  const std::vector<double> reach = reaches(parts);
  for (int i = 0; i < static_cast<int>(parts.blocks.size()); ++i) {
    if (parts.blocks[i].leaf->body() == BodyKind::ground) continue;
    Inertia inertia = inertia_of(system, M, parts.blocks[i]);
    inertia.reach = reach[i];
    look_at_body(parts, i, inertia, findings);
  }
}

}  // namespace esc::study
