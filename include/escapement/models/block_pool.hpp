// From a C++ leaf type to a pool of blocks. A leaf is a plain struct that says
//
//   static constexpr int size;                                        number of coordinates
//   static constexpr bool constant_mass, linear;                      optional, false
//   void mass(double t, const double* q, MatrixView M) const;         every entry of M(t, q)
//   template <class S>
//   void force(const S& t, const S* q, const S* v, S* F) const;       F(t, q, v), all terms, on the right-hand side
//   void dynamics(double t, const double* q, const double* v, MatrixView M, double* F) const;          optional: both
//   void tangent(double t, const double* q, const double* v, double sq, double sv, MatrixView A) const;
//                                                     optional: A += sq K + sv C; else force is differentiated
//   void linearise(double t, const double* q, const double* v, const TangentWeights& s, MatrixView M, double* F,
//                  MatrixView A) const;               optional: dynamics and tangent at once
//   double potential(double t, const double* q) const;                optional, J
//   double damping(double t, const double* q, const double* v) const; optional, power into the system, W
//   double applied(double t, const double* q, const double* v) const; optional, power into the system, W
//   void check(const std::string& name) const;                        optional: throws ModelError
#pragma once

#include <array>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include <escapement/ad/dual.hpp>
#include <escapement/model.hpp>
#include <escapement/source.hpp>

namespace esc {

namespace detail {

template <class Leaf>
constexpr bool leaf_constant_mass() {
  if constexpr (requires { Leaf::constant_mass; }) return Leaf::constant_mass;
  return false;
}

template <class Leaf>
constexpr bool leaf_linear() {
  if constexpr (requires { Leaf::linear; }) return Leaf::linear;
  return false;
}

// A += sq K + sv C by one pass of dual numbers: direction j moves q_j by sq and v_j by sv.
template <class Leaf>
void differentiate_force(const Leaf& leaf, double t, const double* q, const double* v, double sq, double sv,
                         MatrixView A) {
  constexpr int n = Leaf::size;
  using S = ad::Dual<n>;
  std::array<S, n> x{}, w{}, F{};
  for (int j = 0; j < n; ++j) {
    x[j] = S(q[j]);
    w[j] = S(v[j]);
    x[j].d[j] = sq;
    w[j].d[j] = sv;
  }
  leaf.force(S(t), x.data(), w.data(), F.data());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A(i, j) -= F[i].d[j];
}

}  // namespace detail

template <class Leaf>
class BlockPool final : public BlockSource {
 public:
  static constexpr int n = Leaf::size;

  void append(const Leaf& leaf, const Slot& slot) { items_.push_back({leaf, slot}); }

  void mass(const Point& at, double* M) const override {
    for (const Item& item : items_) item.leaf.mass(at.t, at.q + item.slot.q0, view(item, M));
  }

  void force(const Point& at, double* F) const override {
    for (const auto& [leaf, slot] : items_) leaf.force(at.t, at.q + slot.q0, at.v + slot.v0, F + slot.v0);
  }

  void dynamics(const Point& at, double* M, double* F) const override {
    for (const Item& item : items_) {
      const auto& [leaf, slot] = item;
      if constexpr (requires(const Leaf& l) { l.dynamics(0.0, at.q, at.v, MatrixView{}, F); }) {
        leaf.dynamics(at.t, at.q + slot.q0, at.v + slot.v0, view(item, M), F + slot.v0);
      } else {
        leaf.mass(at.t, at.q + slot.q0, view(item, M));
        leaf.force(at.t, at.q + slot.q0, at.v + slot.v0, F + slot.v0);
      }
    }
  }

  void tangent(const Point& at, double sq, double sv, double* A) const override {
    for (const Item& item : items_) {
      const auto& [leaf, slot] = item;
      if constexpr (requires(const Leaf& l) { l.tangent(0.0, at.q, at.v, 0.0, 0.0, MatrixView{}); })
        leaf.tangent(at.t, at.q + slot.q0, at.v + slot.v0, sq, sv, view(item, A));
      else
        detail::differentiate_force(leaf, at.t, at.q + slot.q0, at.v + slot.v0, sq, sv, view(item, A));
    }
  }

  static constexpr bool linearised = requires(const Leaf& l, const double* x, double* F) {
    l.linearise(0.0, x, x, TangentWeights{}, MatrixView{}, F, MatrixView{});
  };
  bool linearises() const override { return linearised; }
  void linearise(const Point& at, const TangentWeights& s, const Linearised& out) const override {
    if constexpr (linearised)
      for (const Item& item : items_)
        item.leaf.linearise(at.t, at.q + item.slot.q0, at.v + item.slot.v0, s, view(item, out.M), out.F + item.slot.v0,
                            view(item, out.A));
    else
      static_cast<void>(at), static_cast<void>(s), static_cast<void>(out);
  }

  Energy energy(const Point& at) const override {
    Energy sum;
    for (const auto& [leaf, slot] : items_) {
      std::array<double, static_cast<std::size_t>(n) * n> M;
      leaf.mass(at.t, at.q + slot.q0, MatrixView{M.data(), n, n});
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) sum.kinetic += 0.5 * at.v[slot.v0 + i] * M[i * n + j] * at.v[slot.v0 + j];
      if constexpr (requires(const Leaf& l) { l.potential(0.0, at.q); })
        sum.potential += leaf.potential(at.t, at.q + slot.q0);
    }
    return sum;
  }

  Power power(const Point& at) const override {
    Power sum;
    for (const auto& [leaf, slot] : items_) {
      if constexpr (requires(const Leaf& l) { l.damping(0.0, at.q, at.v); })
        sum.damping += leaf.damping(at.t, at.q + slot.q0, at.v + slot.v0);
      if constexpr (requires(const Leaf& l) { l.applied(0.0, at.q, at.v); })
        sum.applied += leaf.applied(at.t, at.q + slot.q0, at.v + slot.v0);
    }
    return sum;
  }

 private:
  struct Item {
    Leaf leaf;
    Slot slot;
  };

  static MatrixView view(const Item& item, double* values) { return {values + item.slot.a0, n, item.slot.stride}; }

  std::vector<Item> items_;
};

template <class Leaf>
class TypedBlockLeaf final : public BlockLeaf {
 public:
  explicit TypedBlockLeaf(Leaf leaf) : leaf_(std::move(leaf)) {}

  int dofs() const override { return Leaf::size; }
  Storage storage() const override { return Storage::dense; }
  int half_bandwidth() const override { return 0; }
  bool constant_mass() const override { return detail::leaf_constant_mass<Leaf>(); }
  bool linear() const override { return constant_mass() && detail::leaf_linear<Leaf>(); }
  void check([[maybe_unused]] const std::string& name) const override {
    if constexpr (requires { leaf_.check(name); }) leaf_.check(name);
  }
  std::type_index type() const override { return typeid(Leaf); }
  std::unique_ptr<BlockSource> new_pool() const override { return std::make_unique<BlockPool<Leaf>>(); }
  void append(BlockSource& pool, const Slot& slot, const std::array<double, 3>&) const override {
    static_cast<BlockPool<Leaf>&>(pool).append(leaf_, slot);
  }

 private:
  Leaf leaf_;
};

template <class Leaf>
std::unique_ptr<BlockLeaf> block(Leaf leaf) {
  return std::make_unique<TypedBlockLeaf<Leaf>>(std::move(leaf));
}

}  // namespace esc
