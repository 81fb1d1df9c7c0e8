#include "src/schemes/parts/mixing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace esc {

namespace {

constexpr double shift = 1e-14;  // of the diagonal: defects that depend on each other

}  // namespace

Mixing::Mixing(Scratch& scratch)
    : x_(scratch.vector()), points_(scratch.vector()), defects_(scratch.vector()), weights_(scratch.vector()) {}

void Mixing::start(std::span<const double> first, std::span<const double> second) {
  x_.assign(first.begin(), first.end());
  x_.insert(x_.end(), second.begin(), second.end());
  for (auto* list : {&points_, &defects_}) list->resize(memory * x_.size());
}

double Mixing::product(const double* a, const double* b) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < x_.size(); ++i) sum += weights_[i] * a[i] * b[i];
  return sum;
}

// The shares s of the earlier iterations with the least |d - sum s_k (d - d_k)|, d being the last defect: Gauss on the
// normal equations.
void Mixing::weigh(double* share) {
  const int n = std::min(kept_, memory) - 1, last = (kept_ - 1) % memory;
  std::array<std::array<double, memory>, memory> A{};
  const double* d = column(defects_, last);
  for (int i = 0, row = 0; i <= n; ++i) {
    if (i == last) continue;
    for (int j = 0, other = 0; j <= n; ++j) {
      if (j == last) continue;
      const double *a = column(defects_, i), *b = column(defects_, j);
      A[row][other++] = product(d, d) - product(a, d) - product(d, b) + product(a, b);
    }
    A[row][n] = product(d, d) - product(column(defects_, i), d);
    A[row][row] *= 1.0 + shift;
    ++row;
  }
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) {
      if (i == k || !(std::abs(A[k][k]) > 0.0)) continue;
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j <= n; ++j) A[i][j] -= factor * A[k][j];
    }
  for (int k = 0; k < n; ++k) share[k] = std::abs(A[k][k]) > 0.0 ? A[k][n] / A[k][k] : 0.0;
}

void Mixing::mix(std::span<double> first, std::span<double> second) {
  const int slot = kept_ % memory;
  ++kept_;
  const int count = std::min(kept_, memory);
  double* now = column(points_, slot);
  std::copy(first.begin(), first.end(), now);
  std::copy(second.begin(), second.end(), now + first.size());
  for (std::size_t i = 0; i < x_.size(); ++i) column(defects_, slot)[i] = now[i] - x_[i];

  double share[memory] = {};
  weigh(share);
  for (int k = 0, number = 0; k < count; ++k) {
    if (k == slot) continue;
    const double* point = column(points_, k);
    for (std::size_t i = 0; i < x_.size(); ++i) {
      double& x = i < first.size() ? first[i] : second[i - first.size()];
      x -= share[number] * (now[i] - point[i]);
    }
    ++number;
  }
}

}  // namespace esc
