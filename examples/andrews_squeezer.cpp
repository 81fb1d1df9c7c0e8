#include "examples/andrews_squeezer.hpp"

#include <cmath>
#include <string>

namespace esc::examples {

namespace {

struct Point {
  double x, y;
};

// Where a circle about P of radius p and one about Q of radius q meet, on the left of the way from P to Q.
Point left_of(Point P, double p, Point Q, double q) {
  const double distance = std::hypot(Q.x - P.x, Q.y - P.y);
  const double along = (p * p - q * q + distance * distance) / (2.0 * distance);
  const double across = std::sqrt(p * p - along * along);
  return {P.x + (along * (Q.x - P.x) - across * (Q.y - P.y)) / distance,
          P.y + (along * (Q.y - P.y) + across * (Q.x - P.x)) / distance};
}

struct Assembly {
  Point F, E, G, H;
};

Assembly assembled(const AndrewsSqueezer& a) {
  const Point F{a.rr * std::cos(a.beta), a.rr * std::sin(a.beta)}, A{a.xa, a.ya}, B{a.xb, a.yb};
  const Point E = left_of(F, a.d, B, a.ss);
  return {F, E, left_of(A, a.zt, E, a.e), left_of(E, a.zf, A, a.u)};
}

std::array<double, 7> angles_of(const AndrewsSqueezer& a, const Assembly& p) {
  return {a.beta,
          std::atan2(p.F.y - p.E.y, p.F.x - p.E.x),
          std::atan2(p.E.x - a.xb, a.yb - p.E.y),
          std::atan2(p.E.x - p.G.x, p.G.y - p.E.y),
          std::atan2(p.G.y - a.ya, p.G.x - a.xa),
          std::atan2(p.E.y - p.H.y, p.E.x - p.H.x),
          std::atan2(p.H.x - a.xa, a.ya - p.H.y)};
}

}  // namespace

std::array<double, 7> AndrewsSqueezer::start() const { return angles_of(*this, assembled(*this)); }

Model AndrewsSqueezer::model() const {
  const Assembly p = assembled(*this);
  const std::array<double, 7> angles = angles_of(*this, p);
  // The pin at which a link hangs, and its centre of mass from there, in its own axes.
  const std::array<Point, 7> pins{{{0.0, 0.0}, p.F, {xb, yb}, p.G, {xa, ya}, p.H, {xa, ya}}};
  const std::array<Point, 7> centres{
      {{ra, 0.0}, {-da, 0.0}, {sb, -sa}, {0.0, ea - e}, {ta, tb}, {zf - fa, 0.0}, {-ub, -ua}}};
  Model model;
  std::array<BlockId, 7> link;
  for (int i = 0; i < 7; ++i) {
    const double c = std::cos(angles[i]), s = std::sin(angles[i]);
    const auto [x, y] = centres[i];
    link[i] = model.add_planar_body("link" + std::to_string(i + 1),
                                    {.mass = mass[i],
                                     .inertia = inertia[i],
                                     .pose = {pins[i].x + (c * x - s * y), pins[i].y + (s * x + c * y), angles[i]}});
  }
  // A point of a link, from the pin at which it hangs.
  const auto at = [&](int i, double x, double y) {
    return planar_frame(link[i - 1], x - centres[i - 1].x, y - centres[i - 1].y);
  };
  const JointId pivot = model.add_joint("O", Revolute{}, Frame{ground}, at(1, 0.0, 0.0));
  model.add_joint("F", Revolute{}, at(1, rr, 0.0), at(2, 0.0, 0.0));
  model.add_joint("B", Revolute{}, planar_frame(ground, xb, yb), at(3, 0.0, 0.0));
  model.add_joint("E2", Revolute{}, at(3, 0.0, -ss), at(2, -d, 0.0));
  model.add_joint("E4", Revolute{}, at(3, 0.0, -ss), at(4, 0.0, -e));
  model.add_joint("E6", Revolute{}, at(3, 0.0, -ss), at(6, zf, 0.0));
  model.add_joint("A5", Revolute{}, planar_frame(ground, xa, ya), at(5, 0.0, 0.0));
  model.add_joint("G", Revolute{}, at(5, zt, 0.0), at(4, 0.0, 0.0));
  model.add_joint("A7", Revolute{}, planar_frame(ground, xa, ya), at(7, 0.0, 0.0));
  model.add_joint("H", Revolute{}, at(7, 0.0, -u), at(6, 0.0, 0.0));
  model.add_spring("spring", planar_frame(ground, xc, yc), at(3, sd, -sc), {.stiffness = c0, .length = l0});
  model.set_input(model.add_motor("drive", pivot, JointCoordinate::angle, Motor::torque), torque);
  return model;
}

}  // namespace esc::examples
