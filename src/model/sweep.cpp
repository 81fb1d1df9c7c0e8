#include <escapement/sweep.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <escapement/system.hpp>

namespace esc {

// Where nothing can have turned by half a turn, the shortest way from q0 to q1. Else that of the velocities, and beside
// it in even parts what it misses q1 by.
const double* Sweep::position(double s) const {
  constexpr double surely_short = 1.5;  // rad
  const auto nq = static_cast<std::size_t>(system.nq()), nv = static_cast<std::size_t>(system.nv());
  memory.q.resize(2 * nq + 2 * nv);
  const std::span<double> q(memory.q.data(), nq), there(q.data() + nq, nq);
  if (size < surely_short) {
    system.interpolate({q0, nq}, {q1, nq}, s, q);
    return q.data();
  }
  const std::span<double> missed(there.data() + nq, nv), part(missed.data() + nv, nv);
  system.retract({q0, nq}, {way, nv}, there);
  system.difference({q1, nq}, there, missed);
  for (std::size_t i = 0; i < nv; ++i) {
    missed[i] *= s;
    part[i] = s * way[i];
  }
  system.retract({q0, nq}, part, there);
  system.retract(there, missed, q);
  return q.data();
}

namespace {

constexpr int parts = 8;
constexpr double bends = 0.3;  // even bends fall by a quarter, per part, from the beginning of a chord to its middle

// One gap along the step.
class OneGap {
 public:
  OneGap(const GapSamples& of, const Sweep& sweep, int i) : of_(of), sweep_(sweep), i_(i) {}

  double operator()(double s) const {
    std::vector<double>& gaps = sweep_.memory.gaps;
    gaps.clear();
    of_.take(sweep_.time(s), s <= 0.0 ? sweep_.q0 : s >= 1.0 ? sweep_.q1 : sweep_.position(s), gaps);
    return gaps[i_];
  }
  const Sweep& sweep() const { return sweep_; }
  ContactKey key() const { return of_.key(i_); }

 private:
  const GapSamples& of_;
  const Sweep& sweep_;
  int i_;
};

struct Least {
  double s, gap;
};

// The minimum between a and b, to 1e-9 of the step.
Least golden_section(const OneGap& gap, double a, double b) {
  constexpr double part = 0.6180339887498949;
  double x = b - part * (b - a), y = a + part * (b - a), gx = gap(x), gy = gap(y);
  while (b - a > 1e-9) {
    if (gx <= gy) {
      b = y;
      y = x;
      gy = gx;
      gx = gap(x = b - part * (b - a));
    } else {
      a = x;
      x = y;
      gx = gy;
      gy = gap(y = a + part * (b - a));
    }
  }
  return gx <= gy ? Least{x, gx} : Least{y, gy};
}

// The row of G of a contact at two places of the step, and what it changes by.
class Rows {
 public:
  // From s to the end. The end stays in sweep.memory.found.
  Rows(const Sweep& sweep, ContactKey key, double s) {
    ContactSet& set = sweep.memory.found;
    const auto look = [&](double t, const double* q) {
      const std::span<const double> place(q, static_cast<std::size_t>(sweep.system.nq()));
      sweep.system.collect(t, place, {&key, 1}, set);
      if (!set.empty()) sweep.system.evaluate(t, place, set);
      return !set.empty();
    };
    if (!look(sweep.time(s), s > 0.0 ? sweep.position(s) : sweep.q0)) return;
    const auto width = static_cast<std::size_t>(set.contacts[0].width);
    const double g_t = set.g_t[0];
    std::vector<double>& row = sweep.memory.gaps;
    row.assign(set.G.begin(), set.G.begin() + static_cast<std::ptrdiff_t>(width));
    if (!look(sweep.t1, sweep.q1)) return;
    double along = 0.0, first = 0.0, last = 0.0;
    for (std::size_t i = 0; i < width; ++i) {
      along += row[i] * set.G[i];
      first += row[i] * row[i];
      last += set.G[i] * set.G[i];
    }
    known = first > 0.0;
    turned = !(along > 0.0 && 4.0 * along * along > first * last);
    wall = std::abs(set.g_t[0] - g_t);
  }

