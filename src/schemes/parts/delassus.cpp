#include "src/schemes/parts/delassus.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "src/math/small_size.hpp"
#include "src/math/vectors.hpp"

namespace esc {

namespace {

// Not inlined: the loops around it have two or three turns, which take longer to prepare for vectors than to make.
[[gnu::noinline]] double product(const double* g, const double* x, int n) { return plus_dot(0.0, g, x, n); }

// Rows of numbers, each `stride` after the one before.
struct Panel {
  const double* a;
  int stride;
};

// W += G X^T for two contacts of n columns and so many rows, all unrolled.
template <int n, int rows>
void add_products(const Panel& G, const Panel& X, double* W, int stride) {
  each_below(std::integral_constant<int, rows>{}, [&](auto row) {
    each_below(std::integral_constant<int, rows>{}, [&](auto k) {
      double sum = 0.0;
      const double *g = G.a + row * G.stride, *x = X.a + k * X.stride;
      each_below(std::integral_constant<int, n>{}, [&](auto j) { sum += g[j] * x[j]; });
      W[row * stride + k] += sum;
    });
  });
}

}  // namespace

void Delassus::assemble(const SystemFactor& factor) {
  const ContactSet& set = *set_;
  fit(X_, static_cast<std::size_t>(graph_.values()));
  for (int c = 0; c < set.size(); ++c) {
    const Contact& contact = set.contacts[c];
    for (const ContactGraph::Touch& touch : graph_.touches(c)) {
      const Component& component = system_.components()[touch.component];
      const double* G = set.G.data() + contact.first_value;
      if (contact.segments.size() == 1 && contact.width == touch.size) {  // the rows of X are those of G
        double* x = X_.data() + touch.x0;
        std::copy_n(G, contact.row_count * touch.size, x);
        for (int row = 0; row < contact.row_count; ++row, x += touch.size) factor.solve_from(touch.component, 0, x);
        continue;
      }
      for (int row = 0; row < contact.row_count; ++row) {
        double* x = X_.data() + touch.x0 + row * touch.size;
        std::fill_n(x, touch.size, 0.0);
        int first = component.n - 1;
        for (const Segment& segment : contact.segments) {
          if (system_.component_of(segment.first) == touch.component) {
            const int local = segment.first - component.v0;
            elementwise(segment.length, [=, to = x + local](std::size_t j) { to[j] += G[j]; });
            first = std::min(first, local);
          }
          G += segment.length;
        }
        factor.solve_from(touch.component, first, x);
      }
    }
  }
}

double Delassus::diagonal(int c) const {
  const Contact& contact = set_->contacts[c];
  double W = 0.0;
  for (const ContactGraph::Touch& touch : graph_.touches(c)) {
    const double* x = X_.data() + touch.x0 - system_.components()[touch.component].v0;
    const double* G = set_->G.data() + contact.first_value;
    for (const Segment& segment : contact.segments) {
      double sum = 0.0;
      if (system_.component_of(segment.first) == touch.component)
        for (int j = 0; j < segment.length; ++j) sum += G[j] * x[segment.first + j];
      W += sum;
      G += segment.length;
    }
  }
  return W;
}

// W_cd += G_c X_d over the components that both contacts touch.
void Delassus::add_coupling(int c, int d, double* W, int stride) const {
  const Contact& contact = set_->contacts[c];
  const int columns = set_->contacts[d].row_count;
  for (const ContactGraph::Touch& touch : graph_.touches(d)) {
    const int v0 = system_.components()[touch.component].v0;
    const double* G = set_->G.data() + contact.first_value;
    for (const Segment& segment : contact.segments) {
      if (system_.component_of(segment.first) == touch.component) {
        const double* x = X_.data() + touch.x0 + (segment.first - v0);
        if (columns == contact.row_count && columns == 2 && segment.length == 3)
          add_products<3, 2>({G, contact.width}, {x, touch.size}, W, stride);
        else if (columns == contact.row_count && columns == 3 && segment.length == 6)
          add_products<6, 3>({G, contact.width}, {x, touch.size}, W, stride);
        else
          for (int row = 0; row < contact.row_count; ++row)
            for (int k = 0; k < columns; ++k)
              W[row * stride + k] += product(G + row * contact.width, x + k * touch.size, segment.length);
      }
      G += segment.length;
    }
  }
}

void Delassus::fill_dense(std::span<const int> members, ConeProblem& problem) const {
  if (!std::holds_alternative<DenseW>(problem.W)) problem.W.emplace<DenseW>();
  auto& a = std::get<DenseW>(problem.W).a;
  const int rows = problem.rows();
  a.assign(static_cast<std::size_t>(rows) * rows, 0.0);
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t j = 0; j < members.size(); ++j)
      add_coupling(members[i], members[j], a.data() + problem.cones[i].first * rows + problem.cones[j].first, rows);
}

void Delassus::fill_sparse(std::span<const int> members, ConeProblem& problem) const {
  BlockSparseW& W = problem.sparse();
  W.clear();
  for (const int c : members) {
    for (const int d : graph_.neighbours(c)) {
      const int columns = set_->contacts[d].row_count;
      W.column.push_back(graph_.place(d));
      W.value_start.push_back(static_cast<int>(W.a.size()));
      W.a.resize(W.a.size() + static_cast<std::size_t>(set_->contacts[c].row_count) * columns, 0.0);
      add_coupling(c, d, W.a.data() + W.value_start.back(), columns);
    }
    W.row_start.push_back(static_cast<int>(W.column.size()));
  }
}

void Delassus::add_to(std::span<double> v, std::span<double> Lambda, std::span<const double> P) const {
  for (int c = 0; c < set_->size(); ++c) {
    const Contact& contact = set_->contacts[c];
    for (const ContactGraph::Touch& touch : graph_.touches(c)) {
      const Component& component = system_.components()[touch.component];
      for (int row = 0; row < contact.row_count; ++row) {
        const double p = P[contact.first_row + row];
        if (p == 0.0) continue;
        const double* x = X_.data() + touch.x0 + row * touch.size;
        elementwise(component.n, [=, to = v.data() + component.v0](std::size_t i) { to[i] += x[i] * p; });
        for (int i = 0; i < component.rows; ++i) Lambda[component.row0 + i] += x[component.n + i] * p;
      }
    }
  }
}

}  // namespace esc
