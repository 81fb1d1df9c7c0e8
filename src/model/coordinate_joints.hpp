// Rows on the coordinates of joints: motors hold one, gears and racks hold a sum of two.
#pragma once

#include <memory>
#include <vector>

#include <escapement/model.hpp>

#include "src/model/joint_rows.hpp"

namespace esc {

// What a motor holds its coordinate or its rate at: a function of time, or inputs by index, -1 where there is none.
struct Drive {
  int position = -1;
  int rate = -1;  // alone: the row is on velocities only
  PositionMotor function;
  VelocityMotor velocity;

  bool velocity_only() const { return (rate >= 0 && position < 0) || velocity.velocity; }
};

struct CoordinateTerm {
  JointRow row;
  double factor = 1.0;
};

// g = sum of factor * coordinate - offset - drive, less whole periods. Term i is between anchors 2 i and 2 i + 1.
struct CoordinateSum {
  std::vector<CoordinateTerm> terms;
  double offset = 0.0;
  double period = 0.0;  // 0: none
  Drive drive;
};

std::unique_ptr<JointLeaf> coordinate_joint(CoordinateSum sum);

}  // namespace esc
