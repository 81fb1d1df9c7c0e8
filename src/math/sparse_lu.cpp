#include "src/math/sparse_lu.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "src/math/vectors.hpp"

namespace esc {
namespace {

constexpr double least_pivot = 1e-14;

bool equal(std::span<const int> a, const std::vector<int>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::ptrdiff_t square(std::ptrdiff_t n) { return n * n; }

}  // namespace

bool SparseLu::same_pattern(std::span<const int> sizes, std::span<const int> row_start,
                            std::span<const int> column) const {
  return equal(sizes, sizes_) && equal(row_start, row_start_) && equal(column, column_);
}

void SparseLu::analyse(std::span<const int> sizes, std::span<const int> row_start, std::span<const int> column) {
  if (nodes_ > 0 && same_pattern(sizes, row_start, column)) return;
  sizes_.assign(sizes.begin(), sizes.end());
  row_start_.assign(row_start.begin(), row_start.end());
  column_.assign(column.begin(), column.end());
  nodes_ = static_cast<int>(sizes.size());

  row_of_.resize(column_.size());
  value_start_.resize(column_.size());
  offset_.resize(nodes_);
  rows_ = 0;
  int values = 0;
  for (int i = 0; i < nodes_; ++i) {
    offset_[i] = rows_;
    rows_ += sizes_[i];
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k) {
      row_of_[k] = i;
      value_start_[k] = values;
      values += sizes_[i] * sizes_[column_[k]];
    }
  }
  values_.resize(values);
  order();
  find_fronts();
  sort_entries();
}

// Minimum degree on the graph of elimination, ties by number. Once all that is left is connected, its order is free.
void SparseLu::order() {
  if (static_cast<int>(adjacent_.size()) < nodes_) adjacent_.resize(nodes_);
  for (int i = 0; i < nodes_; ++i) adjacent_[i].clear();
  for (int i = 0; i < nodes_; ++i)
    for (int k = row_start_[i]; k < row_start_[i + 1]; ++k) {
      if (column_[k] == i) continue;
      adjacent_[i].push_back(column_[k]);
      adjacent_[column_[k]].push_back(i);
    }
  weight_.assign(sizes_.begin(), sizes_.end());
  for (int i = 0; i < nodes_; ++i) {
    std::sort(adjacent_[i].begin(), adjacent_[i].end());
    adjacent_[i].erase(std::unique(adjacent_[i].begin(), adjacent_[i].end()), adjacent_[i].end());
    for (const int j : adjacent_[i]) weight_[i] += sizes_[j];
  }

  position_.assign(nodes_, -1);
  sequence_.clear();
  while (static_cast<int>(sequence_.size()) < nodes_) {
    int best = -1;
    for (int i = 0; i < nodes_; ++i)
      if (position_[i] < 0 && (best < 0 || weight_[i] < weight_[best])) best = i;
    const int left = nodes_ - static_cast<int>(sequence_.size()) - 1;
    if (static_cast<int>(adjacent_[best].size()) < left) {
      eliminate_node(best);
      continue;
    }
    for (int i = 0; i < nodes_; ++i) {
      if (position_[i] >= 0) continue;
      position_[i] = static_cast<int>(sequence_.size());
      sequence_.push_back(i);
      const auto after = [i](int j) { return j < i; };
      adjacent_[i].erase(std::remove_if(adjacent_[i].begin(), adjacent_[i].end(), after), adjacent_[i].end());
    }
  }
}

void SparseLu::eliminate_node(int node) {
  position_[node] = static_cast<int>(sequence_.size());
  sequence_.push_back(node);
  const std::vector<int>& mine = adjacent_[node];
  for (const int i : mine) {
    merged_.clear();
    std::set_union(adjacent_[i].begin(), adjacent_[i].end(), mine.begin(), mine.end(), std::back_inserter(merged_));
    adjacent_[i].clear();
    weight_[i] = sizes_[i];
    for (const int j : merged_) {
      if (j == i || j == node) continue;
      adjacent_[i].push_back(j);
      weight_[i] += sizes_[j];
    }
  }
}

// The tree of elimination, and sequence_ in an order in which children come directly before their parents.
void SparseLu::find_fronts() {
  for (auto* list : {&parent_, &child_, &sibling_}) list->assign(nodes_, -1);
  for (int at = nodes_ - 1; at >= 0; --at) {
    const int node = sequence_[at];
    for (const int j : adjacent_[node])
      if (parent_[node] < 0 || position_[j] < position_[parent_[node]]) parent_[node] = j;
    if (parent_[node] < 0) continue;
    sibling_[node] = child_[parent_[node]];
    child_[parent_[node]] = node;
  }

  // Depth first from each root: a node is listed when its children are.
  stack_of_nodes_.clear();
  for (int at = nodes_ - 1; at >= 0; --at)
    if (parent_[sequence_[at]] < 0) stack_of_nodes_.push_back(sequence_[at]);
  sequence_.clear();
  local_.assign(nodes_, 0);  // whether the children have been pushed
  while (!stack_of_nodes_.empty()) {
    const int node = stack_of_nodes_.back();
    if (local_[node] != 0) {
      stack_of_nodes_.pop_back();
      sequence_.push_back(node);
      continue;
    }
    local_[node] = 1;
    for (int j = child_[node]; j >= 0; j = sibling_[j]) stack_of_nodes_.push_back(j);
  }
  add_fronts();
}

// A parent joins the front of its only child if it has no other rows.
void SparseLu::add_fronts() {
  fronts_.clear();
  front_of_.resize(nodes_);
  cost_ = 0.0;
  std::ptrdiff_t store = 0, top = 0, deepest = 0;
  int exchange = 0, largest = 0;
  for (int at = 0; at < nodes_;) {
    Front front;
    front.first = at;
    for (int j = child_[sequence_[at]]; j >= 0; j = sibling_[j]) {
      ++front.children;
      top -= square(fronts_[front_of_[j]].later);
    }
    for (bool more = true; more;) {
      const int node = sequence_[at++];
      front_of_[node] = static_cast<int>(fronts_.size());
      front.pivots += sizes_[node];
      ++front.count;
      more = at < nodes_ && parent_[node] == sequence_[at] && sibling_[node] < 0 && child_[sequence_[at]] == node &&
             adjacent_[node].size() == adjacent_[sequence_[at]].size() + 1;
    }
    for (const int j : later_nodes(front)) front.later += sizes_[j];
    front.store = store;
    front.exchange = exchange;
    const double p = front.pivots, l = front.later;
    cost_ += p * (p * p / 3.0 + p * l + l * l);
    store += static_cast<std::ptrdiff_t>(front.pivots) * (front.pivots + 2 * front.later);
    exchange += front.pivots;
    largest = std::max(largest, front.pivots + front.later);
    top += square(front.later);
    deepest = std::max(deepest, top);
    fronts_.push_back(front);
  }
  factors_.resize(store);
  exchange_.resize(exchange);
  front_.resize(square(largest));
  stack_.resize(deepest);
}

// Each entry belongs to the front that eliminates its row or its column first.
void SparseLu::sort_entries() {
  const auto front_of = [&](int k) { return std::min(front_of_[row_of_[k]], front_of_[column_[k]]); };
  for (Front& front : fronts_) front.entries = 0;
  for (int k = 0; k < static_cast<int>(column_.size()); ++k) ++fronts_[front_of(k)].entries;
  int sum = 0;
  for (Front& front : fronts_) front.entries = sum += front.entries;
  entries_.resize(column_.size());
  for (int k = static_cast<int>(column_.size()) - 1; k >= 0; --k) entries_[--fronts_[front_of(k)].entries] = k;
}

int SparseLu::place(const Front& front) {
  int row = 0;
  for (int i = front.first; i < front.first + front.count; ++i) {
    local_[sequence_[i]] = row;
    row += sizes_[sequence_[i]];
  }
  for (const int j : later_nodes(front)) {
    local_[j] = row;
    row += sizes_[j];
  }
  return row;
}

void SparseLu::assemble(const Front& front, std::ptrdiff_t& top) {
  const int n = place(front);
  std::fill_n(front_.begin(), square(n), 0.0);
  const auto index = static_cast<std::size_t>(&front - fronts_.data());
  const int last = index + 1 < fronts_.size() ? fronts_[index + 1].entries : static_cast<int>(entries_.size());
  for (int e = front.entries; e < last; ++e) {
    const int k = entries_[e], rows = sizes_[row_of_[k]], columns = sizes_[column_[k]];
    const double* value = values_.data() + value_start_[k];
    double* to = front_.data() + static_cast<std::ptrdiff_t>(local_[row_of_[k]]) * n + local_[column_[k]];
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) to[static_cast<std::ptrdiff_t>(i) * n + j] += value[i * columns + j];
  }

