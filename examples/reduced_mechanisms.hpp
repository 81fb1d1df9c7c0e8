// The benchmark problems in a few coordinates, for ReducedMotion: an own derivation of each, from the same data.
#pragma once

#include <array>
#include <numbers>
#include <utility>

#include "examples/andrews_squeezer.hpp"
#include "examples/bricard.hpp"
#include "examples/flyball_governor.hpp"
#include "examples/n_four_bar.hpp"
#include "examples/reduced_motion.hpp"

namespace esc::examples {

template <int N>
using Start = std::pair<std::array<double, N>, std::array<double, N>>;

// Two points with the mass m and the moment J of a planar body, on the line through its centre along (c, s).
template <class S, class Sink>
void planar_body(double m, double J, const Triple<S>& centre, const Triple<S>& along, Sink& to) {
  const double r = std::sqrt(J / m);
  to.mass(0.5 * m, centre + r * along);
  to.mass(0.5 * m, centre - r * along);
}

template <class S>
struct Axes {
  Triple<S> x, y, z;
};

// Six points with the mass m and the principal moments J of a body in space, on its axes.
template <class S, class Sink>
void body(double m, const std::array<double, 3>& J, const Triple<S>& centre, const Axes<S>& axes, Sink& to) {
  const std::array<const Triple<S>*, 3> axis{&axes.x, &axes.y, &axes.z};
  const double sum = 0.5 * (J[0] + J[1] + J[2]);
  for (int k = 0; k < 3; ++k) {
    const double r = std::sqrt(3.0 * (sum - J[k]) / m);  // sum - J[k] is the integral of the squared distance along k
    to.mass(m / 6.0, centre + r * *axis[k]);
    to.mass(m / 6.0, centre - r * *axis[k]);
  }
}

// One coordinate: the angle of the cranks, which stay parallel. The couplers do not turn.
struct ReducedNFourBar {
  static constexpr int coordinates = 1, equations = 0;
  NFourBar data = {};
  std::array<double, 3> gravity{0.0, -data.g, 0.0};

  Start<1> start() const { return {{0.5 * std::numbers::pi}, {-data.speed / data.length}}; }
  template <class Sink>
  void describe(const std::array<Jet<1>, 1>& q, Sink& to) const {
    const double L = data.length, J = data.mass * L * L / 12.0;
    const Jet<1> none;
    const Triple<Jet<1>> along{cos(q[0]), sin(q[0]), none}, level{none + 1.0, none, none};
    for (int i = 0; i <= data.loops; ++i) planar_body(data.mass, J, i * L * level + 0.5 * L * along, along, to);
    for (int i = 1; i <= data.loops; ++i) planar_body(data.mass, J, (i - 0.5) * L * level + L * along, level, to);
  }
  std::array<double, 2> crank_end(const std::array<double, 1>& q) const {
    return {data.length * std::cos(q[0]), data.length * std::sin(q[0])};
  }
};

// The seven angles and six equations of the IVP test set, all angles in its order: beta, Theta, gamma, Phi, delta,
// Omega, epsilon. The angle of link 2 is beta + Theta, that of link 4 is Phi + delta, that of link 6 Omega + epsilon.
struct ReducedSqueezer {
  static constexpr int coordinates = 7, equations = 6;
  AndrewsSqueezer data = {};
  std::array<double, 3> gravity{};

  Start<7> start() const {
    const auto a = data.start();
    return {{a[0], a[1] - a[0], a[2], a[3] - a[4], a[4], a[5] - a[6], a[6]}, {}};
  }
  template <class Sink>
  void describe(const std::array<Jet<7>, 7>& q, Sink& to) const {
    using Point = Triple<Jet<7>>;
    const AndrewsSqueezer& a = data;
    const std::array<Jet<7>, 7> angle{q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]};
    const Jet<7> none;
    std::array<Point, 7> x, y;  // axes of the links
    for (int i = 0; i < 7; ++i) {
      x[i] = {cos(angle[i]), sin(angle[i]), none};
      y[i] = {-sin(angle[i]), cos(angle[i]), none};
    }
    const Point O{none, none, none}, A{none + a.xa, none + a.ya, none}, B{none + a.xb, none + a.yb, none},
        C{none + a.xc, none + a.yc, none}, F = a.rr * x[0], G = A + a.zt * x[4], H = A - a.u * y[6];
    const std::array<Point, 7> centres{O + a.ra * x[0],
                                       F - a.da * x[1],
                                       B + a.sb * x[2] - a.sa * y[2],
                                       G + (a.ea - a.e) * y[3],
                                       A + a.ta * x[4] + a.tb * y[4],
                                       H + (a.zf - a.fa) * x[5],
                                       A - a.ub * x[6] - a.ua * y[6]};
    for (int i = 0; i < 7; ++i) planar_body(a.mass[i], a.inertia[i], centres[i], x[i], to);
    const Point E = F - a.d * x[1];
    for (const Point& other : {B - a.ss * y[2], G - a.e * y[3], H + a.zf * x[5]}) {
      to.zero(E.x - other.x);
      to.zero(E.y - other.y);
    }
    const Point spring = B + a.sd * x[2] - a.sc * y[2] - C;
    to.line(a.c0, 0.0, a.l0, sqrt(dot(spring, spring)));
    to.load(0, a.torque);
  }
};

