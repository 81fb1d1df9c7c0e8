// A program outside this project: a ball under unit gravity comes to rest on a floor.
#include <cmath>

#include <escapement/models/gap.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

int main() {
  esc::Model model;
  model.set_gravity({0.0, -1.0, 0.0});
  const esc::BlockId ball = model.add_planar_body("ball", {.pose = {0.0, 1.0, 0.0}});
  model.add_contact("floor", {esc::Coordinates(ball, 1, 1)},
                    esc::gap<1>([](const auto&, const auto* q) { return q[0]; }), {.e = 0.5});
  const esc::System system = esc::compile(model);
  esc::MoreauJean scheme(system);
  esc::State x = system.initial_state();
  const esc::RunReport report = esc::simulate(scheme, x, {.step = 1e-3, .until = 6.0});
  return report.certified() && std::abs(x.v[1]) < 1e-9 ? 0 : 1;
}
