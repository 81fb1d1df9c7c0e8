#include "src/schemes/parts/load_sharing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <variant>

namespace esc {

namespace {

constexpr double dependent = 1e-10;  // of its own size: what is left of a row of W that others give
constexpr double settled = 1e-13;    // of the load
constexpr int newton_max = 60;

double dot(const double* a, const double* b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

double norm(std::span<const double> x) { return std::sqrt(dot(x.data(), x.data(), static_cast<int>(x.size()))); }

// The round cone within a polygon, by mu; the directions of the library are regular.
double inscribed(const ConeBlock& cone) {
  return cone.kind == ConeKind::polyhedral ? std::cos(std::numbers::pi / cone.direction_count) : 1.0;
}

// H dy = F for a positive definite H, in place; by Cholesky.
void solve(std::vector<double>& H, std::vector<double>& F, int n) {
  for (int i = 0; i < n; ++i) {
    double* row = &H[i * n];
    for (int j = 0; j <= i; ++j) {
      const double left = row[j] - dot(row, &H[j * n], j);
      row[j] = j < i ? left / H[j * n + j] : std::sqrt(std::max(left, 1e-14));
    }
    F[i] = (F[i] - dot(row, F.data(), i)) / row[i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) F[i] -= H[k * n + i] * F[k];
    F[i] /= H[i * n + i];
  }
}

}  // namespace

// Steps with the same contacts allocate once, whatever they find.
void LoadSharing::reserve(int rows) {
  const auto n = static_cast<std::size_t>(rows);
  cones_.reserve(n);
  lines_.reserve(n);
  axes_.reserve(3 * n);
  for (auto* matrix : {&A_, &Q_, &H_}) matrix->reserve(n * (n + 1));
  for (auto* vector : {&c_, &y_, &z_, &F_, &D_, &trial_}) vector->reserve(n);
}

void LoadSharing::find_axes(const ConeProblem& problem, std::span<const May> may) {
  const std::vector<double>& p = problem.p;
  cones_.clear();
  lines_.clear();
  axes_.clear();
  for (std::size_t i = 0; i < problem.cones.size(); ++i) {
    const ConeBlock& cone = problem.cones[i];
    const int dim = dimension(cone.kind), first = static_cast<int>(lines_.size());
    if (may[i] == May::nothing) continue;
    if (may[i] == May::stick) {
      for (int k = 0; k < dim; ++k) {
        lines_.push_back({cone.first + k, 1});
        axes_.insert(axes_.end(), {1.0, 0.0, 0.0});
      }
      cones_.push_back({first, dim, cone.mu * inscribed(cone)});
      continue;
    }
    double axis[3] = {1.0, 0.0, 0.0};
    if (p[cone.first] > 0.0) {
      for (int k = 1; k < dim; ++k) axis[k] = p[cone.first + k] / p[cone.first];
    } else {
      double slip = 0.0;
      for (int k = 1; k < dim; ++k) slip = std::hypot(slip, problem.b[cone.first + k]);
      for (int k = 1; k < dim; ++k) axis[k] = -cone.mu * problem.b[cone.first + k] / slip;
    }
    const double length = std::hypot(axis[0], axis[1], axis[2]);
    lines_.push_back({cone.first, dim});
    for (const double value : axis) axes_.push_back(value / length);
    cones_.push_back({first, 1, 0.0});
  }
}

// Whether the rows of W at the two axes are at an angle far above `dependent`: then their rank is two.
bool LoadSharing::clearly_apart(const ConeProblem& problem) const {
  constexpr double far = 1e-6;
  const auto& W = std::get<DenseW>(problem.W).a;
  double a[4];
  for (int i = 0; i < 4; ++i) {
    const Axis& axis = lines_[i % 2];
    a[i] = dot(&W[lines_[i / 2].row * problem.rows() + axis.row], &axes_[3 * (i % 2)], axis.size);
  }
  const double cross = a[0] * a[3] - a[1] * a[2];
  return cross * cross > far * far * (a[0] * a[0] + a[1] * a[1]) * (a[2] * a[2] + a[3] * a[3]);
}

// By Gram-Schmidt with pivots, each row twice.
int LoadSharing::find_rows(const ConeProblem& problem) {
  const auto& W = std::get<DenseW>(problem.W).a;
  const int rows = problem.rows(), n = static_cast<int>(lines_.size());
  A_.assign(static_cast<std::size_t>(rows) * (n + 1), 0.0);  // and the size that each row had
  for (int i = 0; i < rows; ++i) {
    double* row = &A_[i * (n + 1)];
    for (int j = 0; j < n; ++j) row[j] = dot(&W[i * rows + lines_[j].row], &axes_[3 * j], lines_[j].size);
    row[n] = std::sqrt(dot(row, row, n));
    for (int j = 0; j < n && row[n] > 0.0; ++j) row[j] /= row[n];
  }
  Q_.clear();
  int rank = 0;
  for (; rank < n; ++rank) {
    int pivot = -1;
    double largest = dependent;
    for (int i = 0; i < rows; ++i) {
      const double* row = &A_[i * (n + 1)];
      const double left = row[n] > 0.0 ? std::sqrt(dot(row, row, n)) : 0.0;
      if (left > largest) pivot = i, largest = left;
    }
    if (pivot < 0) break;
    const double* row = &A_[pivot * (n + 1)];
    Q_.insert(Q_.end(), row, row + n);
    double* q = &Q_[rank * n];
    for (int k = 0; k < rank; ++k) {
      const double part = dot(q, &Q_[k * n], n);
      for (int j = 0; j < n; ++j) q[j] -= part * Q_[k * n + j];
    }
    const double length = std::sqrt(dot(q, q, n));
    for (int j = 0; j < n; ++j) q[j] /= length;
    for (int i = 0; i < rows; ++i) {
      double* other = &A_[i * (n + 1)];
      const double part = dot(other, q, n);
      for (int j = 0; j < n; ++j) other[j] -= part * q[j];
    }
  }
  return rank;
}

void LoadSharing::project(std::span<const double> x, std::vector<double>& z) const {
  z.assign(x.begin(), x.end());
  for (const Cone& cone : cones_) {
    double* p = &z[cone.first];
    double tangential = 0.0;
    for (int k = 1; k < cone.size; ++k) tangential = std::hypot(tangential, p[k]);
    if (cone.size == 1 || cone.mu * tangential <= -p[0]) {
      const double left = cone.size == 1 ? std::max(p[0], 0.0) : 0.0;
      std::fill_n(p, cone.size, 0.0);
      p[0] = left;
    } else if (tangential > cone.mu * p[0]) {
      const double normal = (p[0] + cone.mu * tangential) / (1.0 + cone.mu * cone.mu);
      for (int k = 1; k < cone.size; ++k) p[k] *= cone.mu * normal / tangential;
      p[0] = normal;
    }
  }
}

void LoadSharing::differentiate(std::span<const double> x) {
  const int n = static_cast<int>(lines_.size()), rank = static_cast<int>(c_.size());
  H_.assign(static_cast<std::size_t>(rank) * rank, 0.0);
  D_.assign(static_cast<std::size_t>(n), 0.0);
  for (int i = 0; i < rank; ++i) {
    const double* q = &Q_[i * n];
    for (const Cone& cone : cones_) {
      const double* at = &x[cone.first];
      double tangential = 0.0;
      for (int k = 1; k < cone.size; ++k) tangential = std::hypot(tangential, at[k]);
      const double mu = cone.mu;
      double* out = &D_[cone.first];
      const double* in = q + cone.first;
      std::fill_n(out, cone.size, 0.0);
      if (cone.size == 1 ? at[0] > 0.0 : tangential <= mu * at[0]) {
        std::copy_n(in, cone.size, out);
      } else if (cone.size > 1 && mu * tangential > -at[0]) {
        const double scale = 1.0 + mu * mu, normal = (at[0] + mu * tangential) / scale;
        const double radial = dot(at + 1, in + 1, cone.size - 1) / tangential;
        const double along = (in[0] + mu * radial) / scale;
        out[0] = along;
        for (int k = 1; k < cone.size; ++k) {
          const double w = at[k] / tangential;
          out[k] = mu * along * w + mu * normal / tangential * (in[k] - radial * w);
        }
      }
    }
    for (int k = 0; k < rank; ++k) H_[k * rank + i] = dot(&Q_[k * n], D_.data(), n);
    H_[i * rank + i] += 1e-12;
  }
}

void LoadSharing::expand(int rank, std::span<const double> y) {
  const int n = static_cast<int>(lines_.size());
  trial_.assign(static_cast<std::size_t>(n), 0.0);
  for (int k = 0; k < rank; ++k)
    for (int j = 0; j < n; ++j) trial_[j] += y[k] * Q_[k * n + j];
}

// z = project(Q^T y) with Q z = c, the least z: y minimises |project(Q^T y)|^2 / 2 - c y, a convex function.
bool LoadSharing::newton(int rank) {
  const int n = static_cast<int>(lines_.size());
  const auto value = [&] {
    expand(rank, y_);
    project(trial_, z_);
    return 0.5 * dot(z_.data(), z_.data(), n) - dot(c_.data(), y_.data(), rank);
  };
  y_.assign(c_.begin(), c_.end());
  double now = value();
  for (int iteration = 0; iteration < newton_max; ++iteration) {
    F_.resize(static_cast<std::size_t>(rank));
    for (int k = 0; k < rank; ++k) F_[k] = dot(&Q_[k * n], z_.data(), n) - c_[k];
    if (norm(F_) <= settled * norm(c_)) return true;
    differentiate(trial_);
    solve(H_, F_, rank);
    double length = 1.0;
    for (int k = 0; k < rank; ++k) y_[k] -= F_[k];
    for (double next = value(); !(next <= now + 1e-15 * std::abs(now)) && length > 1e-6; next = value()) {
      for (int k = 0; k < rank; ++k) y_[k] += 0.5 * length * F_[k];
      length *= 0.5;
    }
    now = value();
  }
  return false;
}

bool LoadSharing::alone(const ConeProblem& problem, std::span<const May> may) {
  reserve(problem.rows());
  find_axes(problem, may);
  return lines_.size() == 2 && clearly_apart(problem);
}

bool LoadSharing::share(ConeProblem& problem, std::span<const May> may) {
  if (alone(problem, may)) return false;
  std::vector<double>& p = problem.p;
  const int n = static_cast<int>(lines_.size());
  const int rank = find_rows(problem);
  if (rank == n || rank == 0) return false;
  const auto load = [&](int j) { return dot(&p[lines_[j].row], &axes_[3 * j], lines_[j].size); };
  c_.assign(static_cast<std::size_t>(rank), 0.0);
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < rank; ++k) c_[k] += Q_[k * n + j] * load(j);
  if (!newton(rank)) return false;
  D_.clear();
  for (int j = 0; j < n; ++j) D_.push_back(z_[j] - load(j));
  if (norm(D_) <= settled * norm(z_)) return false;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < lines_[j].size; ++k) p[lines_[j].row + k] += D_[j] * axes_[3 * j + k];
  // Cones of their own kind: what has been lifted is zero, not nearly.
  for (const Cone& cone : cones_)
    for (int k = 0; k < cone.size; ++k)
      if (z_[cone.first] == 0.0) std::fill_n(&p[lines_[cone.first + k].row], lines_[cone.first + k].size, 0.0);
  return true;
}

}  // namespace esc
