#include <cstdio>

#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

int main() {
  esc::Model model;
  model.set_gravity({0.0, -9.81, 0.0});
  const auto ball = model.add_planar_body("ball", {.mass = 1.0, .inertia = 0.005, .pose = {0.0, 1.0, 0.0}});
  const auto disc = model.add_shape("disc", esc::planar_frame(ball, 0.0, 0.0), esc::Disc{0.1});
  const auto floor = model.add_shape("floor", esc::planar_frame(esc::ground, 0.0, 0.0), esc::HalfPlane{});
  model.add_contact("bounce", disc, floor, {.e = 0.5, .mu = 0.3});

  const esc::System system = compile(model);
  esc::MoreauJean scheme(system);
  esc::State x = system.initial_state();
  const esc::SimulateOptions options{.step = 1e-3, .until = 2.0};
  const esc::RunReport report = simulate(scheme, x, options);
  std::printf("%sresult       height %.6f m, speed %.1e m/s\n", summary(scheme, options, report).c_str(), x.q[1],
              x.v[1]);
  return report.certified() ? 0 : 1;
}
