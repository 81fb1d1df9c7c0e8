// Kernels on small row-major blocks whose sizes are compile-time constants or ints (see with_size). Constant sizes keep
// a block in registers, two entries a register: at -O2 compilers do not vectorise rows of three on their own.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace esc::small {

inline constexpr double least_pivot = 1e-10;  // of the diagonal entry before the elimination
inline constexpr double weak_pivot = 1e-3;    // of the largest entry under it

template <class Size>
inline constexpr bool constant = !std::is_same_v<Size, int>;

typedef double Pair __attribute__((vector_size(16)));  // NOLINT: an attribute of the type, which `using` does not take

// Row of N entries; the spare entry of an odd row is zero.
template <int N>
struct Row {
  static constexpr int pairs = (N + 1) / 2;
  std::array<Pair, pairs> p;

  void load(const double* x) {
#pragma GCC unroll 4
    for (int h = 0; h < N / 2; ++h) std::memcpy(&p[h], x + 2 * h, sizeof(Pair));
    if constexpr (N % 2 == 1) p[pairs - 1] = Pair{x[N - 1], 0.0};
  }
  void store(double* x) const {
#pragma GCC unroll 4
    for (int h = 0; h < N / 2; ++h) std::memcpy(x + 2 * h, &p[h], sizeof(Pair));
    if constexpr (N % 2 == 1) x[N - 1] = p[pairs - 1][0];
  }
  double operator[](int j) const { return p[j / 2][j % 2]; }
  void set(int j, double value) { p[j / 2][j % 2] = value; }
  // this -= s * other, from the pair `first` on
  void subtract(double s, const Row& other, int first = 0) {
    const Pair both = {s, s};
#pragma GCC unroll 4
    for (int h = first; h < pairs; ++h) p[h] -= both * other.p[h];
  }
};

// A = L U without exchanges, the diagonal of U as reciprocals. False, with A untouched, where a pivot falls to
// least_pivot times its diagonal entry plus `removed`, or is weak: such blocks are for a slower way.
template <int N>
[[nodiscard]] inline bool lu_plain(double* a, const double* removed) {
  std::array<Row<N>, N> r;
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) r[i].load(a + i * N);
  bool good = true;
  double largest = 0.0;
#pragma GCC unroll 8
  for (int k = 0; k < N; ++k) {
    const double pivot = r[k][k];
    good = good & (std::abs(pivot) > least_pivot * std::abs(a[k * N + k] + removed[k]));
    const double inverse = 1.0 / pivot;
#pragma GCC unroll 8
    for (int i = k + 1; i < N; ++i) {
      const double l = r[i][k] * inverse;
      largest = std::max(largest, std::abs(l));
      r[i].subtract(l, r[k], (k + 1) / 2);
      r[i].set(k, l);
    }
    r[k].set(k, inverse);
  }
  if (!good || !(weak_pivot * largest <= 1.0)) return false;
#pragma GCC unroll 8
  for (int i = 0; i < N; ++i) r[i].store(a + i * N);
  return true;
}

// y -= s x, two rows that do not overlap. Larger blocks have zeros in plenty.
template <class M>
inline void subtract_row(M m, double s, const double* __restrict x, double* __restrict y) {
  if (s == 0.0) return;
  for (int j = 0; j < m; ++j) y[j] -= s * x[j];
}

// B <- L^-1 B, B of n x m.
template <class N, class M>
inline void lower_solve(N n, M m, const double* lu, double* b) {
  if constexpr (constant<N> && constant<M>) {
    std::array<Row<m>, n> r;
#pragma GCC unroll 8
    for (int i = 0; i < N::value; ++i) {
      r[i].load(b + i * m);
#pragma GCC unroll 8
      for (int k = 0; k < i; ++k) r[i].subtract(lu[i * n + k], r[k]);
      r[i].store(b + i * m);
    }
  } else {
    for (int i = 1; i < n; ++i)
      for (int k = 0; k < i; ++k) subtract_row(m, lu[i * n + k], b + k * m, b + i * m);
  }
}

// B <- B U^-1, B of m x n.
template <class N>
inline void upper_solve(N n, int m, const double* lu, double* b) {
  for (int i = 0; i < m; ++i, b += n) {
    if constexpr (constant<N>) {
      std::array<double, n> r;
#pragma GCC unroll 8
      for (int j = 0; j < N::value; ++j) {
        double sum = b[j];
#pragma GCC unroll 8
        for (int k = 0; k < j; ++k) sum -= r[k] * lu[k * n + j];
        r[j] = b[j] = sum * lu[j * n + j];
      }
    } else {
      for (int k = 0; k < n; ++k) {
        b[k] *= lu[k * n + k];
        subtract_row(n - k - 1, b[k], lu + k * n + k + 1, b + k + 1);
      }
    }
  }
}

// C -= A B, A of rows x n, B of n x m.
template <class N, class M>
inline void subtract_product(N n, M m, int rows, const double* a, const double* b, double* c) {
  for (int i = 0; i < rows; ++i, a += n, c += m) {
    if constexpr (constant<N> && constant<M>) {
      Row<m> sum;
      sum.load(c);
#pragma GCC unroll 8
      for (int k = 0; k < N::value; ++k) {
        Row<m> row;
        row.load(b + k * m);
        sum.subtract(a[k], row);
      }
      sum.store(c);
    } else {
      for (int k = 0; k < n; ++k) subtract_row(m, a[k], b + k * m, c);
    }
  }
}

// y -= A x, A of rows x n.
template <class N>
inline void subtract_times(N n, int rows, const double* a, const double* x, double* y) {
  const int columns = n;
  for (int i = 0; i < rows; ++i, a += columns) {
    double sum = y[i];
#pragma GCC unroll 8
    for (int j = 0; j < columns; ++j) sum -= a[j] * x[j];
    y[i] = sum;
  }
}

// x <- L^-1 x. The entry known last enters a row last.
template <class N>
inline void lower_solve(N n, const double* lu, double* x) {
  const int rows = n;
#pragma GCC unroll 8
  for (int i = 1; i < rows; ++i) {
    double sum = x[i];
#pragma GCC unroll 8
    for (int j = 0; j < i; ++j) sum -= lu[i * rows + j] * x[j];
    x[i] = sum;
  }
}

// x <- U^-1 x.
template <class N>
inline void upper_solve(N n, const double* lu, double* x) {
  const int rows = n;
#pragma GCC unroll 8
  for (int i = rows - 1; i >= 0; --i) {
    double sum = x[i];
#pragma GCC unroll 8
    for (int j = rows - 1; j > i; --j) sum -= lu[i * rows + j] * x[j];
    x[i] = sum * lu[i * rows + i];
  }
}

}  // namespace esc::small
