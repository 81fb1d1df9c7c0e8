// One polyhedral contact: open; stick; slip against one direction d_i (p_T = mu p_N d_i); slip between two adjacent
// directions (p_T = mu ((p_N - y) d_i + y d_j), equal components of u_T along both). Stewart and Trinkle's conditions:
// p_N > 0 makes u_N = 0, and beta_i > 0 makes -d_i . u_T the largest.
#include "src/cone/candidate.hpp"
#include "src/cone/local.hpp"

namespace esc::cone {
namespace {

struct PolyhedralLocal {
  const double* w;
  const double* q;
  const Polygon& polygon;
  Candidate<3> best;

  double row(int i, const double* p) const { return w[3 * i] * p[0] + w[3 * i + 1] * p[1] + w[3 * i + 2] * p[2]; }
};

bool try_stick(PolyhedralLocal& local) {
  double p[3];
  if (!stick_impulse(local.w, local.q, 3, p)) return false;
  double z[3] = {p[0], p[1], p[2]};
  project_polyhedral(local.polygon, z);
  const double off = std::abs(z[0] - p[0]) + std::abs(z[1] - p[1]) + std::abs(z[2] - p[2]);
  return local.best.offer(off == 0.0 ? 0.0 : off / (std::abs(p[0]) + norm2(p[1], p[2])), p);
}

// i carries the slip: its -d_i . u_T must not fall short of the dual norm.
bool offer_slip(PolyhedralLocal& local, int i, const double* p) {
  const double u[2] = {local.row(1, p) + local.q[1], local.row(2, p) + local.q[2]};
  const double shortfall = dual_norm(local.polygon, u) + local.polygon.along(i, u);
  double size = std::abs(local.q[1]) + std::abs(local.q[2]);
  for (int k = 3; k < 9; ++k) size += std::abs(local.w[k] * p[k % 3]);
  return local.best.offer(shortfall <= 0.0 ? 0.0 : shortfall / size, p);
}

bool try_direction(PolyhedralLocal& local, int i) {
  const double mu = local.polygon.mu;
  const double* d = &local.polygon.d[2 * i];
  const double g[3] = {1.0, mu * d[0], mu * d[1]};
  const double n = -local.q[0] / local.row(0, g);
  if (!(n >= 0.0)) return false;
  const double p[3] = {n, n * g[1], n * g[2]};
  return offer_slip(local, i, p);
}

bool try_face(PolyhedralLocal& local, int i) {
  const double mu = local.polygon.mu;
  const double* d = &local.polygon.d[2 * i];
  const double* e = &local.polygon.d[2 * next_direction(local.polygon, i)];
  const double c[2] = {d[0] - e[0], d[1] - e[1]};
  const double g[3] = {1.0, mu * d[0], mu * d[1]};
  const double h[3] = {1.0, mu * e[0], mu * e[1]};
  const double a[4] = {local.row(0, g), local.row(0, h), c[0] * local.row(1, g) + c[1] * local.row(2, g),
                       c[0] * local.row(1, h) + c[1] * local.row(2, h)};
  const double r[2] = {local.q[0], c[0] * local.q[1] + c[1] * local.q[2]};
  const double det = a[0] * a[3] - a[1] * a[2];
  const double x = (a[1] * r[1] - a[3] * r[0]) / det;
  const double y = (a[2] * r[0] - a[0] * r[1]) / det;
  if (!(x >= 0.0 && y >= 0.0)) return false;
  const double p[3] = {x + y, x * g[1] + y * h[1], x * g[2] + y * h[2]};
  return offer_slip(local, i, p);
}

}  // namespace

bool solve_polyhedral(const double* w, const double* q, const Polygon& polygon, double* p) {
  if (q[0] >= 0.0) {
    p[0] = p[1] = p[2] = 0.0;
    return true;
  }
  PolyhedralLocal local{w, q, polygon, {}};
  const double zero[3] = {0.0, 0.0, 0.0};
  local.best.offer(-q[0] / (std::abs(q[0]) + norm2(q[1], q[2])), zero);
  bool found = try_stick(local);
  for (int i = 0; !found && i < polygon.count(); ++i) found = try_direction(local, i) || try_face(local, i);
  if (found || local.best.violation <= local_tol) {
    std::copy(local.best.p, local.best.p + 3, p);
    return true;
  }
  project_polyhedral(polygon, p);
  return false;
}

}  // namespace esc::cone
