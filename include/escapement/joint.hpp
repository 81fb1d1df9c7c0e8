// Joints as data: rows g(t, q) = 0 that never open, and the parts of a System that they tie together.
#pragma once

#include <array>
#include <vector>

#include <escapement/contact.hpp>

namespace esc {

constexpr int max_joint_rows = 6;

// One joint of a System. Its multipliers stand at first_row of State::joint_impulse, in the axes of the joint.
struct Joint : RowBlock {
  bool position = true;  // false: the rows hold velocities only (a motor); g is zero
  int owner = -1;        // block whose velocities determine its multipliers first; -1: known after all blocks
};

// The values of all joints, in the caller's workspace. Sized by System::evaluate.
struct JointSet {
  std::vector<double> g;    // position residual by rows: m, or rad
  std::vector<double> G;    // G = dg/dq along retract, by rows
  std::vector<double> g_t;  // partial derivative in time: U = G v + g_t
};

// What a joint exerts on the body of its frame B: force (N) at the origin of B and moment (N m), in the axes of A, as
// means over the last step.
struct Reaction {
  std::array<double, 3> force{};
  std::array<double, 3> moment{};
};

// Blocks tied together by joints or implicit forces: one part of S = [Mhat -G^T; G 0]. Its velocities, its joints and
// their rows are contiguous; a free body is a component of one block.
struct Component {
  int v0 = 0, n = 0;
  int block0 = 0, blocks = 0;
  int joint0 = 0, joints = 0;
  int row0 = 0, rows = 0;
  int coupling0 = 0, couplings = 0;
  int deficiency = 0;   // rows that depend on others at the initial state: their multipliers are those of least norm
  bool linear = false;  // its part of K is constant
  bool simple() const { return blocks == 1 && joints == 0; }
};

// Tangents between two blocks of a component, from implicit forces.
struct Coupling {
  int i = 0, j = 0;          // blocks, i < j
  int upper = 0, lower = 0;  // first values of A(i, j) and A(j, i), row-major, in the values of the tangent
};

}  // namespace esc
