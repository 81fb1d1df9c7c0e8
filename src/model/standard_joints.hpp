// The joints of models/joints.hpp as lists of rows.
#pragma once

#include <memory>

#include <escapement/model.hpp>

#include "src/model/joint_rows.hpp"

namespace esc {

// The rows of a joint, for bodies in the plane or in space; throws ModelError if there is no such joint in the plane.
std::vector<JointRow> rows_of(const std::string& name, const JointType& type, bool planar);

// The row whose value is a coordinate of the joint; throws ModelError if the joint does not have it.
JointRow coordinate_row(const std::string& name, const JointType& type, JointCoordinate coordinate);

std::unique_ptr<JointLeaf> standard_joint(std::vector<JointRow> rows);

}  // namespace esc
