// One 3D contact: open, stick, or slip with p_T = -mu p_N e, u_N = 0, u_T = s e, s >= 0, |e| = 1.
// With D(e) = w_NN - mu w_NT . e and p_N = -q_N / D,  D u_T = a + B e,  a = w_NN q_T - q_N w_TN,
// B = mu (q_N w_TT - q_T w_NT), so that e is a root of f(e) = e_perp . (a + B e): a trigonometric polynomial of degree
// two in the slip angle, hence at most four directions, the real roots of a quartic in the tangent of the half angle.
#include "src/cone/candidate.hpp"
#include "src/cone/local.hpp"
#include "src/cone/quartic.hpp"

namespace esc::cone {
namespace {

struct SlipEquation {
  double a[2];
  double B[4];
  double size;  // of the terms of a + B e

  double value(const double* e) const {
    const double r0 = a[0] + B[0] * e[0] + B[1] * e[1];
    const double r1 = a[1] + B[2] * e[0] + B[3] * e[1];
    return e[0] * r1 - e[1] * r0;
  }
  // d/d angle
  double slope(const double* e) const {
    const double c2 = e[0] * e[0] - e[1] * e[1];
    const double s2 = 2.0 * e[0] * e[1];
    return -a[0] * e[0] - a[1] * e[1] + (B[3] - B[0]) * c2 - (B[1] + B[2]) * s2;
  }
  double along(const double* e) const {
    return e[0] * (a[0] + B[0] * e[0] + B[1] * e[1]) + e[1] * (a[1] + B[2] * e[0] + B[3] * e[1]);
  }
};

SlipEquation slip_equation(const double* w, const double* q, double mu) {
  SlipEquation f;
  f.size = 0.0;
  for (int i = 0; i < 2; ++i) {
    const double* row = w + 3 * (i + 1);
    f.a[i] = w[0] * q[i + 1] - q[0] * row[0];
    f.size += std::abs(w[0] * q[i + 1]) + std::abs(q[0] * row[0]);
    for (int j = 0; j < 2; ++j) {
      f.B[2 * i + j] = mu * (q[0] * row[j + 1] - q[i + 1] * w[j + 1]);
      f.size += mu * (std::abs(q[0] * row[j + 1]) + std::abs(q[i + 1] * w[j + 1]));
    }
  }
  return f;
}

bool normalize(double* e) {
  const double length = norm2(e[0], e[1]);
  if (!(length > 0.0) || !std::isfinite(length)) return false;
  e[0] /= length;
  e[1] /= length;
  return true;
}

// Newton on the slip angle; false if it has not settled.
bool polish(const SlipEquation& f, double* e, int iterations) {
  for (int k = 0; k < iterations; ++k) {
    const double step = -f.value(e) / f.slope(e);
    if (!(std::abs(step) < 1.0)) return false;
    const double x = e[0] - step * e[1];
    const double y = e[1] + step * e[0];
    e[0] = x;
    e[1] = y;
    if (!normalize(e)) return false;
    if (std::abs(step) < 1e-15) return true;
  }
  return std::abs(f.value(e)) <= 1e-15 * f.size;
}

struct Local {
  const double* w;
  const double* q;
  double mu;
  SlipEquation f;
  Candidate<3> best;
};

bool try_stick(Local& local) {
  double p[3];
  if (!stick_impulse(local.w, local.q, 3, p)) return false;
  const double t = norm2(p[1], p[2]);
  const double excess = t - local.mu * p[0];
  return local.best.offer(excess <= 0.0 ? 0.0 : excess / (std::abs(p[0]) + t), p);
}

bool try_slip(Local& local, const double* e) {
  const double D = local.w[0] - local.mu * (local.w[1] * e[0] + local.w[2] * e[1]);
  const double n = -local.q[0] / D;
  if (!(n >= 0.0)) return false;
  const double p[3] = {n, -local.mu * n * e[0], -local.mu * n * e[1]};
  const double s = local.f.along(e);  // D u_T . e, and D > 0 because q_N < 0
  return local.best.offer(s >= 0.0 ? 0.0 : -s / local.f.size, p);
}

// Every root of f. The half-angle substitution e = R(phi) ((1 - t^2), 2 t) / (1 + t^2) loses the direction opposite to
// phi, so phi is the one of five equally spaced angles with the largest |f(phi + pi)|: a nonzero trigonometric
// polynomial of degree two cannot vanish at all five.
bool try_every_slip(Local& local) {
  const SlipEquation& f = local.f;
  double c = 1.0;
  double s = 0.0;
  double largest = 0.0;
  for (int k = 0; k < 5; ++k) {
    const double angle = 0.3 + 1.2566370614359172 * k;
    const double opposite[2] = {-std::cos(angle), -std::sin(angle)};
    if (std::abs(f.value(opposite)) <= largest) continue;
    largest = std::abs(f.value(opposite));
    c = -opposite[0];
    s = -opposite[1];
  }
  if (!(largest > 1e-14 * f.size)) {
    // f = 0: w of rank one, q in its range. Every direction brings the contact to rest; this one makes D largest.
    double e[2] = {-local.w[1], -local.w[2]};
    return normalize(e) && try_slip(local, e);
  }

  const double a0 = c * f.a[0] + s * f.a[1];
  const double a1 = c * f.a[1] - s * f.a[0];
  const double sum = 0.5 * (f.B[0] + f.B[3]), skew = 0.5 * (f.B[2] - f.B[1]);
  const double c2 = c * c - s * s, s2 = 2.0 * c * s;
  const double half = 0.5 * (f.B[0] - f.B[3]), shear = 0.5 * (f.B[1] + f.B[2]);
  const double B00 = sum + c2 * half + s2 * shear, B11 = sum - c2 * half - s2 * shear;
  const double B10 = c2 * shear - s2 * half + skew, B01 = c2 * shear - s2 * half - skew;
  const double quartic[5] = {B10 + a1, 2.0 * (B11 - B00 - a0), -2.0 * B10 - 4.0 * B01, 2.0 * (B00 - B11 - a0),
                             B10 - a1};
  const Roots roots = real_roots(quartic, 4);
  for (int k = 0; k < roots.count; ++k) {
    const double t = roots.x[k];
    double e[2] = {c * (1.0 - t * t) - s * 2.0 * t, s * (1.0 - t * t) + c * 2.0 * t};
    if (!normalize(e)) continue;
    double newton[2] = {e[0], e[1]};
    const bool better = polish(f, newton, 4) || std::abs(f.value(newton)) < std::abs(f.value(e));
    if (try_slip(local, better ? newton : e)) return true;
  }
  return false;
}

// Projected fixed point p <- proj_C(p - rho (u + mu |u_T| e_N)), rho halved whenever the step grows: used only where
// no mode fits.
void projection_iteration(const Local& local, double* p) {
  double size = 0.0;
  for (int i = 0; i < 9; ++i) size = std::max(size, std::abs(local.w[i]));
  double rho = size > 0.0 ? 1.0 / (3.0 * size) : 0.0;
  double last = INFINITY;
  project_coulomb3(local.mu, p);
  for (int k = 0; k < 50 && std::isfinite(rho); ++k) {
    double u[3];
    for (int i = 0; i < 3; ++i) {
      const double* row = local.w + 3 * i;
      u[i] = row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + local.q[i];
    }
    double z[3] = {p[0] - rho * (u[0] + local.mu * norm2(u[1], u[2])), p[1] - rho * u[1], p[2] - rho * u[2]};
    project_coulomb3(local.mu, z);
    const double step = std::abs(z[0] - p[0]) + std::abs(z[1] - p[1]) + std::abs(z[2] - p[2]);
    if (!std::isfinite(step)) return;
    std::copy(z, z + 3, p);
    if (step > last) rho *= 0.5;
    last = step;
  }
}

}  // namespace

bool solve_coulomb3(const double* w, const double* q, double mu, double* p) {
  if (q[0] >= 0.0) {
    p[0] = p[1] = p[2] = 0.0;
    return true;
  }
  Local local{w, q, mu, slip_equation(w, q, mu), {}};
  const double zero[3] = {0.0, 0.0, 0.0};
  local.best.offer(-q[0] / (std::abs(q[0]) + norm2(q[1], q[2])), zero);

  // The guess's own slip direction, else that of frictionless slip.
  double e[2] = {-p[1], -p[2]};
  bool found = try_stick(local);
  if (!found && (normalize(e) || (e[0] = local.f.a[0], e[1] = local.f.a[1], normalize(e)))) {
    found = polish(local.f, e, 8) && try_slip(local, e);
  }
  if (found || try_every_slip(local) || local.best.violation <= local_tol) {
    std::copy(local.best.p, local.best.p + 3, p);
    return true;
  }
  projection_iteration(local, p);
  return false;
}

}  // namespace esc::cone
