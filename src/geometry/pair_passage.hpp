// Whether two shapes pass through each other on the way between two places: a search that leaves out only what a bound
// on the relative motion excludes.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include <escapement/models/pose.hpp>

namespace esc {

// The nearest features of two shapes.
struct Nearness {
  double gap = 0.0;  // m; 1-Lipschitz in the relative motion of the surfaces
  Vec3<double> n;    // from B to A
};

struct PassageRule {
  double length = 0.0;   // m: no point of the one shape moves farther in the frame of the other
  double tol = 0.0;      // m: gaps down to -tol count as closed
  double shallow = 0.0;  // m: what dips less below both ends is a graze
};

namespace detail {

constexpr int most_looks = 4096;

// A point of (0, 1) where the gap is below `floor`, or nothing. Where so many looks do not decide, the step is far too
// long for these shapes, and what is possible counts as found.
template <class At>
Nearness deepest(const At& at, double g0, double g1, double length, double floor) {
  struct Part {
    double a, b, ga, gb;
    double least(double length) const { return 0.5 * (ga + gb - length * (b - a)); }
  };
  std::array<Part, 64> stack;
  int size = 0, looks = 0;
  stack[size++] = {0.0, 1.0, g0, g1};
  while (size > 0) {
    const Part part = stack[--size];
    if (!(part.least(length) < floor)) continue;
    const double middle = 0.5 * (part.a + part.b);
    if (++looks > most_looks || size + 2 > static_cast<int>(stack.size())) return {part.least(length), {}};
    const Nearness here = at(middle);
    if (here.gap < floor) return here;
    stack[size++] = {part.a, middle, part.ga, here.gap};
    stack[size++] = {middle, part.b, here.gap, part.gb};
  }
  return {0.0, {}};
}

// The nearest features where the gap falls below -tol, and whether it falls there at once, as that of a pair which
// exists between two faces only.
struct Entry {
  Nearness in;
  bool jumps = false;
};
template <class At>
Entry entry(const At& at, const Nearness& begin, const Nearness& end, const PassageRule& rule) {
  if (begin.gap < -rule.tol) return {begin};
  double a = 0.0, b = 1.0;
  Nearness inside = end;
  for (int n = 0; n < 40; ++n) {
    const double middle = 0.5 * (a + b);
    const Nearness here = at(middle);
    if (here.gap < -rule.tol) inside = here;
    (here.gap < -rule.tol ? b : a) = middle;
  }
  return {inside, -inside.gap > rule.tol + rule.shallow};
}

}  // namespace detail

// How deep the shapes have been in each other where they have passed; 0 if they have not. They have if the gap dips by
// more than `shallow` below both ends and zero, or if it ends below zero with a normal turned by more than 60 degrees
// since it fell below: then what pushes the shapes apart does not push against the motion.
template <class At>
double passage_depth(const At& at, const PassageRule& rule) {
  const Nearness begin = at(0.0), end = at(1.0);
  const double least = std::max(rule.tol, rule.shallow);
  const double floor = std::min({begin.gap, end.gap, 0.0}) - least;
  if (begin.gap + end.gap - rule.length < 2.0 * floor) {
    const Nearness deep = detail::deepest(at, begin.gap, end.gap, rule.length, floor);
    if (deep.gap < floor) return -deep.gap;
  }
  if (!(end.gap < -least)) return 0.0;
  const auto [in, jumps] = detail::entry(at, begin, end, rule);
  return jumps || !(dot(in.n, end.n) >= 0.5) ? -end.gap : 0.0;
}

}  // namespace esc
