#include "examples/bricard.hpp"

#include <array>
#include <numbers>
#include <string>

#include "examples/rotations.hpp"

namespace esc::examples {

namespace {

using Corner = std::array<double, 3>;

// Corners of a unit cube; rod i leads from corner i to i + 1, and the ground from the last one to the first.
constexpr std::array<Corner, 6> corners{
    {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, -1.0, 0.0}, {1.0, -1.0, 1.0}, {0.0, -1.0, 1.0}, {0.0, 0.0, 1.0}}};

// z of the frame of a joint along y, z or x of the world.
Quaternion joint_frame(int i) {
  if (i % 3 == 0) return turn({1.0, 0.0, 0.0}, -0.5 * std::numbers::pi);
  if (i % 3 == 2) return turn({0.0, 1.0, 0.0}, 0.5 * std::numbers::pi);
  return {1.0, 0.0, 0.0, 0.0};
}

}  // namespace

// The axes of all rods are those of the world at the start.
Model Bricard::model() const {
  Model model;
  model.set_gravity({0.0, -g, 0.0});
  const double density = mass / (length * section * section);
  const auto offset = [&](int corner, const Corner& origin) {
    Corner from_origin;
    for (int k = 0; k < 3; ++k) from_origin[k] = length * corners[corner][k] - origin[k];
    return from_origin;
  };
  BlockId before = ground;
  Corner centre_before{};
  for (int i = 0; i < 5; ++i) {
    Corner half_sizes, centre;
    for (int k = 0; k < 3; ++k) {
      centre[k] = 0.5 * length * (corners[i][k] + corners[i + 1][k]);
      half_sizes[k] = corners[i][k] == corners[i + 1][k] ? 0.5 * section : 0.5 * length;
    }
    RigidBody rod = solid(Box{half_sizes[0], half_sizes[1], half_sizes[2]}, density);
    rod.position = centre;
    const BlockId body = model.add_rigid_body("rod" + std::to_string(i + 1), rod);
    model.add_joint("p" + std::to_string(i + 1), Revolute{}, Frame{before, offset(i, centre_before), joint_frame(i)},
                    Frame{body, offset(i, centre), joint_frame(i)});
    before = body;
    centre_before = centre;
  }
  model.add_joint("p6", Revolute{}, Frame{before, offset(5, centre_before), joint_frame(5)},
                  Frame{ground, offset(5, {}), joint_frame(5)});
  return model;
}

}  // namespace esc::examples
