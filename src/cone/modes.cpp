#include "src/cone/modes.hpp"

#include <algorithm>
#include <cmath>

#include "src/cone/lorentz.hpp"
#include "src/math/vectors.hpp"

namespace esc::cone {
namespace {

constexpr double at_rest = 1e-13;  // u below this share of the problem's scale is rest
constexpr double mode_proximal = 1e-11;
constexpr int polish_steps = 6;

}  // namespace

void Modes::choose(const ConeProblem& own, const std::vector<double>& p, const std::vector<double>& y, double inside) {
  const double size = std::max(norm(own.b), norm(p));
  mode_.resize(own.cones.size());
  for (std::size_t k = 0; k < own.cones.size(); ++k) {
    const Lorentz c = lorentz(own.cones[k]);
    const Spectrum moves = spectrum(y_hat(c, y)), pushes = spectrum(p_hat(c, p));
    const bool rests = moves.largest <= std::max(at_rest * size, inside * pushes.least);
    mode_[k] = c.dim == 0 || rests ? Mode::stick : pushes.largest < moves.least ? Mode::open : Mode::slip;
  }
}

// Newton on the equations of the modes: p = 0; u = 0; u_N = 0, |p_T| = mu p_N and p_T parallel to u_T. The last two
// apart, since round-off turns a slow u_T, and p must be on its cone all the same.
void Modes::write_equations(const ConeProblem& own) {
  for (std::size_t k = 0; k < own.cones.size(); ++k) {
    const Lorentz c = lorentz(own.cones[k]);
    const double* u = &u_[c.first];
    const double* p = &p_[c.first];
    double* right = &dp_[c.first];
    ConeRows& row = rows_[k] = {};
    const int rows = dimension(own.cones[k].kind);
    for (int i = 0; i < rows; ++i) {
      const bool none = mode_[k] == Mode::open || (c.dim == 1 && i > 0);
      right[i] = none ? -p[i] : -u[i];
      (none ? row.P : row.U)[3 * i + i] = 1.0;
    }
    const double friction = rows == 1 ? 0.0 : norm2(p[1], rows == 3 ? p[2] : 0.0);
    if (mode_[k] != Mode::slip || c.dim == 1 || !(friction > 0.0)) continue;

    const double e[2] = {p[1] / friction, rows == 3 ? p[2] / friction : 0.0};
    right[1] = c.mu * p[0] - friction;
    row.U[4] = 0.0;
    row.P[3] = -c.mu;
    row.P[4] = e[0];
    if (rows == 2) continue;
    row.P[5] = e[1];
    right[2] = e[1] * u[1] - e[0] * u[2];
    row.U[7] = -e[1];
    row.U[8] = e[0];
    row.P[7] = u[2] / friction;
    row.P[8] = -u[1] / friction;
  }
}

void Modes::polish(const ConeProblem& own, const std::vector<double>& p, double tol, LinearCones& linear,
                   BestPoint& best) {
  p_ = p;
  u_.resize(p.size());
  dp_.resize(p.size());
  rows_.resize(own.cones.size());
  for (int step = 0; step < polish_steps && best.residual > tol; ++step) {
    apply(own, p_, u_);
    write_equations(own);
    linear.factor(own, rows_, mode_proximal);
    linear.solve(dp_);
    for (std::size_t i = 0; i < p_.size(); ++i) p_[i] += dp_[i];
    if (!std::isfinite(best.offer(own, p_))) return;
  }
}

}  // namespace esc::cone
