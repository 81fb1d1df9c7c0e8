// Contacts from gap functions g(t, q), with optional slip functions s(t, q) whose rates are the tangential velocities.
// One generic lambda gives the gap, its gradient G, g_t and the curvature term by dual numbers:
//
//   model.add_contact("floor", {ball}, gap<1>([](const auto& t, const auto* q) { return q[0]; }), {.e = 0.5});
//   model.add_contact("wall", {slider}, gap<3>(distance, slip), {.e = 0.4, .mu = 0.01});
//
// A leaf type gives several contacts that share work:
//   static constexpr int size, contacts, slips;      coordinates, contacts per item, slip rows per contact (0, 1, 2)
//   template <class S> void gap(const S& t, const S* q, S* g) const;     g[contacts]
//   template <class S> void slip(const S& t, const S* q, S* s) const;    s[contacts * slips], only where slips > 0
//   double bend() const;                             optional: the most that a gap bends, |d^2 g/ds^2| <= bend s^2
//   where
//                                                    no coordinate moves by more than s; 0: affine in (t, q). Steps
//                                                    that are short for it then cost no look at what is passed
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include <escapement/ad/dual.hpp>
#include <escapement/models/contact_pool.hpp>

namespace esc {

template <class Leaf>
struct GapItem {
  Leaf leaf;
  ContactPlace place;
};

template <class Leaf>
class GapPool final : public SampledPool<GapPool<Leaf>, GapItem<Leaf>> {
 public:
  static constexpr int n = Leaf::size;
  static constexpr int m = Leaf::contacts;
  static constexpr int slips = Leaf::slips;

  template <class Wanted>
  void find(int i, double t, const double* q, const Wanted& wanted, ContactSet& set) const {
    const auto& [leaf, place] = items_[i];
    std::array<double, n> copy{};
    std::array<double, m> g;
    leaf.gap(t, gather(place.arguments, q, copy), g.data());
    for (std::uint32_t k = 0; k < m; ++k)
      if (wanted(k, g[k])) emit(place, {i, k, place.law.mu > 0.0 ? 1 + slips : 1, g[k]}, set);
  }

  double bend(int item) const {
    if constexpr (requires { items_[item].leaf.bend(); })
      return items_[item].leaf.bend();
    else
      return (static_cast<void>(item), std::numeric_limits<double>::infinity());
  }

  void evaluate(double t, const double* q, std::span<Contact> mine, ContactSet& set) const override {
    using S = ad::Dual<n + 1>;  // directions: the coordinates, then time
    std::array<S, m> g;
    std::array<S, m * slips + 1> s;
    int current = -1;
    for (Contact& contact : mine) {
      const auto& [leaf, place] = items_[contact.item];
      if (contact.item != current) {
        current = contact.item;
        std::array<S, n> x = seeded<S>(place, q);
        S time(t);
        time.d[n] = 1.0;
        leaf.gap(time, x.data(), g.data());
        if constexpr (slips > 0) {
          if (place.law.mu > 0.0) leaf.slip(time, x.data(), s.data());
        }
      }
      const int k = static_cast<int>(contact.key.feature);
      contact.gap = g[k].value;
      for (int row = 0; row < contact.row_count; ++row) {
        const S& value = row == 0 ? g[k] : s[k * slips + row - 1];
        double* G = set.G.data() + contact.first_value + row * n;
        for (int j = 0; j < n; ++j) G[j] = value.d[j];
        set.g_t[contact.first_row + row] = value.d[n];
      }
    }
  }

  void curvature(double t, const double* q, const double* v, std::span<const Contact> mine,
                 double* out) const override {
    using S = ad::Dual<1, ad::Dual<1>>;  // twice along (1, v)
    for (const Contact& contact : mine) {
      const auto& [leaf, place] = items_[contact.item];
      std::array<double, n> copy_q{}, copy_v{};
      const double* xq = gather(place.arguments, q, copy_q);
      const double* xv = gather(place.segments, v, copy_v);
      std::array<S, n> x{};
      for (int j = 0; j < n; ++j) x[j] = along<S>(xq[j], xv[j]);
      const S time = along<S>(t, 1.0);
      std::array<S, m> g{};
      std::array<S, m * slips + 1> s{};
      leaf.gap(time, x.data(), g.data());
      if constexpr (slips > 0) {
        if (place.law.mu > 0.0) leaf.slip(time, x.data(), s.data());
      }
      const int k = static_cast<int>(contact.key.feature);
      for (int row = 0; row < contact.row_count; ++row)
        out[contact.first_row + row] = (row == 0 ? g[k] : s[k * slips + row - 1]).d[0].d[0];
    }
  }

