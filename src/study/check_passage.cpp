// The displacement of one step against how thick two shapes are: what is faster goes through within a step.
#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "src/math/text.hpp"
#include "src/study/findings.hpp"
#include "src/study/placed_shape.hpp"

namespace esc::study {

namespace {

constexpr double most_of_thickness = 0.5;  // in one step
constexpr double most_turn = 0.5;          // rad in one step

// How far a centre can sink in before the nearest surface is another one, m; infinite where there is no other side.
struct Thickness {
  double operator()(const Vertex&) const { return 0.0; }
  double operator()(const Disc& s) const { return s.radius; }
  double operator()(const Sphere& s) const { return s.radius; }
  double operator()(const Capsule& s) const { return s.radius; }
  double operator()(const Box& s) const { return std::min({s.half_x, s.half_y, s.half_z}); }
  double operator()(const Cylinder& s) const { return std::min(s.radius, s.half_length); }
  template <class Shape>
  double operator()(const Shape&) const {
    return infinity;
  }
};
double thickness_of(const Geometry& geometry) { return std::visit(Thickness{}, geometry); }

// What turning moves: the corners of a shape that is not round.
bool has_corners(const Geometry& geometry) {
  return std::holds_alternative<Rectangle>(geometry) || std::holds_alternative<Capsule>(geometry) ||
         std::holds_alternative<Box>(geometry) || std::holds_alternative<Cylinder>(geometry);
}

// The largest rate at which a gap of this pair closes at the start, or after the fall to a thing that stands.
struct Closing {
  double speed = 0.0;
  bool fall = false;
};

}  // namespace

void look_at_passage(const io::Scene& scene, const System& system, const ContactSet& set, Findings& findings) {
  const Model::Parts& parts = scene.model.parts();
  const State& x = system.initial_state();
  const double g = std::hypot(parts.gravity[0], parts.gravity[1], parts.gravity[2]), step = scene.run.step;
  std::vector<Closing> closing(parts.contacts.size());
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < parts.contacts.size(); ++i)
    if (parts.contacts[i].shape_a >= 0) by_name[parts.contacts[i].name] = i;
  for (const Contact& contact : set.contacts) {
    const auto found = by_name.find(system.pair_names()[contact.key.pair]);
    if (found == by_name.end()) continue;
    const std::size_t item = found->second;
    const Model::Parts::Contact& pair = parts.contacts[item];
    const bool stands =
        parts.shapes[pair.shape_a].frame.body == ground || parts.shapes[pair.shape_b].frame.body == ground;
    double U[3] = {};
    velocity(set, contact, x.v, U);
    const double now = std::max(-U[0], 0.0), fall = stands ? 2.0 * g * std::max(contact.gap, 0.0) : 0.0;
    if (const double speed = std::sqrt(now * now + fall); speed > closing[item].speed)
      closing[item] = {speed, fall > now * now};
  }

  double worst = 0.0;
  std::string text, name;
  int others = -1;
  for (std::size_t i = 0; i < parts.contacts.size(); ++i) {
    const Model::Parts::Contact& pair = parts.contacts[i];
    if (pair.shape_a < 0) continue;
    const auto &a = parts.shapes[pair.shape_a], &b = parts.shapes[pair.shape_b];
    const double thick = thickness_of(a.geometry) + thickness_of(b.geometry);
    const double part = closing[i].speed * step / thick;
    if (part > most_of_thickness) ++others;
    if (part <= most_of_thickness || part <= worst) continue;
    worst = part;
    name = pair.name;
    text = "contact '" + pair.name + "' may be passed unseen: one step at " + short_text(closing[i].speed) + " m/s (" +
           (closing[i].fall ? "after the fall" : "as at the start") + ") is " + short_text(part) +
           " times its size of " + short_text(thick) +
           " m, radius and half thickness together: take a step of at most " +
           short_text(most_of_thickness * thick / closing[i].speed) +
           " s, or the scheme halve around one that promises gaps";
  }
  if (worst > 0.0)
    findings.warn("step", text + (others > 0 ? "; so may " + std::to_string(others) + " other pairs" : ""), name);

  std::vector<double> spins;
  for (const Model::Parts::Shape& shape : parts.shapes) spins.push_back(placed(shape, parts, system).spin);
  for (const Model::Parts::Contact& pair : parts.contacts) {
    if (pair.shape_a < 0) continue;
    const auto &a = parts.shapes[pair.shape_a], &b = parts.shapes[pair.shape_b];
    if (!has_corners(a.geometry) && !has_corners(b.geometry)) continue;
    const double turn = step * (spins[pair.shape_a] + spins[pair.shape_b]);
    if (turn <= most_turn) continue;
    findings.warn("step",
                  "contact '" + pair.name + "' turns by " + short_text(turn) +
                      " rad in one step: its corners may pass unseen; take a step of at most " +
                      short_text(most_turn * step / turn) + " s",
                  pair.name);
    break;
  }
}

}  // namespace esc::study
