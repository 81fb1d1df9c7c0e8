// Limits of a coordinate of a joint: unilateral rows.
#pragma once

#include <memory>

#include <escapement/model.hpp>

#include "src/model/joint_rows.hpp"

namespace esc {

struct LimitRange {
  double lower, upper;  // rad or m; not both infinite
  double middle = 0.0;  // an angle is measured within half a turn of it
};

std::unique_ptr<ContactLeaf> limits_leaf(const JointRow& coordinate, const LimitRange& range);

}  // namespace esc
