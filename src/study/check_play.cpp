// Play, against the displacement of one step. It exists where one shape of a pair encloses the other, and between two
// gaps of which one closes as the other opens.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

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
  std::vector<PlacedShape> shapes;  // each once: there may be a pair for every two of them
  for (const Model::Parts::Shape& shape : parts.shapes) shapes.push_back(placed(shape, parts, system));
  std::vector<Play> plays;
  for (const Model::Parts::Contact& contact : parts.contacts) {
    if (contact.shape_a < 0) continue;
    const PlacedShape &a = shapes[contact.shape_a], &b = shapes[contact.shape_b];
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

// The contacts of a set over the same columns, list by list; limits of joints, which may be angles, are left out.
std::vector<std::vector<int>> by_columns(const ContactSet& set, const std::vector<char>& left_out) {
  const auto less = [&](int i, int j) {
    const auto segments = [&](int k) { return set.contacts[k].segments; };
    return std::lexicographical_compare(
        segments(i).begin(), segments(i).end(), segments(j).begin(), segments(j).end(),
        [](const Segment& a, const Segment& b) { return std::pair(a.first, a.length) < std::pair(b.first, b.length); });
  };
  std::vector<int> order;
  for (int i = 0; i < set.size(); ++i)
    if (!left_out[set.contacts[i].key.pair]) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), less);
  std::vector<std::vector<int>> lists;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || less(order[i - 1], order[i])) lists.emplace_back();
    lists.back().push_back(order[i]);
  }
  return lists;
}

// For each contact of a list the one against it whose gap is smallest, looked for among the smallest gaps of all: more
// walls than that hide behind each other. As (later, earlier) contact, each pair once.
template <class Opposed>
std::vector<std::pair<int, int>> nearest_opposed(const ContactSet& set, std::vector<int> list, Opposed opposes) {
  constexpr std::size_t most_walls = 64;
  std::vector<std::pair<int, int>> pairs;
  std::stable_sort(list.begin(), list.end(), [&](int i, int j) { return set.contacts[i].gap < set.contacts[j].gap; });
  const std::span<const int> walls(list.data(), std::min(list.size(), most_walls));
  for (const int i : list) {
    const auto wall = std::find_if(walls.begin(), walls.end(), [&](int j) { return j != i && opposes(i, j); });
    if (wall != walls.end()) pairs.emplace_back(std::max(i, *wall), std::min(i, *wall));
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

// Gaps that are lengths: of shapes, or formulas of coordinates.
std::vector<Play> plays_of_gaps(const Model::Parts& parts, const System& system) {
  const State& x = system.initial_state();
  ContactSet set;
  system.detect(x.t, x.q, any_gap, set);
  system.evaluate(x.t, x.q, set);
  std::unordered_map<std::string_view, const Model::Parts::Contact*> named;
  for (const Model::Parts::Contact& contact : parts.contacts) named[contact.name] = &contact;
  std::vector<char> of_shapes, of_frames;  // by pair
  for (const std::string& name : system.pair_names()) {
    of_shapes.push_back(named.at(name)->shape_a >= 0);
    of_frames.push_back(!named.at(name)->frames.empty());
  }
  const auto opposes = [&](int i, int j) {
    const Contact &a = set.contacts[i], &b = set.contacts[j];
    const bool same_shapes = a.key.pair == b.key.pair && of_shapes[a.key.pair];
    return !same_shapes && a.gap + b.gap > 0.0 && opposed(set, a, b);
  };
  const auto closing = [&](const Contact& contact) {
    double U[3] = {};
    velocity(set, contact, x.v, U);
    return std::abs(U[0]);
  };
  std::vector<Play> plays;
  for (const std::vector<int>& list : by_columns(set, of_frames))
    for (const auto& [later, earlier] : nearest_opposed(set, list, opposes)) {
      const Contact &a = set.contacts[earlier], &b = set.contacts[later];
      plays.push_back({{system.contact_name(a.key), system.contact_name(b.key)},
                       {system.pair_names()[a.key.pair], system.pair_names()[b.key.pair]},
                       0.5 * (a.gap + b.gap),
                       std::max(closing(a), closing(b))});
    }
  return plays;
}

}  // namespace

std::unordered_set<std::string> look_at_play(const io::Scene& scene, const System& system, Findings& findings) {
  const Model::Parts& parts = scene.model.parts();
  const double g = std::hypot(parts.gravity[0], parts.gravity[1], parts.gravity[2]), step = scene.run.step;
  std::vector<Play> plays = plays_of_shapes(parts, system);
  for (Play& play : plays_of_gaps(parts, system)) plays.push_back(std::move(play));
  std::unordered_set<std::string> settled;
  std::string tightest;
  double largest = -1.0, smallest = infinity;
  for (const Play& play : plays) {
    const double fall = std::sqrt(2.0 * g * play.size), speed = std::max(fall, play.start);
    const double part = speed * step / play.size;
    const std::string& item = play.contacts.front();
    std::string text =
        (play.contacts.size() == 1 ? "contact '" + item + "' has a play of "
                                   : "contacts '" + item + "' and '" + play.contacts[1] + "' leave a play of ") +
        short_text(play.size) + " m on each side, " + short_text(2.0 * play.size) + " m in all, ";
    text += speed > 0.0
                ? "one step at " + short_text(speed) + " m/s (" +
                      (play.start >= fall ? "as at the start" : "a fall through it") + ") crosses " + short_text(part) +
                      " of one side"
                : "one step crosses half of one side at " + short_text(most_of_play * play.size / step) + " m/s";
    if (part > most_of_play)
      findings.warn(
          "step",
          text + ": take a step of at most " + short_text(most_of_play * play.size / speed) + " s, half of one side",
          item);
    if (part > most_of_play || play.one_shape_encloses_the_other) settled.insert(play.pairs.begin(), play.pairs.end());
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
