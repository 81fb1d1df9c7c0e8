// Joints g(t, q) = 0 of plain coordinates, with G, g_t and second derivatives by dual numbers:
//
//   model.add_joint("wire", {bead}, constraint<2>([](const auto& t, const auto* q) { return q[1] - q[0] * q[0]; }));
//   model.add_joint("rod", {a, b}, constraint<4, 2>([](const auto& t, const auto* q, auto* g) { ... }));
#pragma once

#include <array>
#include <memory>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include <escapement/ad/dual.hpp>
#include <escapement/model.hpp>
#include <escapement/source.hpp>

namespace esc {

template <int N, int R, class Function>
class ConstraintPool final : public JointSource {
 public:
  void append(const Function& function, JointPlace place) { items_.push_back({function, std::move(place)}); }

  void evaluate(const Point& at, JointSet& set) const override {
    using S = ad::Dual<N + 1>;  // directions: the coordinates, then time
    for (const Item& item : items_) {
      const auto q = gathered(item.place.arguments, at.q);
      std::array<S, N> x{};
      for (int j = 0; j < N; ++j) x[j] = ad::seed<N + 1>(q[j], j);
      const auto g = values(item.function, ad::seed<N + 1>(at.t, N), x);
      for (int row = 0; row < R; ++row) {
        set.g[item.place.first_row + row] = g[row].value;
        set.g_t[item.place.first_row + row] = g[row].d[N];
        for (int j = 0; j < N; ++j) set.G[item.place.first_value + row * N + j] = g[row].d[j];
      }
    }
  }

  void curvature(const Point& at, double* out) const override {
    using S = ad::Dual<1, ad::Dual<1>>;  // twice along (1, v)
    for (const Item& item : items_) {
      const auto q = gathered(item.place.arguments, at.q), v = gathered(item.place.segments, at.v);
      std::array<S, N> x{};
      for (int j = 0; j < N; ++j) {
        x[j].value = moving(q[j], v[j]);
        x[j].d[0].value = v[j];
      }
      const auto g = values(item.function, ad::seed<1>(ad::seed<1>(at.t, 0), 0), x);
      for (int row = 0; row < R; ++row) out[item.place.first_row + row] = g[row].d[0].d[0];
    }
  }

  void add_stiffness(const Point& at, const double* lambda, const double* w, double* out) const override {
    using S = ad::Dual<N, ad::Dual<1>>;  // the gradient, along w
    for (const Item& item : items_) {
      const auto q = gathered(item.place.arguments, at.q), direction = gathered(item.place.segments, w);
      std::array<S, N> x{};
      for (int j = 0; j < N; ++j) x[j] = ad::seed<N>(moving(q[j], direction[j]), j);
      const auto g = values(item.function, S(at.t), x);
      int j = 0;
      for (const Segment& segment : item.place.segments)
        for (int i = 0; i < segment.length; ++i, ++j)
          for (int row = 0; row < R; ++row)
            out[segment.first + i] += lambda[item.place.first_row + row] * g[row].d[j].d[0];
    }
  }

 private:
  struct Item {
    Function function;
    JointPlace place;
  };

  static ad::Dual<1> moving(double value, double rate) {
    ad::Dual<1> x(value);
    x.d[0] = rate;
    return x;
  }

  static std::array<double, N> gathered(const std::vector<Segment>& segments, const double* from) {
    std::array<double, N> list{};
    int j = 0;
    for (const Segment& segment : segments)
      for (int i = 0; i < segment.length && j < N; ++i) list[j++] = from[segment.first + i];
    return list;
  }

  template <class S>
  static std::array<S, R> values(const Function& function, const S& t, const std::array<S, N>& q) {
    std::array<S, R> g{};
    if constexpr (std::is_invocable_v<const Function&, const S&, const S*, S*>)
      function(t, q.data(), g.data());
    else
      g[0] = function(t, q.data());
    return g;
  }

  std::vector<Item> items_;
};

template <int N, int R, class Function>
class Constraint final : public JointLeaf {
 public:
  explicit Constraint(Function function) : function_(std::move(function)) {}
  int rows() const override { return R; }
  int arity() const override { return N; }
  std::type_index type() const override { return typeid(Constraint); }
  std::unique_ptr<JointSource> new_pool() const override { return std::make_unique<ConstraintPool<N, R, Function>>(); }
  void append(JointSource& pool, JointPlace place) const override {
    static_cast<ConstraintPool<N, R, Function>&>(pool).append(function_, std::move(place));
  }

 private:
  Function function_;
};

template <int N, int R = 1, class Function>
std::unique_ptr<JointLeaf> constraint(Function function) {
  using S = ad::Dual<N + 1>;
  static_assert(std::is_invocable_v<const Function&, const S&, const S*, S*> ||
                    (R == 1 && std::is_invocable_v<const Function&, const S&, const S*>),
                "write constraints as [](const auto& t, const auto* q) { return ...; }, or with a third parameter "
                "auto* g for several rows: they are differentiated");
  return std::make_unique<Constraint<N, R, Function>>(std::move(function));
}

}  // namespace esc