  for (int c = 0; c < front.children; ++c) {
    const std::vector<int>& nodes = later_nodes(fronts_[waiting_.back()]);
    top -= square(fronts_[waiting_.back()].later);
    waiting_.pop_back();
    const double* value = stack_.data() + top;
    for (const int i : nodes)
      for (int row = 0; row < sizes_[i]; ++row) {
        double* to = front_.data() + static_cast<std::ptrdiff_t>(local_[i] + row) * n;
        for (const int j : nodes) {
          double* at = to + local_[j];
          for (int column = 0; column < sizes_[j]; ++column) at[column] += *value++;
        }
      }
  }
}

// The pivot rows, with the largest entry of a column first.
int SparseLu::eliminate(const Front& front) {
  const int n = front.pivots + front.later;
  int replaced = 0;
  for (int j = 0; j < front.pivots; ++j) {
    double* top = front_.data() + static_cast<std::ptrdiff_t>(j) * n;
    int best = j;
    for (int i = j + 1; i < front.pivots; ++i) {
      const auto entry = [&](int row) { return std::abs(front_[static_cast<std::ptrdiff_t>(row) * n + j]); };
      if (entry(i) > entry(best)) best = i;
    }
    exchange_[front.exchange + j] = best;
    if (best != j) std::swap_ranges(top, top + n, front_.data() + static_cast<std::ptrdiff_t>(best) * n);
    if (!(std::abs(top[j]) >= least_pivot)) {
      top[j] = std::copysign(least_pivot, top[j]);
      ++replaced;
    }
    const double inverse = 1.0 / top[j];
    for (int i = j + 1; i < front.pivots; ++i) {
      double* row = front_.data() + static_cast<std::ptrdiff_t>(i) * n;
      const double l = row[j] *= inverse;
      if (l == 0.0) continue;
      for (int k = j + 1; k < n; ++k) row[k] -= l * top[k];
    }
  }
  for (int i = front.pivots; i < n; ++i) update(front, front_.data() + static_cast<std::ptrdiff_t>(i) * n);
  return replaced;
}

