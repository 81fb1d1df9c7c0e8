#include <escapement/cone_problem.hpp>

#include <cmath>
#include <limits>

#include "src/cone/cones.hpp"
#include "src/cone/operator.hpp"
#include "src/math/small_size.hpp"
#include "src/math/vectors.hpp"

namespace esc {
namespace {

// The map over the scale of the problem. Impulses may be large against what they act on, heavy bodies on light ones,
// but not without bound: no impulse, however large, solves contacts that contradict each other, nor does it by
// round-off.
double relative(double map, double velocities, double impulses) {
  constexpr double heaviest = 1e8;
  if (!(velocities > 0.0)) return impulses > 0.0 ? map / impulses : map;
  if (impulses <= heaviest * velocities) return map / std::max(velocities, impulses);
  const double noise = std::numeric_limits<double>::epsilon() * impulses;
  return std::max(map, noise) / (heaviest * velocities);
}

// residual() of p; u = W p + b goes into `u` unless that is null.
template <class Operator>
double residual_of(const Operator& W, const ConeProblem& problem, const double* p, double* u_out) {
  const double mean = cone::mean_diagonal(W, problem);
  double map = 0.0;
  double bb = 0.0;
  double pp = 0.0;
  double uu = 0.0;
  for (int c = 0; c < static_cast<int>(problem.cones.size()); ++c) {
    const ConeBlock& cone = problem.cones[c];
    double local[3];
    double* u = u_out != nullptr ? u_out + cone.first : local;
    cone::cone_velocity(W, problem, c, p, u);
    const double unit = cone::cone_unit(W, problem, c, mean);
    const double inverse = 1.0 / unit;
    map += unit * cone::natural_map_squared(problem, cone, inverse, p + cone.first, u);
    const double *b = problem.b.data() + cone.first, *q = p + cone.first;
    with_size(dimension(cone.kind), [&](auto dim) {
      for (int i = 0; i < dim; ++i) {
        bb += b[i] * b[i] * inverse;
        pp += q[i] * q[i] * unit;
        uu += u[i] * u[i] * inverse;
      }
    });
  }
  if (!std::isfinite(bb + pp + uu)) return std::numeric_limits<double>::quiet_NaN();

  return relative(std::sqrt(map), std::sqrt(std::max(bb, uu)), std::sqrt(pp));
}

double residual_and_velocity(const ConeProblem& problem, const double* p, double* u) {
  if (const auto* W = std::get_if<DenseW>(&problem.W)) {
    return residual_of(*W, problem, p, u);
  }
  return residual_of(*std::get_if<BlockSparseW>(&problem.W), problem, p, u);
}

}  // namespace

void apply(const ConeProblem& problem, std::span<const double> p, std::span<double> u) {
  const auto rows = [&](const auto& W) {
    for (int c = 0; c < static_cast<int>(problem.cones.size()); ++c) {
      cone::cone_velocity(W, problem, c, p.data(), u.data() + problem.cones[c].first);
    }
  };
  if (const auto* W = std::get_if<DenseW>(&problem.W)) {
    rows(*W);
  } else {
    rows(*std::get_if<BlockSparseW>(&problem.W));
  }
}

void project(const ConeProblem& problem, const ConeBlock& cone, std::span<double> p) {
  switch (cone.kind) {
    case ConeKind::free:
      return;
    case ConeKind::positive:
      p[0] = std::max(0.0, p[0]);
      return;
    case ConeKind::coulomb2:
      return cone::project_coulomb2(cone.mu, p.data());
    case ConeKind::coulomb3:
      return cone::project_coulomb3(cone.mu, p.data());
    case ConeKind::polyhedral:
      return cone::project_polyhedral(cone::polygon(problem, cone), p.data());
  }
}

double residual(const ConeProblem& problem, std::span<const double> p) {
  return residual_and_velocity(problem, p.data(), nullptr);
}

namespace cone {

double judge(ConeProblem& problem) {
  fit(problem.u, problem.b.size());
  return residual_and_velocity(problem, problem.p.data(), problem.u.data());
}

const double* dense(const ConeProblem& problem, std::vector<double>& scratch) {
  if (const auto* W = std::get_if<DenseW>(&problem.W)) return W->a.data();
  const auto& W = *std::get_if<BlockSparseW>(&problem.W);
  const int n = problem.rows();
  scratch.assign(n * n, 0.0);
  for (int c = 0; c < static_cast<int>(problem.cones.size()); ++c) {
    const ConeBlock& cone = problem.cones[c];
    for (int k = W.row_start[c]; k < W.row_start[c + 1]; ++k) {
      const ConeBlock& other = problem.cones[W.column[k]];
      const int columns = dimension(other.kind);
      for (int i = 0; i < dimension(cone.kind) * columns; ++i) {
        scratch[(cone.first + i / columns) * n + other.first + i % columns] = W.a[W.value_start[k] + i];
      }
    }
  }
  return scratch.data();
}

}  // namespace cone
}  // namespace esc
