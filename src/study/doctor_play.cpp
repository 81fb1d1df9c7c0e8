// The play of pairs of which one shape encloses the other, against the way of one step.
#include <algorithm>
#include <cmath>
#include <optional>

#include <escapement/models/anchor.hpp>

#include "src/math/text.hpp"
#include "src/study/findings.hpp"

namespace esc::study {

namespace {

constexpr double most_of_play = 0.5;  // in one step

struct PlacedShape {
  const Model::Parts::Shape& shape;
  Pose<double> frame;
  Vec3<double> velocity;  // of its origin, world axes
};

Anchor anchor_of(const Frame& frame, const Model::Parts& parts, const System& system) {
  Anchor anchor;
  const auto& [w, x, y, z] = frame.rotation;
  anchor.r = {frame.position[0], frame.position[1], frame.position[2]};
  anchor.R = rotation_of(w, x, y, z);
  if (frame.body == ground) return anchor;
  const Model::Parts::Block& block = parts.blocks[frame.body.index];
  anchor.kind = block.leaf->body();
  anchor.q0 = system.coordinate(block.name + "." + block.coordinates.front().name);
  anchor.v0 = first_velocity(system, block);
  return anchor;
}

PlacedShape placed(const Model::Parts::Shape& shape, const Model::Parts& parts, const System& system) {
  const State& x = system.initial_state();
  const Anchor anchor = anchor_of(shape.frame, parts, system);
  const auto moving = place_along(anchor, x.q.data(), x.v.data()).frame.p;
  return {shape, place(anchor, x.q.data()).frame, {moving.x.d[0], moving.y.d[0], moving.z.d[0]}};
}

template <class Inner>
std::optional<double> round_play(const Geometry& inner, double radius) {
  const Inner* shape = std::get_if<Inner>(&inner);
  return shape ? std::optional(radius - shape->radius) : std::nullopt;
}

// Half of the way between the walls, of a box as it stands at the start.
double slot_play(const Box& box, const Pose<double>& frame, const Channel& channel, const Pose<double>& walls) {
  const Vec3<double> across = walls.R.y;
  return channel.half_width - box.half_x * std::abs(dot(frame.R.x, across)) -
         box.half_y * std::abs(dot(frame.R.y, across)) - box.half_z * std::abs(dot(frame.R.z, across));
}

// The way from the middle to contact; nothing if the second shape does not enclose the first.
std::optional<double> play_of(const PlacedShape& inner, const PlacedShape& outer) {
  const Geometry& a = inner.shape.geometry;
  if (const Ring* ring = std::get_if<Ring>(&outer.shape.geometry)) return round_play<Disc>(a, ring->radius);
  if (const Hole* hole = std::get_if<Hole>(&outer.shape.geometry)) {
    for (const auto play : {round_play<Pin>(a, hole->radius), round_play<Cylinder>(a, hole->radius),
                            round_play<Sphere>(a, hole->radius), round_play<Rim>(a, hole->radius)})
      if (play) return play;
  }
  const auto* channel = std::get_if<Channel>(&outer.shape.geometry);
  const auto* box = std::get_if<Box>(&a);
  if (channel && box) return slot_play(*box, inner.frame, *channel, outer.frame);
  return std::nullopt;
}

}  // namespace

std::vector<std::string> look_at_play(const io::Scene& scene, const System& system, Findings& findings) {
  const Model::Parts& parts = scene.model.parts();
  const double g = std::hypot(parts.gravity[0], parts.gravity[1], parts.gravity[2]), step = scene.run.step;
  std::vector<std::string> known;
  std::string tightest, tightest_pair;
  double largest = -1.0;
  for (const Model::Parts::Contact& contact : parts.contacts) {
    if (contact.shape_a < 0) continue;
    const PlacedShape a = placed(parts.shapes[contact.shape_a], parts, system);
    const PlacedShape b = placed(parts.shapes[contact.shape_b], parts, system);
    const std::optional<double> in_b = play_of(a, b), play = in_b ? in_b : play_of(b, a);
    if (!play || !(*play > 0.0)) continue;
    known.push_back(contact.name);
    const double fall = std::sqrt(2.0 * g * *play), start = norm(a.velocity - b.velocity);
    const double speed = std::max(fall, start), part = speed * step / *play;
    const std::string pair = "contact '" + contact.name + "' has a play of " + short_text(*play) + " m";
    const std::string way = ", one step at " + short_text(speed) + " m/s (" +
                            (start >= fall ? "as at the start" : "a fall through it") + ") goes " + short_text(part) +
                            " of it";
    if (part > largest) {
      largest = part;
      tightest = speed > 0.0 ? pair + way : pair;
      tightest_pair = contact.name;
    }
    if (part > most_of_play)
      findings.warn(
          "step",
          pair + way + ": take a step of at most " + short_text(most_of_play * *play / speed) + " s, half of the play",
          contact.name);
  }
  if (largest >= 0.0) findings.fact("step", "tightest pair: " + tightest, tightest_pair);
  return known;
}

}  // namespace esc::study
