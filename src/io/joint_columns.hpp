// Angles and slides of joints over the frames of a file. Bodies in space have no coordinate that is one.
#pragma once

#include <vector>

#include <escapement/io/results.hpp>

namespace esc::io {

struct JointColumn {
  NamedUnit position, rate;  // "hinge.angle" in rad, "hinge.angle_rate" in rad/s
  int joint;
  JointCoordinate coordinate;
};

// Of every joint that has one, in the order of the joints.
std::vector<JointColumn> joint_columns(const System& system);

// Rows of frames, each with the numbers of all columns one after the other.
struct JointValues {
  std::vector<double> position, rate;
};
JointValues joint_values(const System& system, const std::vector<JointColumn>& columns, const FrameTable& frames);

}  // namespace esc::io
