// Pose, velocities and momenta of a rigid body, read from a state.
#pragma once

#include <array>
#include <cmath>

#include <escapement/models/pose.hpp>
#include <escapement/system.hpp>

namespace esc::test {

struct RigidState {
  Vec3<double> x, v;                           // m, m/s, of the centre of mass, world axes
  Rotation<double> R;                          // axes of the body in the world
  double norm_of_q = 1;                        // of the quaternion
  Vec3<double> w;                              // rad/s, body axes
  Vec3<double> spin() const { return R * w; }  // rad/s, world axes
};

// Body number i of a system of rigid bodies only.
inline RigidState rigid_state(const State& state, int i = 0) {
  const double* q = state.q.data() + 7 * i;
  const double* v = state.v.data() + 6 * i;
  const double size = std::sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
  return {{q[0], q[1], q[2]}, {v[0], v[1], v[2]}, rotation_of(q[3], q[4], q[5], q[6]), size, {v[3], v[4], v[5]}};
}

// J w for principal axes.
inline Vec3<double> times(const std::array<double, 3>& J, const Vec3<double>& w) {
  return {J[0] * w.x, J[1] * w.y, J[2] * w.z};
}

}  // namespace esc::test