 private:
  using SampledPool<GapPool<Leaf>, GapItem<Leaf>>::items_;

  // The coordinates of an item one after the other: in place where they are so already, otherwise in `copy`.
  static const double* gather(const std::vector<Segment>& segments, const double* q, std::array<double, n>& copy) {
    if (n == 1 || segments.size() == 1) return q + segments[0].first;
    int j = 0;
    for (const Segment& segment : segments)
      for (int i = 0; i < segment.length && j < n; ++i) copy[j++] = q[segment.first + i];
    return copy.data();
  }

  template <class S>
  static std::array<S, n> seeded(const ContactPlace& place, const double* q) {
    std::array<double, n> copy{};
    const double* plain = gather(place.arguments, q, copy);
    std::array<S, n> x{};
    for (int j = 0; j < n; ++j) {
      x[j] = S(plain[j]);
      x[j].d[j] = 1.0;
    }
    return x;
  }

  template <class S>
  static S along(double value, double rate) {
    S x{};
    x.value.value = value;
    x.value.d[0] = rate;
    x.d[0].value = rate;
    return x;
  }
};

template <class Leaf>
class TypedContactLeaf final : public ContactLeaf {
 public:
  explicit TypedContactLeaf(Leaf leaf) : leaf_(std::move(leaf)) {}
  int arity() const override { return Leaf::size; }
  bool has_slip() const override { return Leaf::slips > 0; }
  std::type_index type() const override { return typeid(Leaf); }
  std::unique_ptr<ContactSource> new_pool() const override { return std::make_unique<GapPool<Leaf>>(); }
  void append(ContactSource& pool, ContactPlace place) const override {
    static_cast<GapPool<Leaf>&>(pool).append({leaf_, std::move(place)});
  }

 private:
  Leaf leaf_;
};

template <class Leaf>
std::unique_ptr<ContactLeaf> contacts(Leaf leaf) {
  return std::make_unique<TypedContactLeaf<Leaf>>(std::move(leaf));
}

namespace detail {

template <int N, class Function>
constexpr void require_generic() {
  using S = ad::Dual<N + 1>;
  static_assert(std::is_invocable_v<Function, const S&, const S*>,
                "write gap and slip functions as [](const auto& t, const auto* q) { ... }: they are differentiated");
}

template <int N, class Distance>
struct DistanceLeaf {
  static constexpr int size = N, contacts = 1, slips = 0;
  Distance distance;
  template <class S>
  void gap(const S& t, const S* q, S* g) const {
    g[0] = distance(t, q);
  }
};

template <int N, class Distance>
struct AffineLeaf : DistanceLeaf<N, Distance> {
  double bend() const { return 0.0; }
};

template <int N, class Distance, class Slip>
struct FrictionLeaf {
  static constexpr int size = N, contacts = 1, slips = 1;
  Distance distance;
  Slip slip_function;
  template <class S>
  void gap(const S& t, const S* q, S* g) const {
    g[0] = distance(t, q);
  }
  template <class S>
  void slip(const S& t, const S* q, S* s) const {
    s[0] = slip_function(t, q);
  }
};

}  // namespace detail

template <int N, class Distance>
std::unique_ptr<ContactLeaf> gap(Distance distance) {
  detail::require_generic<N, Distance>();
  return contacts(detail::DistanceLeaf<N, Distance>{std::move(distance)});
}

// The same for a gap that is affine in (t, q), which nothing can pass in a step.
template <int N, class Distance>
std::unique_ptr<ContactLeaf> affine_gap(Distance distance) {
  detail::require_generic<N, Distance>();
  return contacts(detail::AffineLeaf<N, Distance>{{std::move(distance)}});
}

template <int N, class Distance, class Slip>
std::unique_ptr<ContactLeaf> gap(Distance distance, Slip slip) {
  detail::require_generic<N, Distance>();
  detail::require_generic<N, Slip>();
  return contacts(detail::FrictionLeaf<N, Distance, Slip>{std::move(distance), std::move(slip)});
}

}  // namespace esc
