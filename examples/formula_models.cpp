#include "examples/formula_models.hpp"

#include <string>
#include <vector>

#include <escapement/formula/leaves.hpp>

namespace esc::examples {

Model formula_model(const SliderCrank& d) {
  const FormulaScope scope{.coordinates = {"crank", "rod", "slider"},
                           .parameters = {{"l1", d.l1},
                                          {"l2", d.l2},
                                          {"a", d.a},
                                          {"b", d.b},
                                          {"c", d.c},
                                          {"m1", d.m1},
                                          {"m2", d.m2},
                                          {"m3", d.m3},
                                          {"J1", d.J1},
                                          {"J2", d.J2},
                                          {"J3", d.J3},
                                          {"g", d.g}},
                           .definitions = {{"x1", "l1*cos(crank)"},  // crank pin
                                           {"y1", "l1*sin(crank)"},
                                           {"xm", "x1 + l2/2*cos(rod)"},  // middle of the rod
                                           {"ym", "y1 + l2/2*sin(rod)"},
                                           {"x3", "x1 + l2*cos(rod)"},  // slider
                                           {"y3", "y1 + l2*sin(rod)"},
                                           {"room", "b + c - b*cos(slider)"},
                                           {"tilt", "a*sin(slider)"},
                                           {"along", "a*cos(slider)"},
                                           {"across", "b*sin(slider)"}}};
  const FormulaEnergies energies{.kinetic =
                                     "m1/2*(dot(x1/2)^2 + dot(y1/2)^2) + J1/2*dot(crank)^2"
                                     " + m2/2*(dot(xm)^2 + dot(ym)^2) + J2/2*dot(rod)^2"
                                     " + m3/2*(dot(x3)^2 + dot(y3)^2) + J3/2*dot(slider)^2",
                                 .potential = "g*(m1*y1/2 + m2*ym + m3*y3)"};
  const std::vector<FormulaContact> corners{{"room - (y3 - tilt)", {"x3 - along - across"}},
                                            {"room - (y3 + tilt)", {"x3 + along - across"}},
                                            {"room + (y3 - tilt)", {"x3 - along + across"}},
                                            {"room + (y3 + tilt)", {"x3 + along + across"}}};
  Model model;
  const BlockId mechanism = model.add_coordinates("angle", scope.coordinates, formula_block(scope, energies),
                                                  {d.angles.begin(), d.angles.end()}, {d.rates.begin(), d.rates.end()});
  model.add_contact("corner", {mechanism}, formula_gap(scope, corners), {.e = d.e, .mu = d.mu});
  return model;
}

Model formula_model(const BouncingBall& d) {
  const FormulaScope scope{.coordinates = {"y"}, .parameters = {{"m", d.mass}, {"f", d.force}}};
  Model model;
  const FormulaEquations equations{.diagonal = {"m"}, .potential = "-f*y"};
  const BlockId ball = model.add_coordinates("ball", {"y"}, formula_block(scope, equations), {d.height}, {d.velocity});
  model.add_contact("floor", {ball}, formula_gap(scope, {{"y"}}), {.e = d.e});
  return model;
}

Model formula_model(const RockingBlock& d) {
  const FormulaScope scope{
      .coordinates = {"x", "y", "theta"},
      .parameters = {{"L", d.length}, {"l", d.thickness}, {"m", d.mass}, {"J", d.inertia()}, {"g", d.g}}};
  Model model;
  const FormulaEquations equations{.diagonal = {"m", "m", "J"}, .potential = "m*g*y"};
  const BlockId block = model.add_coordinates("block", scope.coordinates, formula_block(scope, equations),
                                              {d.pose.begin(), d.pose.end()}, {d.velocity.begin(), d.velocity.end()});
  const std::vector<FormulaContact> corners{
      {"y - l/2*cos(theta) - L/2*sin(theta)", {"x + l/2*sin(theta) - L/2*cos(theta)"}},
      {"y - l/2*cos(theta) + L/2*sin(theta)", {"x + l/2*sin(theta) + L/2*cos(theta)"}},
      {"y + l/2*cos(theta) + L/2*sin(theta)", {"x - l/2*sin(theta) + L/2*cos(theta)"}},
      {"y + l/2*cos(theta) - L/2*sin(theta)", {"x - l/2*sin(theta) - L/2*cos(theta)"}}};
  model.add_contact("floor", {block}, formula_gap(scope, corners), {.e = d.e, .mu = d.mu});
  return model;
}

Model formula_model(const RingPendulum& d) {
  const double half = 0.5 * d.rod_length();
  const ParameterValues parameters{{"m", d.rod_mass},    {"J", d.rod_inertia}, {"g", d.g},
                                   {"R", d.ring_radius}, {"half", half},       {"J_ring", d.ring_inertia}};
  Model model;
  const BlockId rod =
      model.add_coordinates("rod", {"x", "y", "phi"},
                            formula_block({.coordinates = {"x", "y", "phi"}, .parameters = parameters},
                                          FormulaEquations{.diagonal = {"m", "m", "J"}, .potential = "m*g*y"}),
                            {0.0, -(d.ring_radius - d.gap) - half, 0.0}, {0.0, 0.0, 0.0});
  const BlockId ring = model.add_coordinates(
      "ring", {"phi"},
      formula_block({.coordinates = {"phi"}, .parameters = parameters}, FormulaEquations{.diagonal = {"J_ring"}}),
      {0.0}, {d.ring_rate});
  const FormulaScope scope{.coordinates = {"rod.x", "rod.y", "rod.phi", "ring.phi"},
                           .parameters = parameters,
                           .definitions = {{"end_x", "x - half*sin(rod.phi)"}, {"end_y", "y + half*cos(rod.phi)"}}};
  model.add_contact("end", {rod, ring},
                    formula_gap(scope, {{"R - hypot(end_x, end_y)", {"R*(atan2(end_x, -end_y) - ring.phi)"}}}),
                    {.e = d.e, .mu = d.mu});
  return model;
}

}  // namespace esc::examples
