// Forces between two frames and along the coordinates of joints, as leaves.
#pragma once

#include <memory>

#include <escapement/model.hpp>

#include "src/model/joint_coordinates.hpp"

namespace esc {

std::unique_ptr<ForceLeaf> spring_leaf(const Spring& spring);
std::unique_ptr<ForceLeaf> joint_spring_leaf(const JointRow& coordinate, const TurnCount& turns,
                                             const JointSpring& spring);
std::unique_ptr<ForceLeaf> torque_leaf(const JointRow& coordinate, int input);
std::unique_ptr<ForceLeaf> torque_leaf(const JointRow& coordinate, const TorqueMotor& motor);
std::unique_ptr<ForceLeaf> wrench_leaf(int first_input);
std::unique_ptr<ForceLeaf> wrench_leaf(const GivenWrench& wrench);
std::unique_ptr<ForceLeaf> bushing_leaf(const Bushing& bushing);

}  // namespace esc
