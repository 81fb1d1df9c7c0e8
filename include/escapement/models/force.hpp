// Generalised forces Q(t, q, v, u) on some coordinates, with tangents by differentiation:
//
//   const auto drag = [](const auto& t, const auto* q, const auto* v, const double* u, auto* Q) {
//     Q[0] = -0.3 * v[0];
//   };
//   model.add_force("damper", {ball}, force<1>(drag, {.kind = ForceKind::damping}));
#pragma once

#include <array>
#include <memory>
#include <span>
#include <typeindex>
#include <utility>
#include <vector>

#include <escapement/ad/dual.hpp>
#include <escapement/model.hpp>
#include <escapement/models/forces.hpp>
#include <escapement/source.hpp>

namespace esc {

template <int N, class Function>
class ForcePool final : public ForceSource {
 public:
  struct Item {
    Function function;
    ForceOptions options;
    std::array<int, N> coordinates, velocities;
    std::array<int, static_cast<std::size_t>(N) * N> values;
  };
  void append(Item item) { items_.push_back(std::move(item)); }

  void add_force(const Point& at, double* F) const override {
    for (const Item& item : items_) {
      const auto Q = evaluate(item, at);
      for (int i = 0; i < N; ++i) F[item.velocities[i]] += Q[i];
    }
  }

  void add_tangent(const Point& at, double sq, double sv, double* A) const override {
    using S = ad::Dual<N>;
    for (const Item& item : items_) {
      if (item.options.tangents == Tangents::none) continue;
      std::array<S, N> q{}, v{}, Q{};
      for (int j = 0; j < N; ++j) {
        q[j] = S(at.q[item.coordinates[j]]);
        v[j] = S(at.v[item.velocities[j]]);
        q[j].d[j] = sq;
        v[j].d[j] = sv;
      }
      item.function(S(at.t), q.data(), v.data(), at.u, Q.data());
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
          if (const int value = item.values[i * N + j]; value >= 0) A[value] -= Q[i].d[j];
    }
  }

  Energy energy(const Point&) const override { return {}; }

  Power power(const Point& at) const override {
    Power sum;
    for (const Item& item : items_) {
      const auto Q = evaluate(item, at);
      double power = 0.0;
      for (int i = 0; i < N; ++i) power += Q[i] * at.v[item.velocities[i]];
      (item.options.kind == ForceKind::damping ? sum.damping : sum.applied) += power;
    }
    return sum;
  }

 private:
  static std::array<double, N> evaluate(const Item& item, const Point& at) {
    std::array<double, N> q, v, Q{};
    for (int j = 0; j < N; ++j) {
      q[j] = at.q[item.coordinates[j]];
      v[j] = at.v[item.velocities[j]];
    }
    item.function(at.t, q.data(), v.data(), at.u, Q.data());
    return Q;
  }

  std::vector<Item> items_;
};

template <int N, class Function>
class TypedForceLeaf final : public ForceLeaf {
 public:
  TypedForceLeaf(Function function, ForceOptions options) : function_(std::move(function)), options_(options) {}
  int arity() const override { return N; }
  bool implicit() const override { return options_.tangents == Tangents::implicit; }
  bool linear() const override { return !implicit(); }  // an explicit force leaves the iteration matrix alone
  std::type_index type() const override { return typeid(TypedForceLeaf); }
  std::unique_ptr<ForceSource> new_pool() const override { return std::make_unique<ForcePool<N, Function>>(); }
  void append(ForceSource& pool, ForcePlace place) const override {
    typename ForcePool<N, Function>::Item item{function_, options_, {}, {}, {}};
    for (int i = 0; i < N; ++i) item.coordinates[i] = place.coordinates[i];
    for (int i = 0; i < N; ++i) item.velocities[i] = place.velocities[i];
    for (int i = 0; i < N * N; ++i) item.values[i] = place.values[i];
    static_cast<ForcePool<N, Function>&>(pool).append(std::move(item));
  }

 private:
  Function function_;
  ForceOptions options_;
};

template <int N, class Function>
std::unique_ptr<ForceLeaf> force(Function function, ForceOptions options = {}) {
  return std::make_unique<TypedForceLeaf<N, Function>>(std::move(function), options);
}

}  // namespace esc
