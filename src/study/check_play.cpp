// Play, against the displacement of one step. It exists where one shape of a pair encloses the other, and between two
// gaps of which one closes as the other opens.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "src/math/text.hpp"
#include "src/study/placed_shape.hpp"

namespace esc::study {

namespace {

constexpr double most_of_play = 0.5;  // in one step

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

struct Play {
  std::vector<std::string> contacts, pairs;  // names with and without features
  double size;                               // m, from the middle to contact
  double start;                              // m/s, relative speed at the start
  bool one_shape_encloses_the_other = false;
};

std::vector<Play> plays_of_shapes(const Model::Parts& parts, const System& system) {
  std::vector<Play> plays;
  for (const Model::Parts::Contact& contact : parts.contacts) {
    if (contact.shape_a < 0) continue;
    const PlacedShape a = placed(parts.shapes[contact.shape_a], parts, system);
    const PlacedShape b = placed(parts.shapes[contact.shape_b], parts, system);
    const std::optional<double> in_b = play_of(a, b), play = in_b ? in_b : play_of(b, a);
    if (play && *play > 0.0)
      plays.push_back({{contact.name}, {contact.name}, *play, norm(a.velocity - b.velocity), true});
  }
  return plays;
}

// Whether what opens one gap closes the other: rows of G over the same columns that point against each other.
bool opposed(const ContactSet& set, const Contact& a, const Contact& b) {
  const double *x = set.G.data() + a.first_value, *y = set.G.data() + b.first_value;
  double xy = 0.0, xx = 0.0, yy = 0.0;
  for (int i = 0; i < a.width; ++i) {
    xy += x[i] * y[i];
    xx += x[i] * x[i];
    yy += y[i] * y[i];
  }
  return xy < -0.999 * std::sqrt(xx * yy);
}

// Gaps that are lengths: of shapes, or formulas of coordinates; limits of joints may be angles.
std::vector<Play> plays_of_gaps(const Model::Parts& parts, const System& system) {
  const State& x = system.initial_state();
  ContactSet set;
  system.detect(x.t, x.q, any_gap, set);
  system.evaluate(x.t, x.q, set);
  std::map<std::string_view, const Model::Parts::Contact*> named;
  for (const Model::Parts::Contact& contact : parts.contacts) named[contact.name] = &contact;
  const auto part = [&](const Contact& contact) { return named.at(system.pair_names()[contact.key.pair]); };
  std::map<std::vector<int>, std::vector<int>> by_columns;
  for (int i = 0; i < set.size(); ++i) {
    if (!part(set.contacts[i])->frames.empty()) continue;
    std::vector<int> columns;
    for (const Segment& segment : set.contacts[i].segments)
      columns.insert(columns.end(), {segment.first, segment.length});
    by_columns[columns].push_back(i);
  }
  const auto closing = [&](const Contact& contact) {
    double U[3] = {};
    velocity(set, contact, x.v, U);
    return std::abs(U[0]);
  };
  std::vector<Play> plays;
  for (const auto& [columns, members] : by_columns)
    for (std::size_t i = 0; i < members.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Contact &a = set.contacts[members[j]], &b = set.contacts[members[i]];
        const double size = 0.5 * (a.gap + b.gap);
        const bool same_shapes = a.key.pair == b.key.pair && part(a)->shape_a >= 0;
        if (same_shapes || !(size > 0.0) || !opposed(set, a, b)) continue;
        plays.push_back({{system.contact_name(a.key), system.contact_name(b.key)},
                         {system.pair_names()[a.key.pair], system.pair_names()[b.key.pair]},
                         size,
                         std::max(closing(a), closing(b))});
      }
  return plays;
}

}  // namespace

std::vector<std::string> look_at_play(const io::Scene& scene, const System& system, Findings& findings) {
  const Model::Parts& parts = scene.model.parts();
  const double g = std::hypot(parts.gravity[0], parts.gravity[1], parts.gravity[2]), step = scene.run.step;
  std::vector<Play> plays = plays_of_shapes(parts, system);
  for (Play& play : plays_of_gaps(parts, system)) plays.push_back(std::move(play));
  std::vector<std::string> settled;
  std::string tightest;
  double largest = -1.0, smallest = infinity;
  for (const Play& play : plays) {
    const double fall = std::sqrt(2.0 * g * play.size), speed = std::max(fall, play.start);
    const double part = speed * step / play.size;
    const std::string& item = play.contacts.front();
    std::string text =
        (play.contacts.size() == 1 ? "contact '" + item + "' has a play of "
                                   : "contacts '" + item + "' and '" + play.contacts[1] + "' leave a play of ") +
        short_text(play.size) + " m, ";
    text += speed > 0.0 ? "one step at " + short_text(speed) + " m/s (" +
                              (play.start >= fall ? "as at the start" : "a fall through it") + ") crosses " +
                              short_text(part) + " of it"
                        : "one step crosses half of it at " + short_text(most_of_play * play.size / step) + " m/s";
    if (part > most_of_play)
      findings.warn(
          "step",
          text + ": take a step of at most " + short_text(most_of_play * play.size / speed) + " s, half of the play",
          item);
    if (part > most_of_play || play.one_shape_encloses_the_other)
      settled.insert(settled.end(), play.pairs.begin(), play.pairs.end());
    if (part > largest || (part == largest && play.size < smallest)) {
      largest = part;
      smallest = play.size;
      tightest = std::move(text);
    }
  }
  if (!plays.empty()) findings.fact("step", "tightest: " + tightest);
  return settled;
}

}  // namespace esc::study
