#include <escapement/block_matrix.hpp>

#include <cmath>

#include "src/math/small_size.hpp"
#include "src/math/vectors.hpp"

namespace esc {

namespace {

// Size is an integral constant for the usual small blocks, so that the loops unroll, and an int for the others.
template <class Size>
void add_dense(Size n, const double* A, double alpha, const double* x, double* y) {
  each_below(n, [=](auto i) {
    double sum = 0.0;
    for (int j = 0; j < n; ++j) sum += A[i * n + j] * x[j];
    y[i] += alpha * sum;
  });
}

void add_tridiagonal(int n, const double* A, double alpha, const double* x, double* y) {
  const double* d = A;
  const double* l = A + n;
  if (n == 1) {
    y[0] += alpha * d[0] * x[0];
    return;
  }
  y[0] += alpha * (d[0] * x[0] + l[0] * x[1]);
  for (int i = 1; i < n - 1; ++i) y[i] += alpha * (l[i - 1] * x[i - 1] + d[i] * x[i] + l[i] * x[i + 1]);
  y[n - 1] += alpha * (l[n - 2] * x[n - 2] + d[n - 1] * x[n - 1]);
}

void add_band(const MatrixBlock& block, const double* A, double alpha, const double* x, double* y) {
  const int n = block.n;
  for (int i = 0; i < n; ++i) y[i] += alpha * A[i] * x[i];
  for (int k = 1; k <= block.half; ++k) {
    const double* a = A + k * n;
    for (int i = 0; i + k < n; ++i) y[i + k] += alpha * a[i] * x[i];
    for (int i = 0; i + k < n; ++i) y[i] += alpha * a[i] * x[i + k];
  }
}

[[gnu::noinline]] void add_block(const MatrixBlock& block, const double* A, double alpha, const double* x, double* y) {
  if (block.storage == Storage::dense)
    with_size(block.n, [&](auto n) { add_dense(n, A, alpha, x, y); });
  else if (block.half == 1)
    add_tridiagonal(block.n, A, alpha, x, y);
  else
    add_band(block, A, alpha, x, y);
}

}  // namespace

double largest_block(std::span<const MatrixBlock> blocks, std::span<const double> x) {
  double largest = 0.0;
  for (const MatrixBlock& block : blocks) {
    double square = 0.0;
    if (block.n == 1) {
      square = x[block.v0] * x[block.v0];
    } else if (block.n <= 6) {
      with_size(block.n, [&, values = x.data() + block.v0](auto n) {
        for (int i = 0; i < n; ++i) square += values[i] * values[i];
      });
    } else {
      square = detail::sum_of(x.subspan(block.v0, block.n), [](double value) { return value * value; });
    }
    if (!(square <= largest)) largest = square;
    if (std::isnan(square)) break;
  }
  return std::sqrt(largest);
}

void add_times(std::span<const MatrixBlock> blocks, std::span<const double> A, double alpha, std::span<const double> x,
               std::span<double> y) {
  for (const MatrixBlock& block : blocks) {
    if (block.n == 1)
      y[block.v0] += alpha * (A[block.a0] * x[block.v0]);
    else
      add_block(block, A.data() + block.a0, alpha, x.data() + block.v0, y.data() + block.v0);
  }
}

}  // namespace esc
