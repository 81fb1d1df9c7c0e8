// Belts of links on hinges that run over pulleys, in the plane or in space.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <escapement/model.hpp>

namespace esc::test {

// Hinges at equal distances; the links between them lie on the outside of pulleys of one radius. z (in the plane y) is
// up, and the axles of belts in space are along y.
struct Belt {
  static constexpr double pitch = 0.04;       // m, from hinge to hinge
  static constexpr double thick = 0.008;      // m, radius of the ball or disc in the middle of a link
  static constexpr double link_mass = 0.02;   // kg
  static constexpr int half_turn = 5;         // links along half a pulley
  static constexpr double pulley_mass = 1.0;  // kg

  double clearance = 1e-5;  // m, of a link above its pulley at the start
  const double reach = 0.5 * pitch / std::sin(0.5 * std::numbers::pi / half_turn);  // m, of the hinges on a pulley
  const double radius = reach * std::cos(0.5 * std::numbers::pi / half_turn) - thick - clearance;  // m, of a pulley

  bool planar = false;
  double mu = 0.4;
  Model model = {};

  using Point = std::array<double, 2>;  // m, along x and up

  Frame frame(BlockId body, Point at) const {
    const double half = std::sqrt(0.5);
    if (planar) return planar_frame(body, at[0], at[1]);
    return {body, {at[0], 0.0, at[1]}, {half, -half, 0.0, 0.0}};  // z of the frame is y of the world
  }

  // Links between these hinges; `last` is the mass of the last one.
  std::vector<ShapeId> add_links(const std::vector<Point>& hinges, bool closed, double last = link_mass) {
    std::vector<ShapeId> skins;
    std::vector<BlockId> links;
    const std::size_t count = closed ? hinges.size() : hinges.size() - 1;
    for (std::size_t i = 0; i < count; ++i) {
      const Point &a = hinges[i], &b = hinges[(i + 1) % hinges.size()];
      const Point middle{0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
      const double angle = std::atan2(b[1] - a[1], b[0] - a[0]);
      const std::string name = "link" + std::to_string(i);
      const double mass = i + 1 == count ? last : link_mass;
      if (planar) {
        links.push_back(
            model.add_planar_body(name, {.mass = mass, .inertia = 5e-6, .pose = {middle[0], middle[1], angle}}));
        skins.push_back(model.add_shape(name + ".disc", {links.back()}, Disc{thick}));
      } else {
        RigidBody body{.mass = mass, .inertia = {2e-6, 5e-6, 5e-6}};
        body.position = {middle[0], 0.0, middle[1]};
        body.rotation = {std::cos(0.5 * angle), 0.0, -std::sin(0.5 * angle), 0.0};
        links.push_back(model.add_rigid_body(name, body));
        skins.push_back(model.add_shape(name + ".ball", {links.back()}, Sphere{thick}));
      }
    }
    for (std::size_t i = 0; i + (closed ? 0 : 1) < count; ++i)
      model.add_joint("hinge" + std::to_string(i), Revolute{}, frame(links[i], {0.5 * pitch, 0.0}),
                      frame(links[(i + 1) % count], {-0.5 * pitch, 0.0}));
    return skins;
  }

  void add_contacts(const std::string& pulley, ShapeId rim, const std::vector<ShapeId>& skins) {
    for (std::size_t i = 0; i < skins.size(); ++i)
      model.add_contact(pulley + std::to_string(i), skins[i], rim, {.e = 0.0, .mu = mu});
  }

  ShapeId add_rim(const std::string& name, const Frame& at) {
    return planar ? model.add_shape(name + ".rim", at, Disc{radius})
                  : model.add_shape(name + ".rim", at, Cylinder{radius, 0.03});
  }

  // A pulley on an axle at (x, 0), which it returns.
  JointId add_pulley(const std::string& name, double x, const std::vector<ShapeId>& skins) {
    const double J = 0.5 * pulley_mass * radius * radius;
    BlockId body{};
    if (planar) {
      body = model.add_planar_body(name, {.mass = pulley_mass, .inertia = J, .pose = {x, 0.0, 0.0}});
    } else {
      RigidBody solid{.mass = pulley_mass, .inertia = {0.5 * J, J, 0.5 * J}};
      solid.position = {x, 0.0, 0.0};
      body = model.add_rigid_body(name, solid);
    }
    add_contacts(name, add_rim(name, frame(body, {0.0, 0.0})), skins);
    return model.add_joint(name + ".axle", Revolute{}, frame(ground, {x, 0.0}), frame(body, {0.0, 0.0}));
  }
};

// A rope of 20 links over a pole that does not turn: 7 hang on the left of it and 8 on the right, the last of which has
// `load` times the mass of a link.
inline Model rope_over_pole(bool planar, double mu, double load) {
  Belt belt{.planar = planar, .mu = mu};
  belt.model.set_gravity({0.0, planar ? -9.81 : 0.0, planar ? 0.0 : -9.81});
  std::vector<Belt::Point> hinges;
  for (int i = -7; i < 0; ++i) hinges.push_back({-belt.reach, i * Belt::pitch});
  for (int i = 0; i <= Belt::half_turn; ++i) {
    const double angle = std::numbers::pi * (1.0 - static_cast<double>(i) / Belt::half_turn);
    hinges.push_back({belt.reach * std::cos(angle), belt.reach * std::sin(angle)});
  }
  for (int i = 1; i <= 8; ++i) hinges.push_back({belt.reach, -i * Belt::pitch});
  const auto skins = belt.add_links(hinges, false, load * Belt::link_mass);
  belt.add_contacts("pole", belt.add_rim("pole", belt.frame(ground, {0.0, 0.0})), skins);
  return std::move(belt.model);
}

// An endless belt of 20 links over two pulleys: a torque (N m) drives the left one, a brake (N m s) is on the right.
// The belt is too long by 2 pi times `slack` (m): rigid links on pulleys that stay where they are need some to move.
inline Model belt_drive(bool planar, double mu, double torque, double brake, double slack = 1e-5) {
  Belt belt{.clearance = slack, .planar = planar, .mu = mu};
  belt.model.set_gravity({0.0, planar ? -9.81 : 0.0, planar ? 0.0 : -9.81});
  constexpr int straight = 5;
  const double half = 0.5 * straight * Belt::pitch;
  std::vector<Belt::Point> hinges;
  for (int side = 0; side < 2; ++side) {
    const double sign = side == 0 ? 1.0 : -1.0;
    for (int i = 0; i < straight; ++i) hinges.push_back({sign * (i * Belt::pitch - half), sign * belt.reach});
    for (int i = 0; i < Belt::half_turn; ++i) {
      const double angle = std::numbers::pi * i / Belt::half_turn;
      hinges.push_back({sign * (half + belt.reach * std::sin(angle)), sign * belt.reach * std::cos(angle)});
    }
  }
  const auto skins = belt.add_links(hinges, true);
  const JointId left = belt.add_pulley("left", -half, skins);
  const JointId right = belt.add_pulley("right", half, skins);
  belt.model.add_motor("motor", left, JointCoordinate::angle,
                       TorqueMotor{[=](double, const double*) { return torque; }});
  belt.model.add_joint_spring("brake", right, JointCoordinate::angle, {.damping = brake});
  return std::move(belt.model);
}

}  // namespace esc::test
