#include "examples/n_four_bar.hpp"

#include <numbers>
#include <string>
#include <vector>

namespace esc::examples {

// x of a crank points from its pivot to its end, x of a coupler to the right.
Model NFourBar::model() const {
  Model model;
  model.set_gravity({0.0, -g, 0.0});
  const double inertia = mass * length * length / 12.0, half = 0.5 * length;
  std::vector<BlockId> cranks, couplers;
  for (int i = 0; i <= loops; ++i)
    cranks.push_back(
        model.add_planar_body("crank" + std::to_string(i), {.mass = mass,
                                                            .inertia = inertia,
                                                            .pose = {i * length, half, 0.5 * std::numbers::pi},
                                                            .velocity = {0.5 * speed, 0.0, -speed / length}}));
  for (int i = 1; i <= loops; ++i)
    couplers.push_back(model.add_planar_body(
        "coupler" + std::to_string(i),
        {.mass = mass, .inertia = inertia, .pose = {(i - 0.5) * length, length, 0.0}, .velocity = {speed, 0.0, 0.0}}));
  for (int i = 0; i <= loops; ++i) {
    const std::string number = std::to_string(i);
    model.add_joint("pivot" + number, Revolute{}, planar_frame(ground, i * length, 0.0),
                    planar_frame(cranks[i], -half, 0.0));
    if (i > 0)
      model.add_joint("left" + number, Revolute{}, planar_frame(cranks[i], half, 0.0),
                      planar_frame(couplers[i - 1], half, 0.0));
    if (i < loops)
      model.add_joint("right" + number, Revolute{}, planar_frame(cranks[i], half, 0.0),
                      planar_frame(couplers[i], -half, 0.0));
  }
  return model;
}

}  // namespace esc::examples