  bool known = false;  // both places have the contact, and the first one a row
  bool turned = true;  // by 60 degrees or more
  double wall = 0.0;   // change of g_t, m/s
};

// By how much the normal velocity of a contact changes within the step times its length, where its row of G turns by
// less than 60 degrees; else 0. The way between two states is a chord: a body that follows a wall, as one at rest on it
// does, or flies freely, is off it by up to an eighth of that. A moving wall bends as its own velocity changes.
double bend(const Sweep& sweep, ContactKey key) {
  if (sweep.dv.empty()) return 0.0;
  const Rows rows(sweep, key, 0.0);
  if (!rows.known || rows.turned) return 0.0;
  double U[3];
  times(sweep.memory.found, sweep.memory.found.contacts[0], sweep.dv, U);
  return (sweep.t1 - sweep.t0) * std::max(std::abs(U[0]), sweep.held(key.pair) ? rows.wall : 0.0);
}

using Samples = std::array<double, parts + 1>;

// Where between `in`, at which it is not, and `below` the gap falls below `open`.
double falls_below(const OneGap& gap, double open, double in, double below) {
  for (int n = 0; n < 30; ++n) {
    const double middle = 0.5 * (in + below);
    (gap(middle) >= open ? in : below) = middle;
  }
  return in;
}

// How deep a gap ends below zero that was open before, where its row has turned since it closed: what would push the
// bodies apart pushes them on.
double end_behind(const OneGap& gap, const Samples& g, double graze) {
  const Sweep& sweep = gap.sweep();
  const double depth = -g.back();
  if (!(depth > sweep.tol) || !(g.front() >= 0.0)) return 0.0;
  int last = 0;
  for (int j = 0; j < parts; ++j)
    if (g[j] >= 0.0) last = j;
  const double in = falls_below(gap, 0.0, last * (1.0 / parts), 1.0);
  if (!(depth > graze * (1.0 - in))) return 0.0;
  const Rows rows(sweep, gap.key(), in);
  return rows.known && rows.turned ? depth : 0.0;
}

// How deep one gap dips below zero where it dips below both ends, if that is no graze.
double dip(const OneGap& gap, const Samples& g, double graze) {
  const Sweep& sweep = gap.sweep();
  const double tol = sweep.tol;
  const auto inner = std::min_element(g.begin() + 1, g.end() - 1);
  if (!(*inner <= g.front()) || !(*inner <= g.back())) return 0.0;
  const auto k = static_cast<int>(inner - g.begin());
  double steepest = 0.0;  // of the parts around it
  for (int j = std::max(k - 2, 0); j < std::min(k + 2, parts); ++j)
    steepest = std::max(steepest, std::abs(g[j + 1] - g[j]));
  const double open = std::min({g.front(), g.back(), 0.0});
  if (open - *inner + steepest <= tol) return 0.0;
  const Least least = golden_section(gap, (k - 1.0) / parts, (k + 1.0) / parts);
  const double depth = open - least.gap;
  if (!(depth > tol)) return 0.0;

  double in = 0.0;
  for (int j = 0; j < k; ++j)
    if (g[j] >= open && j * (1.0 / parts) < least.s) in = j * (1.0 / parts);
  const double down = least.s - falls_below(gap, open, in, least.s);
  return depth > graze * down && depth > (graze + bends * bend(sweep, gap.key())) * down ? -least.gap : 0.0;
}

}  // namespace

void GapSamples::look(const Sweep& sweep, double graze, Passage& worst) const {
  std::vector<double>& g = sweep.memory.samples;  // gap i at place k is g[k n + i], places 0, middle, 1 first
  g.clear();
  take(sweep.t0, sweep.q0, g);
  const std::size_t n = g.size();
  take(sweep.time(0.5), sweep.position(0.5), g);
  take(sweep.t1, sweep.q1, g);
  bool whole = false;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = g[i], b = g[n + i], c = g[2 * n + i];
    const double low = std::min({a, b, c}), high = std::max({a, b, c});
    if (!(low < any_gap) || std::max(low, 0.0) + sweep.tol >= 2.0 * (high - low)) continue;
    if (!whole) {
      for (const int k : {1, 2, 3, 5, 6, 7}) take(sweep.time(k / 8.0), sweep.position(k / 8.0), g);
      whole = true;
    }
    const auto at_place = [&](std::size_t place) { return g[place * n + i]; };
    const Samples along{a, at_place(3), at_place(4), at_place(5), b, at_place(6), at_place(7), at_place(8), c};
    const OneGap gap(*this, sweep, static_cast<int>(i));
    worst.see(gap.key(), std::max(dip(gap, along, graze), end_behind(gap, along, graze)));
  }
}

namespace {

// The least gap of each pair that a source has at the beginning of the step.
class LeastGaps final : public GapSamples {
 public:
  LeastGaps(const ContactSource& source, ContactSet& found) : source_(source), found_(found) {}
  bool begin(const Sweep& sweep) {
    detect(sweep.t0, sweep.q0);
    if (found_.contacts.empty()) return false;
    first_ = found_.contacts.front().key.pair;
    count_ = found_.contacts.back().key.pair - first_ + 1;
    return true;
  }
  void take(double t, const double* q, std::vector<double>& gaps) const override {
    detect(t, q);
    const std::size_t old = gaps.size();
    gaps.resize(old + count_, any_gap);
    for (const Contact& contact : found_.contacts)
      if (const std::uint32_t i = contact.key.pair - first_; i < count_)
        gaps[old + i] = std::min(gaps[old + i], contact.gap);
  }
  ContactKey key(int i) const override { return {first_ + static_cast<std::uint32_t>(i), 0}; }

 private:
  void detect(double t, const double* q) const {
    found_.clear();
    source_.detect(t, q, any_gap, found_);
  }
  const ContactSource& source_;
  ContactSet& found_;
  std::uint32_t first_ = 0, count_ = 0;
};

}  // namespace

void ContactSource::passage(const Sweep& sweep, std::span<const Contact>, Passage& worst) const {
  LeastGaps gaps(*this, sweep.memory.found);
  if (gaps.begin(sweep)) gaps.look(sweep, Sweep::gentle * sweep.size, worst);
}

}  // namespace esc
