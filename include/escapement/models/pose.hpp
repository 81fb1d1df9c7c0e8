// Vectors, rotations and poses in space, generic in the scalar: double, or a dual number that carries derivatives.
#pragma once

#include <array>
#include <cmath>

namespace esc {

template <class S>
struct Vec3 {
  S x{}, y{}, z{};
};

template <class S, class T>
auto operator+(const Vec3<S>& a, const Vec3<T>& b) -> Vec3<decltype(a.x + b.x)> {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S, class T>
auto operator-(const Vec3<S>& a, const Vec3<T>& b) -> Vec3<decltype(a.x - b.x)> {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S>
Vec3<S> operator-(const Vec3<S>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T, class S>
auto operator*(const T& s, const Vec3<S>& a) -> Vec3<decltype(s * a.x)> {
  return {s * a.x, s * a.y, s * a.z};
}
template <class S, class T>
auto dot(const Vec3<S>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class S, class T>
auto cross(const Vec3<S>& a, const Vec3<T>& b) -> Vec3<decltype(a.x * b.x)> {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class S>
S norm(const Vec3<S>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}

// The axes of a frame, as unit vectors in the world: the columns of the rotation matrix.
template <class S>
struct Rotation {
  Vec3<S> x{S(1.0), S(0.0), S(0.0)};
  Vec3<S> y{S(0.0), S(1.0), S(0.0)};
  Vec3<S> z{S(0.0), S(0.0), S(1.0)};
};

// From the axes of the frame to those of the world ...
template <class S, class T>
auto operator*(const Rotation<S>& R, const Vec3<T>& a) -> Vec3<decltype(R.x.x * a.x)> {
  return {R.x.x * a.x + R.y.x * a.y + R.z.x * a.z, R.x.y * a.x + R.y.y * a.y + R.z.y * a.z,
          R.x.z * a.x + R.y.z * a.y + R.z.z * a.z};
}
// ... and back: R^T a.
template <class S, class T>
auto to_frame(const Rotation<S>& R, const Vec3<T>& a) -> Vec3<decltype(R.x.x * a.x)> {
  return {dot(R.x, a), dot(R.y, a), dot(R.z, a)};
}
template <class S, class T>
auto operator*(const Rotation<S>& A, const Rotation<T>& B) -> Rotation<decltype(A.x.x * B.x.x)> {
  return {A * B.x, A * B.y, A * B.z};
}

// Of a unit quaternion (w, x, y, z).
template <class S>
Rotation<S> rotation_of(const S& w, const S& x, const S& y, const S& z) {
  return {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)},
          {2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)},
          {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)}};
}
inline Rotation<double> rotation_of(const std::array<double, 4>& q) { return rotation_of(q[0], q[1], q[2], q[3]); }
inline Vec3<double> vec3(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

// A frame in the world.
template <class S>
struct Pose {
  Vec3<S> p;
  Rotation<S> R;
};

}  // namespace esc
