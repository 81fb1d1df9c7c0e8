#include "src/cone/cones.hpp"

namespace esc::cone {
namespace {

struct Nearest {
  double distance2 = 0.0;
  double p[3] = {0.0, 0.0, 0.0};
};

void offer(Nearest& best, const double* p, double n, double t1, double t2) {
  const double d2 = (p[0] - n) * (p[0] - n) + (p[1] - t1) * (p[1] - t1) + (p[2] - t2) * (p[2] - t2);
  if (d2 < best.distance2) best = {d2, {n, t1, t2}};
}

bool inside(const Polygon& polygon, const double* p) {
  if (p[0] < 0.0) return false;
  const double r = polygon.mu * p[0];
  for (int i = 0; i < polygon.count(); ++i) {
    const double* d = &polygon.d[2 * i];
    const double* e = &polygon.d[2 * next_direction(polygon, i)];
    if ((e[0] - d[0]) * (p[2] - r * d[1]) - (e[1] - d[1]) * (p[1] - r * d[0]) < 0.0) return false;
  }
  return true;
}

double square(double x) { return x * x; }

}  // namespace

void project_polyhedral(const Polygon& polygon, double* p) {
  const double mu = polygon.mu;
  if (mu == 0.0) {
    p[0] = std::max(0.0, p[0]);
    p[1] = p[2] = 0.0;
    return;
  }
  if (inside(polygon, p)) return;

  // The generators are g_i = (1, mu d_i), all of squared length 1 + mu^2.
  Nearest best{square(p[0]) + square(p[1]) + square(p[2]), {0.0, 0.0, 0.0}};
  const double gg = 1.0 + mu * mu;
  for (int i = 0; i < polygon.count(); ++i) {
    const double* d = &polygon.d[2 * i];
    const double* e = &polygon.d[2 * next_direction(polygon, i)];
    const double s = (p[0] + mu * polygon.along(i, p + 1)) / gg;
    if (s > 0.0) offer(best, p, s, s * mu * d[0], s * mu * d[1]);

    // The face between g_i and g_j is spanned by (1, mu m) and (0, c), m = (d + e) / 2, c = e - d: orthogonal.
    const double m[2] = {0.5 * (d[0] + e[0]), 0.5 * (d[1] + e[1])};
    const double c[2] = {e[0] - d[0], e[1] - d[1]};
    const double x = (p[0] + mu * (m[0] * p[1] + m[1] * p[2])) / (1.0 + mu * mu * (m[0] * m[0] + m[1] * m[1]));
    const double y = (c[0] * p[1] + c[1] * p[2]) / (c[0] * c[0] + c[1] * c[1]);
    if (2.0 * std::abs(y) <= mu * x) offer(best, p, x, mu * x * m[0] + y * c[0], mu * x * m[1] + y * c[1]);
  }
  std::copy(best.p, best.p + 3, p);
}

double natural_map_squared(const ConeProblem& problem, const ConeBlock& cone, double rho, const double* p,
                           const double* u) {
  switch (cone.kind) {
    case ConeKind::free:
      return square(rho * u[0]);
    case ConeKind::positive:
      return square(std::min(p[0], rho * u[0]));
    case ConeKind::coulomb2: {
      double z[2] = {p[0] - rho * (u[0] + cone.mu * std::abs(u[1])), p[1] - rho * u[1]};
      project_coulomb2(cone.mu, z);
      return square(p[0] - z[0]) + square(p[1] - z[1]);
    }
    case ConeKind::coulomb3:
    case ConeKind::polyhedral: {
      const bool round = cone.kind == ConeKind::coulomb3;
      const double slip = round ? norm2(u[1], u[2]) : dual_norm(polygon(problem, cone), u + 1);
      double z[3] = {p[0] - rho * (u[0] + cone.mu * slip), p[1] - rho * u[1], p[2] - rho * u[2]};
      if (round) {
        project_coulomb3(cone.mu, z);
      } else {
        project_polyhedral(polygon(problem, cone), z);
      }
      return square(p[0] - z[0]) + square(p[1] - z[1]) + square(p[2] - z[2]);
    }
  }
  return 0.0;
}

}  // namespace esc::cone
