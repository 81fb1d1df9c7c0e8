// Rank-revealing dense LU with complete pivoting, for the small square systems of contact problems.
#pragma once

namespace esc {

// P A Q = L U in place. Pivots are compared relative to the largest entry of their original row, so rows of very
// different size (mass ratios) do not look rank deficient. The caller owns all storage.
struct LuFactors {
  int n = 0;
  double* a = nullptr;      // n x n row-major: A in, L (unit diagonal) and U out
  int* row = nullptr;       // n: row[k] is the row of A that became row k
  int* column = nullptr;    // n: column[k] is the column of A that became column k
  double* scale = nullptr;  // n: scratch, 1 / largest entry of each row
  int rank = 0;             // set by lu_factor: pivots below 1e-12 of their row count as zero
};

void lu_factor(LuFactors& lu);

// A x = rhs: x holds the right-hand side on entry. For a singular A the solution of least Euclidean norm of the `rank`
// independent equations. work has n * (n - rank + 1) entries.
// Returns the largest defect of the dependent equations over the largest right-hand side (0 for full rank).
double lu_solve(const LuFactors& lu, double* x, double* work);

// A x = rhs for the common case of a regular A: elimination with row exchanges, relative to the largest entry of each
// row. A and the right-hand side x are overwritten. False, with A and x spoilt, if a pivot is below 1e-12 of its row.
[[nodiscard]] bool solve_regular(int n, double* a, double* x);

}  // namespace esc
