// The slider-crank of rigid bodies and revolute joints, in the plane and in space.
#include <cmath>
#include <numbers>
#include <string>

#include "examples/slider_crank.hpp"

namespace esc::examples {

namespace {

constexpr std::array<const char*, 3> piece_names{"crank", "rod", "slider"};

struct Centre {
  double x, y, vx, vy;
};

// Centres of mass of crank, rod and slider at the start.
std::array<Centre, 3> centres(const SliderCrank& d) {
  const auto along = [](double length, double angle, double rate) {
    const double c = length * std::cos(angle), s = length * std::sin(angle);
    return Centre{c, s, -s * rate, c * rate};
  };
  const auto plus = [](const Centre& a, const Centre& b, double scale) {
    return Centre{a.x + scale * b.x, a.y + scale * b.y, a.vx + scale * b.vx, a.vy + scale * b.vy};
  };
  const Centre crank = along(d.l1, d.angles[0], d.rates[0]), rod = along(d.l2, d.angles[1], d.rates[1]);
  return {plus({}, crank, 0.5), plus(crank, rod, 0.5), plus(crank, rod, 1.0)};
}

// Pivot on the ground at the origin, pin between crank and rod, pin between rod and slider; all axes along z.
void add_pins(Model& model, const SliderCrank& d, const std::array<BlockId, 3>& body) {
  model.add_joint("crank_pivot", Revolute{}, Frame{}, Frame{body[0], {-0.5 * d.l1, 0.0, 0.0}});
  model.add_joint("crank_pin", Revolute{}, Frame{body[0], {0.5 * d.l1, 0.0, 0.0}},
                  Frame{body[1], {-0.5 * d.l2, 0.0, 0.0}});
  model.add_joint("slider_pin", Revolute{}, Frame{body[1], {0.5 * d.l2, 0.0, 0.0}}, Frame{body[2]});
}

// Corners in the order of the minimal coordinates: left and right at the upper wall, left and right at the lower one.
void add_corners(Model& model, const SliderCrank& d, BlockId slider, const std::array<ShapeId, 2>& walls) {
  constexpr std::array<const char*, 4> names{"upper_left", "upper_right", "lower_left", "lower_right"};
  for (int i = 0; i < 4; ++i) {
    const double x = i % 2 == 0 ? -d.a : d.a, y = i < 2 ? d.b : -d.b;
    const ShapeId corner = model.add_shape(std::string(names[i]) + "_corner", Frame{slider, {x, y, 0.0}}, Vertex{});
    model.add_contact(names[i], corner, walls[i / 2], {.e = d.e, .mu = d.mu});
  }
}

}  // namespace

Model SliderCrank::planar_model() const {
  Model model;
  model.set_gravity({0.0, -g, 0.0});
  const std::array<Centre, 3> start = centres(*this);
  const std::array<double, 3> mass{m1, m2, m3}, inertia{J1, J2, J3};
  std::array<BlockId, 3> body;
  for (int i = 0; i < 3; ++i)
    body[i] = model.add_planar_body(piece_names[i], {.mass = mass[i],
                                                     .inertia = inertia[i],
                                                     .pose = {start[i].x, start[i].y, angles[i]},
                                                     .velocity = {start[i].vx, start[i].vy, rates[i]}});
  add_pins(model, *this, body);
  add_corners(model, *this, body[2],
              {model.add_shape("upper_wall", planar_frame(ground, 0.0, b + c, std::numbers::pi), HalfPlane{}),
               model.add_shape("lower_wall", planar_frame(ground, 0.0, -b - c), HalfPlane{})});
  return model;
}

Model SliderCrank::spatial_model() const {
  Model model;
  model.set_gravity({0.0, -g, 0.0});
  const std::array<Centre, 3> start = centres(*this);
  const std::array<double, 3> mass{m1, m2, m3}, inertia{J1, J2, J3};
  std::array<BlockId, 3> body;
  for (int i = 0; i < 3; ++i)
    body[i] = model.add_rigid_body(piece_names[i],
                                   {.mass = mass[i],
                                    .inertia = {Jx, inertia[i], inertia[i]},
                                    .position = {start[i].x, start[i].y, 0.0},
                                    .rotation = {std::cos(0.5 * angles[i]), 0.0, 0.0, std::sin(0.5 * angles[i])},
                                    .velocity = {start[i].vx, start[i].vy, 0.0},
                                    .angular_velocity = {0.0, 0.0, rates[i]},
                                    .allow_unphysical_inertia = true});
  add_pins(model, *this, body);
  const double half = std::sqrt(0.5);  // a quarter turn about x takes z to -y
  add_corners(model, *this, body[2],
              {model.add_shape("upper_wall", Frame{ground, {0.0, b + c, 0.0}, {half, half, 0.0, 0.0}}, HalfSpace{}),
               model.add_shape("lower_wall", Frame{ground, {0.0, -b - c, 0.0}, {half, -half, 0.0, 0.0}}, HalfSpace{})});
  return model;
}

}  // namespace esc::examples
