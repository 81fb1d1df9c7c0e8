// A joint with one row, twice: as a function of frames that any program can write, and as a row of the library. The
// origin of B stays at a fixed distance from the z axis of A: a bead on a pipe.
#pragma once

#include <cmath>

#include <escapement/models/frame_function.hpp>

#include "src/model/joint_rows.hpp"

namespace esc {

inline std::unique_ptr<JointLeaf> on_pipe(double radius) {
  return frame_function([radius](const auto&, const auto& A, const auto& B) {
    using std::sqrt;
    const auto d = to_frame(A.R, B.p - A.p);  // in the axes of A
    return sqrt(d.x * d.x + d.y * d.y) - radius;
  });
}

// With d = p_b - p_a, c its part across the axis and n = c / |c|: the rate of |c| is n . (v_b - v_a) + (n x d) . w_a.
template <class S>
S pipe_value(double radius, const Pose<S>& A, const Pose<S>& B) {
  const Vec3<S> d = B.p - A.p;
  return norm(d - dot(A.R.z, d) * A.R.z) - radius;
}

template <class S>
Wrench<S> pipe_wrench(const Pose<S>& A, const Pose<S>& B) {
  const Vec3<S> d = B.p - A.p, c = d - dot(A.R.z, d) * A.R.z;
  const Vec3<S> n = (1.0 / norm(c)) * c;
  return {n, cross(n, d), {S(0.0), S(0.0), S(0.0)}};
}

}  // namespace esc
