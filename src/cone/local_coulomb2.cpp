#include "src/cone/candidate.hpp"
#include "src/cone/local.hpp"
#include "src/math/dense_lu.hpp"

namespace esc::cone {
namespace {

constexpr double on_boundary = 1.0 - 1e-12;  // |p_T| >= this times mu p_N: the guess slips

bool try_open(const double* q, Candidate<2>& best) {
  const double p[2] = {0.0, 0.0};
  const double violation = q[0] >= 0.0 ? 0.0 : -q[0] / (std::abs(q[0]) + std::abs(q[1]));
  return best.offer(violation, p);
}

bool try_stick(const double* w, const double* q, double mu, Candidate<2>& best) {
  double p[2];
  const double det = w[0] * w[3] - w[1] * w[2];
  if (std::abs(det) > 1e-6 * (std::abs(w[0] * w[3]) + std::abs(w[1] * w[2]))) {
    p[0] = (w[1] * q[1] - w[3] * q[0]) / det;
    p[1] = (w[2] * q[0] - w[0] * q[1]) / det;
  } else if (!stick_impulse(w, q, 2, p)) {
    return false;
  }
  const double t = std::abs(p[1]);
  const double violation = t <= mu * p[0] ? 0.0 : (t - mu * p[0]) / (std::abs(p[0]) + t);
  return best.offer(violation, p);
}

// side = sign of u_T: p_T = -side mu p_N, u_N = 0.
bool try_slip(const double* w, const double* q, double mu_side, Candidate<2>& best) {
  const double n = -q[0] / (w[0] - mu_side * w[1]);
  if (!(n >= 0.0)) return false;
  const double p[2] = {n, -mu_side * n};
  const double u = (w[2] - mu_side * w[3]) * n + q[1];
  const double against = std::copysign(u, mu_side * u);
  const double size = (std::abs(w[2]) + std::abs(mu_side * w[3])) * n + std::abs(q[1]);
  return best.offer(against >= 0.0 ? 0.0 : -against / size, p);
}

}  // namespace

namespace {

// w p = -q by plain elimination, for the common case of pivots well above round-off; false otherwise.
template <int n>
bool eliminate(const double* w, const double* q, double* p) {
  double a[n * n];
  std::copy(w, w + n * n, a);
  for (int i = 0; i < n; ++i) p[i] = -q[i];
  for (int k = 0; k < n; ++k) {
    if (!(a[k * n + k] > 1e-4 * w[k * n + k])) return false;
    for (int i = k + 1; i < n; ++i) {
      const double l = a[i * n + k] / a[k * n + k];
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= l * a[k * n + j];
      p[i] -= l * p[k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) p[i] -= a[i * n + j] * p[j];
    p[i] /= a[i * n + i];
  }
  return true;
}

}  // namespace

bool stick_impulse(const double* w, const double* q, int n, double* p) {
  if (n == 2 ? eliminate<2>(w, q, p) : eliminate<3>(w, q, p)) return true;
  double a[9];
  double scale[3];
  double work[12];
  int row[3];
  int column[3];
  std::copy(w, w + n * n, a);
  for (int i = 0; i < n; ++i) p[i] = -q[i];
  LuFactors lu{n, a, row, column, scale};
  lu_factor(lu);
  return lu_solve(lu, p, work) <= local_tol;
}

bool solve_coulomb2(const double* w, const double* q, double mu, double* p) {
  Candidate<2> best;
  const bool stuck = std::abs(p[1]) < on_boundary * mu * p[0];
  const bool first = p[0] <= 0.0 ? try_open(q, best)
                     : stuck     ? try_stick(w, q, mu, best)
                                 : try_slip(w, q, std::copysign(mu, -p[1]), best);
  const bool done =
      first || try_open(q, best) || try_stick(w, q, mu, best) || try_slip(w, q, mu, best) || try_slip(w, q, -mu, best);
  if (done || best.violation <= local_tol) {
    std::copy(best.p, best.p + 2, p);
    return true;
  }
  project_coulomb2(mu, p);
  return false;
}

}  // namespace esc::cone
