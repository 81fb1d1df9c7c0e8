#include "src/math/component_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "src/math/elimination_order.hpp"
#include "src/math/small_blocks.hpp"
#include "src/math/small_size.hpp"
#include "src/math/vectors.hpp"

namespace esc {

namespace {

constexpr double singular_pivot = 1e-14;  // of the largest entry in the velocity's row: rounding only
constexpr double noisy_pivot = 1e-7;      // of a constraint row's diagonal in G' A^-1 G^T: no pivot above is noise
constexpr double rounding = std::numeric_limits<double>::epsilon();

double largest_entry(const double* x, int n) {
  double largest = 0.0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, std::abs(x[i]));
  return largest;
}

// An error in pivot k reaches the diagonal of a row below by the square of the row's multiplier l_k.
double noise_through(const double* l, const double* noise, int n) {
  double sum = 0.0;
  for (int k = 0; k < n; ++k) sum += l[k] * l[k] * noise[k];
  return sum;
}

// x minus its parts along four orthonormal vectors that lie `stride` apart: the four sums do not wait for each other.
void subtract_four_components(const double* units, int stride, int n, double* x) {
  const double *a = units, *b = a + stride, *c = b + stride, *d = c + stride;
  double ax = 0.0, bx = 0.0, cx = 0.0, dx = 0.0;
  for (int i = 0; i < n; ++i) {
    ax += a[i] * x[i];
    bx += b[i] * x[i];
    cx += c[i] * x[i];
    dx += d[i] * x[i];
  }
  for (int i = 0; i < n; ++i) x[i] -= (ax * a[i] + bx * b[i]) + (cx * c[i] + dx * d[i]);
}

int row_before_exchanges(const int* pivot, int row) {
  for (int k = row - 1; k >= 0; --k) {
    if (row == k)
      row = pivot[k];
    else if (row == pivot[k])
      row = k;
  }
  return row;
}

void exchange_rows(const int* pivot, int n, int width, double* a) {
  for (int i = 0; i < n; ++i)
    if (pivot[i] != i) std::swap_ranges(a + i * width, a + (i + 1) * width, a + pivot[i] * width);
}

}  // namespace

ComponentFactor::ComponentFactor(std::span<const FactorNode> nodes, std::span<const FactorEdge> edges)
    : steps_(nodes.size()), position_(nodes.size()) {
  const std::vector<int> order = node_order(nodes, edges);
  for (int k = 0; k < static_cast<int>(order.size()); ++k) position_[order[k]] = k;
  for (int node = 0; node < static_cast<int>(nodes.size()); ++node) {
    Step& step = steps_[position_[node]];
    step.node = node;
    step.n = nodes[node].n;
    step.constraint = nodes[node].constraint;
    step.x = size_;
    if (step.constraint) first_constraint_ = std::min(first_constraint_, size_);
    size_ += step.n;
  }
  store(nodes, later_steps(position_, edges));
  for (const FactorEdge& edge : edges)
    edges_.push_back({block(position_[edge.i], position_[edge.j]), block(position_[edge.j], position_[edge.i])});
}

void ComponentFactor::store(std::span<const FactorNode> nodes, std::span<const std::vector<int>> later) {
  constexpr double most_blocks = 3e7;  // that elimination changes: the list of them fills 120 MB
  double blocks = 0.0;
  for (const std::vector<int>& steps : later)
    blocks += static_cast<double>(steps.size()) * static_cast<double>(steps.size());
  if (blocks > most_blocks) throw std::length_error("too many blocks to eliminate");
  int values = 0;
  int largest = 0;
  int rows = 0;
  for (int k = 0; k < static_cast<int>(steps_.size()); ++k) {
    Step& step = steps_[k];
    step.diagonal = values;
    values += step.n * step.n;
    step.first = static_cast<int>(neighbours_.size());
    for (int j : later[k]) {
      const int block_values = step.n * steps_[j].n;
      neighbours_.push_back({steps_[j].n, steps_[j].x, j, values, values + block_values});
      values += 2 * block_values;
    }
    step.last = static_cast<int>(neighbours_.size());
    largest = std::max(largest, step.n);
    if (nodes[step.node].constraint) rows += step.n;
  }
  for (int k = 0; k < static_cast<int>(steps_.size()); ++k) {
    steps_[k].target = static_cast<int>(targets_.size());
    for (int i : later[k]) {
      for (int j : later[k]) targets_.push_back(block(i, j));
      may_be_redundant_ = may_be_redundant_ || (steps_[k].constraint && steps_[i].constraint);
    }
  }
  values_.resize(values);
  pivot_.resize(size_);
  removed_.resize(size_);
  noise_.resize(size_);
  scale_.resize(largest);
  dependent_.reserve(rows);
  dependent_x_.reserve(rows);
}

