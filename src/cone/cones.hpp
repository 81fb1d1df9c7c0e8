// The geometry of one cone at a time: projections, De Saxce's shift, the natural map.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include <escapement/cone_problem.hpp>

namespace esc::cone {

inline double norm2(double x, double y) { return std::sqrt(x * x + y * y); }

// The directions of one polyhedral cone: d_i = (d[2 i], d[2 i + 1]).
struct Polygon {
  double mu = 0.0;
  std::span<const double> d;

  int count() const { return static_cast<int>(d.size()) / 2; }
  double along(int i, const double* t) const { return d[2 * i] * t[0] + d[2 * i + 1] * t[1]; }
};

inline Polygon polygon(const ConeProblem& problem, const ConeBlock& cone) {
  return {cone.mu, std::span(problem.directions).subspan(2 * cone.first_direction, 2 * cone.direction_count)};
}

// The next direction counterclockwise: adjacent directions bound the faces of the cone.
inline int next_direction(const Polygon& polygon, int i) {
  int next = i;
  double best = -2.0;
  for (int j = 0; j < polygon.count(); ++j) {
    const double cross = polygon.d[2 * i] * polygon.d[2 * j + 1] - polygon.d[2 * i + 1] * polygon.d[2 * j];
    const double cosine = polygon.along(i, &polygon.d[2 * j]);
    if (cross > 1e-9 && cosine > best) {
      next = j;
      best = cosine;
    }
  }
  return next;
}

// max_i (-d_i . u_T), which takes the place of |u_T|.
inline double dual_norm(const Polygon& polygon, const double* u_t) {
  double largest = 0.0;
  for (int i = 0; i < polygon.count(); ++i) largest = std::max(largest, -polygon.along(i, u_t));
  return largest;
}

inline void project_coulomb2(double mu, double* p) {
  const double t = std::abs(p[1]);
  if (t <= mu * p[0]) return;
  const double n = std::max(0.0, (p[0] + mu * t) / (1.0 + mu * mu));
  p[0] = n;
  p[1] = std::copysign(mu * n, p[1]);
}

inline void project_coulomb3(double mu, double* p) {
  const double t = norm2(p[1], p[2]);
  if (t <= mu * p[0]) return;
  const double n = std::max(0.0, (p[0] + mu * t) / (1.0 + mu * mu));
  const double shrink = t > 0.0 ? mu * n / t : 0.0;
  p[0] = n;
  p[1] *= shrink;
  p[2] *= shrink;
}

// Nearest of: p itself if inside, the faces between adjacent directions, the rays, the apex.
void project_polyhedral(const Polygon& polygon, double* p);

// | p - proj_C(p - rho (u + shift e_N)) |^2 of one cone; a free row gives (rho u)^2.
double natural_map_squared(const ConeProblem& problem, const ConeBlock& cone, double rho, const double* p,
                           const double* u);

}  // namespace esc::cone
