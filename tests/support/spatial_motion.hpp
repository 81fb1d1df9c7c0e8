// Random poses in space, rigid motions in doubles and in dual numbers.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <escapement/ad/dual.hpp>

#include "src/geometry/spatial_feature.hpp"

namespace esc::spatial {

using D1 = ad::Dual<1>;
using Point = Vec3<double>;
using Frame3 = Pose<double>;
constexpr double pi = 3.14159265358979323846, infinity = std::numeric_limits<double>::infinity();

class Random {
 public:
  double operator()(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine_); }
  Point point(double size) { return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}; }
  Rotation<double> rotation() {
    std::array<double, 4> q;
    double square;
    do {
      for (double& x : q) x = (*this)(-1.0, 1.0);
      square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    } while (square > 1.0 || square < 0.01);
    for (double& x : q) x /= std::sqrt(square);
    return rotation_of(q);
  }

 private:
  std::mt19937 engine_{12345};
};

// A rigid motion: velocity of the origin and angular velocity, in the world.
struct Twist {
  Point v, w;
};
inline Point turned(const Point& angle, const Point& x) {  // Rodrigues
  const double size = norm(angle);
  if (size == 0.0) return x;
  const Point u = (1.0 / size) * angle;
  return std::cos(size) * x + std::sin(size) * cross(u, x) + ((1.0 - std::cos(size)) * dot(u, x)) * u;
}
inline Frame3 moved(const Frame3& F, const Twist& m, double t) {
  return {F.p + t * m.v, {turned(t * m.w, F.R.x), turned(t * m.w, F.R.y), turned(t * m.w, F.R.z)}};
}
inline Vec3<D1> seeded(const Point& x, const Point& rate) {
  Vec3<D1> r{D1(x.x), D1(x.y), D1(x.z)};
  r.x.d[0] = rate.x;
  r.y.d[0] = rate.y;
  r.z.d[0] = rate.z;
  return r;
}
inline Pose<D1> moving(const Frame3& F, const Twist& m) {
  return {seeded(F.p, m.v),
          {seeded(F.R.x, cross(m.w, F.R.x)), seeded(F.R.y, cross(m.w, F.R.y)), seeded(F.R.z, cross(m.w, F.R.z))}};
}
inline Point rate_of(const Vec3<D1>& x) { return {x.x.d[0], x.y.d[0], x.z.d[0]}; }

// The features that hold, in the order of the visits.
template <class Pair>
std::vector<int> holding(const Pair& pair, const Frame3& A, const Frame3& B, double reach = infinity) {
  std::vector<int> keys;
  near(pair, A, B, reach, [&keys](int k) { keys.push_back(k); });
  return keys;
}

}  // namespace esc::spatial
