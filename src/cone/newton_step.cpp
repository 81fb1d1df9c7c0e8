#include "src/cone/newton_step.hpp"

#include <algorithm>
#include <cmath>

#include "src/cone/cones.hpp"
#include "src/math/dense_lu.hpp"

namespace esc::cone {
namespace {

// The rows of one cone: F + P dp + U du = 0.
struct Linearised {
  double F[3] = {};
  double P[9] = {};
  double U[9] = {};
};

Linearised linearise(const ConeBlock& cone, double rho, const double* p, const double* u) {
  Linearised row;
  const int dim = dimension(cone.kind);
  const bool closed = cone.kind == ConeKind::free || p[0] - rho * u[0] > 0.0;
  for (int i = 0; i < dim; ++i) {
    row.F[i] = closed ? u[i] : p[i];
    (closed ? row.U : row.P)[3 * i + i] = 1.0;
  }
  if (dim == 1 || !closed) return row;

  const double t[2] = {p[1] - rho * u[1], dim == 3 ? p[2] - rho * u[2] : 0.0};
  const double length = norm2(t[0], t[1]);
  const double radius = cone.mu * std::max(0.0, p[0]);
  if (length <= radius) return row;

  // Slip: p_T - mu p_N t / |t| = 0, with d(t / |t|) = (1 - t t^T / |t|^2) dt / |t|.
  const double e[2] = {t[0] / length, t[1] / length};
  for (int i = 1; i < dim; ++i) {
    row.F[i] = p[i] - radius * e[i - 1];
    row.P[3 * i] = -cone.mu * e[i - 1];
    for (int j = 1; j < dim; ++j) {
      const double turn = radius / length * ((i == j ? 1.0 : 0.0) - e[i - 1] * e[j - 1]);
      row.P[3 * i + j] = (i == j ? 1.0 : 0.0) - turn;
      row.U[3 * i + j] = rho * turn;
    }
  }
  return row;
}

}  // namespace

void newton_step(const ConeProblem& problem, const double* W, std::vector<double>& p, NewtonScratch& scratch) {
  const int n = problem.rows();
  scratch.J.assign(n * n, 0.0);
  scratch.F.resize(n);
  scratch.scale.resize(n);
  scratch.u.resize(n);
  scratch.row.resize(n);
  scratch.column.resize(n);
  apply(problem, p, scratch.u);

  for (const ConeBlock& cone : problem.cones) {
    const int dim = dimension(cone.kind);
    double trace = 0.0;
    for (int i = cone.first; i < cone.first + dim; ++i) trace += W[i * n + i];
    const double rho = trace > 0.0 ? dim / trace : 1.0;
    const Linearised local = linearise(cone, rho, &p[cone.first], &scratch.u[cone.first]);
    for (int i = 0; i < dim; ++i) {
      double* J = &scratch.J[(cone.first + i) * n];
      scratch.F[cone.first + i] = -local.F[i];
      for (int k = 0; k < dim; ++k) {
        J[cone.first + k] += local.P[3 * i + k];
        const double c = local.U[3 * i + k];
        for (int j = 0; c != 0.0 && j < n; ++j) J[j] += c * W[(cone.first + k) * n + j];
      }
    }
  }

  LuFactors lu{n, scratch.J.data(), scratch.row.data(), scratch.column.data(), scratch.scale.data()};
  lu_factor(lu);
  scratch.work.resize(n * (n - lu.rank + 1));
  lu_solve(lu, scratch.F.data(), scratch.work.data());
  for (int i = 0; i < n; ++i) p[i] += scratch.F[i];
}

}  // namespace esc::cone
