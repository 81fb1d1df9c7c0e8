// Limits of a coordinate of a joint: unilateral rows.
#pragma once

#include <memory>

#include <escapement/model.hpp>

#include "src/model/joint_coordinates.hpp"

namespace esc {

struct LimitRange {
  double lower, upper;  // rad or m; not both infinite
  double middle = 0.0;  // an angle is measured within half a turn of it unless its turns are counted
  TurnCount turns;
};

std::unique_ptr<ContactLeaf> limits_leaf(const JointRow& coordinate, const LimitRange& range);

}  // namespace esc