// Offset in values_ of the block in the rows of one step and the columns of another.
int ComponentFactor::block(int row_step, int column_step) const {
  if (row_step == column_step) return steps_[row_step].diagonal;
  const auto [early, late] = std::minmax(row_step, column_step);
  const auto found =
      std::lower_bound(neighbours_.begin() + steps_[early].first, neighbours_.begin() + steps_[early].last, late,
                       [](const Neighbour& neighbour, int step) { return neighbour.step < step; });
  return row_step < column_step ? found->upper : found->lower;
}

void ComponentFactor::clear() { std::fill(values_.begin(), values_.end(), 0.0); }

FactorStatus ComponentFactor::factor() {
  dependent_.clear();
  dependent_x_.clear();
  std::fill(removed_.begin(), removed_.end(), 0.0);
  std::fill(noise_.begin(), noise_.end(), 0.0);
  for (Step& step : steps_) {
    if (!factor_diagonal(step)) return FactorStatus::singular;
    eliminate(step);
  }
  return dependent_.empty() ? FactorStatus::regular : FactorStatus::redundant;
}

bool ComponentFactor::factor_diagonal(Step& step) {
  double* a = values_.data() + step.diagonal;
  const double* removed = removed_.data() + step.x;
  double* noise = noise_.data() + step.x;
  return with_size(step.n, [&](auto n) {
    if (may_be_redundant_)
      for (int i = 0; i < n; ++i) noise[i] += rounding * std::abs(a[i * n + i] + removed[i]);
    if constexpr (small::constant<decltype(n)>) {
      step.exchanged = false;
      const bool plain = !(may_be_redundant_ && step.constraint) && small::lu_plain<n>(a, removed);
      if (plain && may_be_redundant_)
        for (int i = 1; i < n; ++i) noise[i] += noise_through(a + i * n, noise, i);
      if (plain) return true;
    }
    return factor_pivoted(step);
  });
}

// Pivots up to this are zero, given the sum of what entered and what left the row's diagonal.
double ComponentFactor::zero_pivot(const Step& step, double scale, double noise) const {
  if (!step.constraint) return singular_pivot * scale;
  return std::max(small::least_pivot * scale, std::min(10.0 * noise, noisy_pivot * scale));
}

// LU with row exchanges where the pivot is weak, leaving out dependent rows: a reciprocal pivot of zero makes their
// multiplier zero and lets nothing of the row reach another one.
bool ComponentFactor::factor_pivoted(Step& step) {
  const int n = step.n;
  double* a = values_.data() + step.diagonal;
  int* pivot = pivot_.data() + step.x;
  double* noise = noise_.data() + step.x;
  step.exchanged = false;
  for (int i = 0; i < n; ++i)
    scale_[i] = step.constraint ? std::abs(a[i * n + i] + removed_[step.x + i]) : largest_entry(a + i * n, n);
  for (int k = 0; k < n; ++k) {
    int p = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(a[i * n + k]) > std::abs(a[p * n + k])) p = i;
    if (small::weak_pivot * std::abs(a[p * n + k]) <= std::abs(a[k * n + k])) p = k;
    const double size = std::abs(a[p * n + k]);
    const double zero = zero_pivot(step, std::sqrt(scale_[k]) * std::sqrt(scale_[p]), noise[p]);
    if (!std::isfinite(size) || !std::isfinite(zero)) return false;

    const bool dependent = size <= zero;
    if (dependent && !step.constraint) return false;
    if (dependent) p = k;
    pivot[k] = p;
    if (p != k) {
      step.exchanged = true;
      std::swap_ranges(a + k * n, a + (k + 1) * n, a + p * n);
      std::swap(scale_[k], scale_[p]);
      std::swap(noise[k], noise[p]);
    }
    if (dependent) {
      dependent_.push_back({step.node, row_before_exchanges(pivot, k)});
      dependent_x_.push_back(step.x + k);
    }
    const double inverse = dependent ? 0.0 : 1.0 / a[k * n + k];
    a[k * n + k] = inverse;
    for (int i = k + 1; i < n; ++i) {
      const double l = a[i * n + k] *= inverse;
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= l * a[k * n + j];
      noise[i] += l * l * noise[k];
    }
  }
  return true;
}