// Two angles: joints p1, p3, p5 turn by the one and p2, p4, p6 by the other, which closes the ring if
// (1 + sin a)(1 + sin b) = 1.
struct ReducedBricard {
  static constexpr int coordinates = 2, equations = 1;
  Bricard data = {};
  std::array<double, 3> gravity{0.0, -data.g, 0.0};

  Start<2> start() const { return {}; }
  // Calls at(i, from, to, axes) for the rods i = 0..4, one after the other from p1.
  template <class S, class At>
  void walk(const std::array<S, 2>& q, const S& none, At&& at) const {
    const double L = data.length;
    Axes<S> R{{none + 1.0, none, none}, {none, none + 1.0, none}, {none, none, none + 1.0}};
    Triple<S> here{none, none, none};
    const auto turn = [](const S& angle, Triple<S>& first, Triple<S>& second) {
      const Triple<S> was = first;
      first = cos(angle) * was + sin(angle) * second;
      second = cos(angle) * second - sin(angle) * was;
    };
    for (int i = 0; i < 5; ++i) {
      if (i % 3 == 0) turn(q[i % 2], R.z, R.x);
      if (i % 3 == 1) turn(q[i % 2], R.x, R.y);
      if (i % 3 == 2) turn(q[i % 2], R.y, R.z);
      const std::array<Triple<S>, 5> rods{L * R.x, -L * R.y, L * R.z, -L * R.x, L * R.y};
      const Triple<S> next = here + rods[i];
      at(i, here, next, R);
      here = next;
    }
  }
  template <class Sink>
  void describe(const std::array<Jet<2>, 2>& q, Sink& to) const {
    const double L = data.length, w = data.section, across = data.mass * (L * L + w * w) / 12.0,
                 along = data.mass * w * w / 6.0;
    walk(q, Jet<2>{}, [&](int i, const auto& from, const auto& next, const auto& axes) {
      std::array<double, 3> J{across, across, across};
      J[std::array{0, 1, 2, 0, 1}[i]] = along;
      body(data.mass, J, 0.5 * (from + next), axes, to);
    });
    to.zero(sin(q[0]) + sin(q[1]) + sin(q[0]) * sin(q[1]));
  }
  // Where joint p(i + 1) is.
  std::array<double, 3> joint(const std::array<double, 2>& q, int i) const {
    std::array<double, 3> place{};
    walk(q, 0.0, [&](int rod, const auto&, const auto& next, const auto&) {
      if (rod + 1 == i) place = {next.x, next.y, next.z};
    });
    return place;
  }
};

// Three coordinates: the angle about the shaft, that of both rods below the horizontal, the height of the slider.
struct ReducedGovernor {
  static constexpr int coordinates = 3, equations = 0;
  FlyballGovernor data = {};
  std::array<double, 3> gravity{0.0, 0.0, -data.g};

  Start<3> start() const { return {{0.0, data.angle, data.height}, {data.spin, 0.0, 0.0}}; }
  template <class Sink>
  void describe(const std::array<Jet<3>, 3>& q, Sink& to) const {
    using Point = Triple<Jet<3>>;
    const FlyballGovernor& a = data;
    const Jet<3> none, one = none + 1.0;
    const Point out{cos(q[0]), sin(q[0]), none}, sideways{-sin(q[0]), cos(q[0]), none}, up{none, none, one};
    const double m = a.rod_mass(), block = a.density * a.side * a.side * a.side, J = block * a.side * a.side / 6.0,
                 along = m * a.width * a.width / 6.0, across = m * (a.length * a.length + a.width * a.width) / 12.0;
    body(m, {across, across, along}, 0.5 * a.length * up, {out, sideways, up}, to);
    body(block, {J, J, J}, q[2] * up, {out, sideways, up}, to);
    for (const double side : {1.0, -1.0}) {
      const Point radial = side * out, hinge = 0.5 * a.side * radial + a.length * up;
      const Point rod = cos(q[1]) * radial - sin(q[1]) * up, over = sin(q[1]) * radial + cos(q[1]) * up;
      const Point middle = hinge + 0.5 * a.length * rod;
      body(m, {along, across, across}, middle, {rod, sideways, over}, to);
      to.mass(a.ball, hinge + a.length * rod);
      const Point spring = middle - (0.5 * a.side * radial + q[2] * up);
      to.line(a.stiffness, a.damping, a.rest, sqrt(dot(spring, spring)));
    }
  }
};

}  // namespace esc::examples