// One of the rows left: its multipliers, then what they take from its other columns, four pivots at a time.
void SparseLu::update(const Front& front, double* row) const {
  const int n = front.pivots + front.later, pivots = front.pivots;
  const auto pivot_row = [&](int j) { return front_.data() + static_cast<std::ptrdiff_t>(j) * n; };
  for (int j = 0; j < pivots; ++j) {
    const double* top = pivot_row(j);
    const double l = row[j] /= top[j];
    if (l == 0.0) continue;
    for (int k = j + 1; k < pivots; ++k) row[k] -= l * top[k];
  }
  int j = 0;
  for (; j + 4 <= pivots; j += 4) {
    const double *a = pivot_row(j), *b = a + n, *c = b + n, *d = c + n;
    const double l0 = row[j], l1 = row[j + 1], l2 = row[j + 2], l3 = row[j + 3];
    if (l0 == 0.0 && l1 == 0.0 && l2 == 0.0 && l3 == 0.0) continue;
    for (int k = pivots; k < n; ++k) row[k] -= (l0 * a[k] + l1 * b[k]) + (l2 * c[k] + l3 * d[k]);
  }
  for (; j < pivots; ++j) {
    const double* top = pivot_row(j);
    if (row[j] == 0.0) continue;
    for (int k = pivots; k < n; ++k) row[k] -= row[j] * top[k];
  }
}

// The factors of the front, and on the stack what it leaves to its parent.
void SparseLu::keep(const Front& front, std::ptrdiff_t& top) {
  const int n = front.pivots + front.later;
  double* to = factors_.data() + front.store;
  to = std::copy_n(front_.data(), static_cast<std::ptrdiff_t>(front.pivots) * n, to);
  for (int i = front.pivots; i < n; ++i) {
    const double* row = front_.data() + static_cast<std::ptrdiff_t>(i) * n;
    to = std::copy_n(row, front.pivots, to);
    std::copy_n(row + front.pivots, front.later,
                stack_.data() + top + static_cast<std::ptrdiff_t>(i - front.pivots) * front.later);
  }
  if (front.later == 0) return;
  top += square(front.later);
  waiting_.push_back(static_cast<int>(&front - fronts_.data()));
}

int SparseLu::factor() {
  int replaced = 0;
  std::ptrdiff_t top = 0;
  waiting_.clear();
  for (const Front& front : fronts_) {
    assemble(front, top);
    replaced += eliminate(front);
    keep(front, top);
  }
  return replaced;
}

void SparseLu::solve(double* x) {
  rhs_.resize(rows_);
  double* z = rhs_.data();  // of the present front
  const auto gather = [&](const Front& front) {
    int row = 0;
    const auto node = [&](int i) {
      for (int k = 0; k < sizes_[i]; ++k) z[row++] = x[offset_[i] + k];
    };
    for (int i = front.first; i < front.first + front.count; ++i) node(sequence_[i]);
    for (const int j : later_nodes(front)) node(j);
  };
  const auto scatter = [&](const Front& front) {
    int row = 0;
    const auto node = [&](int i) {
      for (int k = 0; k < sizes_[i]; ++k) x[offset_[i] + k] = z[row++];
    };
    for (int i = front.first; i < front.first + front.count; ++i) node(sequence_[i]);
    for (const int j : later_nodes(front)) node(j);
  };

  for (const Front& front : fronts_) {
    const int n = front.pivots + front.later;
    const double* U = factors_.data() + front.store;
    const double* L = U + static_cast<std::ptrdiff_t>(front.pivots) * n;
    gather(front);
    for (int j = 0; j < front.pivots; ++j) {
      std::swap(z[j], z[exchange_[front.exchange + j]]);
    }
    for (int i = 0; i < front.pivots; ++i)
      for (int j = 0; j < i; ++j) z[i] -= U[static_cast<std::ptrdiff_t>(i) * n + j] * z[j];
    for (int i = 0; i < front.later; ++i)
      z[front.pivots + i] -= dot(L + static_cast<std::ptrdiff_t>(i) * front.pivots, z, front.pivots);
    scatter(front);
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const int n = front->pivots + front->later;
    const double* U = factors_.data() + front->store;
    gather(*front);
    for (int i = front->pivots - 1; i >= 0; --i) {
      const double* row = U + static_cast<std::ptrdiff_t>(i) * n;
      z[i] = (z[i] - dot(row + i + 1, z + i + 1, n - i - 1)) / row[i];
    }
    scatter(*front);
  }
}

}  // namespace esc