// With the diagonal block L U: upper blocks L^-1 B, lower blocks B U^-1, and their products off the later blocks.
void ComponentFactor::eliminate(const Step& step) {
  const std::span<const Neighbour> later(neighbours_.data() + step.first, neighbours_.data() + step.last);
  const int* target = targets_.data() + step.target;
  double* values = values_.data();
  const double* lu = values + step.diagonal;
  with_size(step.n, [&](auto n) {
    for (const Neighbour& j : later) {
      if (step.exchanged) exchange_rows(pivot_.data() + step.x, n, j.n, values + j.upper);
      with_size(j.n, [&](auto m) { small::lower_solve(n, m, lu, values + j.upper); });
      small::upper_solve(n, j.n, lu, values + j.lower);
      if (may_be_redundant_)
        for (int r = 0; r < j.n; ++r)
          noise_[j.x + r] += noise_through(values + j.lower + r * n, noise_.data() + step.x, n);
    }
    for (const Neighbour& i : later) {
      for (const Neighbour& j : later) {
        double* c = values + *target++;
        const bool removes = step.constraint && i.step == j.step && steps_[i.step].constraint;
        if (removes)
          for (int r = 0; r < i.n; ++r) removed_[i.x + r] += c[r * i.n + r];
        with_size(j.n, [&](auto m) { small::subtract_product(n, m, i.n, values + i.lower, values + j.upper, c); });
        if (removes)
          for (int r = 0; r < i.n; ++r) removed_[i.x + r] -= c[r * i.n + r];
      }
    }
  });
}

void ComponentFactor::forward(double* x) const {
  const double* values = values_.data();
  for (const Step& step : steps_) {
    double* y = x + step.x;
    if (step.exchanged) exchange_rows(pivot_.data() + step.x, step.n, 1, y);
    with_size(step.n, [&](auto n) {
      small::lower_solve(n, values + step.diagonal, y);
      for (int j = step.first; j < step.last; ++j)
        small::subtract_times(n, neighbours_[j].n, values + neighbours_[j].lower, y, x + neighbours_[j].x);
    });
  }
}

void ComponentFactor::backward(int last_step, double* x) const {
  const double* values = values_.data();
  for (int k = last_step; k >= 0; --k) {
    const Step& step = steps_[k];
    double* y = x + step.x;
    for (int j = step.first; j < step.last; ++j)
      with_size(neighbours_[j].n, [&](auto m) {
        small::subtract_times(m, step.n, values + neighbours_[j].upper, x + neighbours_[j].x, y);
      });
    with_size(step.n, [&](auto n) { small::upper_solve(n, values + step.diagonal, y); });
  }
}

double ComponentFactor::solve(double* x) const {
  forward(x);
  double defect = 0.0;
  for (int i : dependent_x_) defect = std::max(defect, std::abs(x[i]));
  backward(static_cast<int>(steps_.size()) - 1, x);
  return defect;
}

// To the first d vectors of the null space. A pass loses the digits that it takes off; where it has taken off more than
// half of the square of the length, a second one is enough.
void ComponentFactor::make_orthogonal(int d, double* z) const {
  const int n = size_ - first_constraint_;
  const double* basis = null_space_.data() + first_constraint_;
  z += first_constraint_;
  double before = dot(z, z, n);
  for (int pass = 0; pass < 2; ++pass) {
    int e = 0;
    for (; e + 4 <= d; e += 4) subtract_four_components(basis + static_cast<std::ptrdiff_t>(e) * size_, size_, n, z);
    for (; e < d; ++e) subtract_component(basis + static_cast<std::ptrdiff_t>(e) * size_, n, z);
    const double after = dot(z, z, n);
    if (after > 0.5 * before) return;
    before = after;
  }
}

// U z = 0 with one at the dependent row, zero at the other ones and after it.
void ComponentFactor::prepare_least_norm() {
  null_space_.assign(static_cast<std::size_t>(deficiency()) * size_, 0.0);
  for (int d = 0; d < deficiency(); ++d) {
    double* z = null_space_.data() + static_cast<std::ptrdiff_t>(d) * size_;
    const Step& own = steps_[position_[dependent_[d].node]];
    double& pivot = values_[own.diagonal + (dependent_x_[d] - own.x) * (own.n + 1)];
    z[dependent_x_[d]] = pivot = 1.0;
    backward(position_[own.node], z);
    pivot = 0.0;

    for (const Step& step : steps_)
      if (!step.constraint) std::fill(z + step.x, z + step.x + step.n, 0.0);  // zero but for rounding
    make_orthogonal(d, z);
    const double scale = 1.0 / std::sqrt(dot(z, z, size_));
    for (int i = 0; i < size_; ++i) z[i] *= scale;
  }
}

double ComponentFactor::solve_least_norm(double* x) const {
  const double defect = solve(x);
  project_to_least_norm(x);
  return defect;
}

void ComponentFactor::project_to_least_norm(double* x) const {
  for (int d = 0; d < deficiency(); ++d)
    subtract_component(null_space_.data() + static_cast<std::ptrdiff_t>(d) * size_, size_, x);
}

}  // namespace esc
