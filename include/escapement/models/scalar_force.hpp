// Forces along a scalar function s of two frames A and B (the length of a line, the angle of a joint):
// Q = -T grad s with a tension T(t, s, ds/dt, u).
//
// A Coordinate gives s and its gradient over the velocities of A's body, then B's:
//   template <class S> S value(const Pose<S>& A, const Pose<S>& B) const;
//   template <class S> void gradient(const Anchor& a, const Placed<S>& A, const Anchor& b, const Placed<S>& B,
//                                    S* out) const;
// and, if s is known up to whole periods only, which of these it is:
//   double continued(double s, const Anchor& a, const Anchor& b, const double* q) const;
// A Law gives T, and where a part of T has a potential, that potential and the power of the rest:
//   template <class S> S operator()(const S& t, const S& s, const S& rate, const double* u) const;
//   double potential(double s) const;
//   double damping_power(double rate) const;
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <typeindex>
#include <utility>
#include <vector>

#include <escapement/ad/dual.hpp>
#include <escapement/model.hpp>
#include <escapement/models/anchor.hpp>
#include <escapement/models/forces.hpp>

namespace esc {

template <class Law>
concept HasPotential = requires(const Law& law) {
  law.potential(1.0);
  law.damping_power(1.0);
};

template <class Coordinate, class Law>
class ScalarForces final : public ForceSource {
 public:
  struct Item {
    Coordinate coordinate;
    Law law;
    ForceOptions options;
    ForcePlace place;
  };
  void append(Item item) { items_.push_back(std::move(item)); }

  void add_force(const Point& at, double* F) const override {
    for (const Item& item : items_) {
      const Along now = along(item, at);
      const double tension = item.law(at.t, now.s, now.rate, at.u);
      for (int i = 0; i < now.n; ++i) F[item.place.velocities[i]] -= tension * now.gradient[i];
    }
  }

  // With H = d(grad s)/dq along retract: -dQ/dq = grad s (T_s grad s + T_rate H^T v)^T + T H, and
  // -dQ/dv = T_rate grad s grad s^T. The semidefinite form is potra (10.13), (10.14).
  void add_tangent(const Point& at, double sq, double sv, double* A) const override {
    using S = ad::Dual<2>;
    for (const Item& item : items_) {
      if (item.options.tangents == Tangents::none) continue;
      const Along now = along(item, at);
      const S T = item.law(S(at.t), ad::seed<2>(now.s, 0), ad::seed<2>(now.rate, 1), at.u);
      const bool exact = at.form == TangentForm::exact;
      const double Ts = exact ? T.d[0] : std::max(T.d[0], 0.0);
      const double Tr = exact ? T.d[1] : std::max(T.d[1], 0.0);
      for (int j = 0; j < now.n; ++j) {
        double slope = (sq * Ts + sv * Tr) * now.gradient[j];
        std::array<double, 12> H{};
        if (exact) {
          H = turned_gradient(item, at, j);
          for (int i = 0; i < now.n; ++i) slope += sq * Tr * H[i] * at.v[item.place.velocities[i]];
        }
        for (int i = 0; i < now.n; ++i)
          if (const int value = item.place.values[i * now.n + j]; value >= 0)
            A[value] += slope * now.gradient[i] + sq * T.value * H[i];
      }
    }
  }

  Energy energy(const Point& at) const override {
    Energy sum;
    if constexpr (HasPotential<Law>)
      for (const Item& item : items_) sum.potential += item.law.potential(along(item, at).s);
    return sum;
  }

  Power power(const Point& at) const override {
    Power sum;
    for (const Item& item : items_) {
      const Along now = along(item, at);
      if constexpr (HasPotential<Law>)
        sum.damping += item.law.damping_power(now.rate);
      else
        (item.options.kind == ForceKind::damping ? sum.damping : sum.applied) -=
            item.law(at.t, now.s, now.rate, at.u) * now.rate;
    }
    return sum;
  }

 private:
  struct Along {
    double s = 0.0, rate = 0.0;
    int n = 0;
    std::array<double, 12> gradient{};
  };

  static Along along(const Item& item, const Point& at) {
    const Anchor &a = item.place.anchors[0], &b = item.place.anchors[1];
    const auto A = place(a, at.q), B = place(b, at.q);
    Along now{.s = item.coordinate.value(A.frame, B.frame), .n = a.dofs() + b.dofs()};
    if constexpr (requires { item.coordinate.continued(now.s, a, b, at.q); })
      now.s = item.coordinate.continued(now.s, a, b, at.q);
    item.coordinate.gradient(a, A, b, B, now.gradient.data());
    for (int i = 0; i < now.n; ++i) now.rate += now.gradient[i] * at.v[item.place.velocities[i]];
    return now;
  }

  // How the gradient changes in the direction of velocity j.
  static std::array<double, 12> turned_gradient(const Item& item, const Point& at, int j) {
    Anchor a = item.place.anchors[0], b = item.place.anchors[1];
    a.v0 = 0;
    b.v0 = a.dofs();
    std::array<double, 12> direction{}, H{};
    std::array<ad::Dual<1>, 12> gradient{};
    direction[j] = 1.0;
    const auto A = place_along(a, at.q, direction.data()), B = place_along(b, at.q, direction.data());
    item.coordinate.gradient(a, A, b, B, gradient.data());
    for (int i = 0; i < 12; ++i) H[i] = gradient[i].d[0];
    return H;
  }

  std::vector<Item> items_;
};

template <class Coordinate, class Law>
class ScalarForce final : public ForceLeaf {
 public:
  ScalarForce(Coordinate coordinate, Law law, ForceOptions options)
      : coordinate_(std::move(coordinate)), law_(std::move(law)), options_(options) {}
  int frames() const override { return 2; }
  bool implicit() const override { return options_.tangents == Tangents::implicit; }
  bool linear() const override { return !implicit(); }  // an explicit force leaves the iteration matrix alone
  std::type_index type() const override { return typeid(ScalarForce); }
  std::unique_ptr<ForceSource> new_pool() const override { return std::make_unique<ScalarForces<Coordinate, Law>>(); }
  void append(ForceSource& pool, ForcePlace place) const override {
    static_cast<ScalarForces<Coordinate, Law>&>(pool).append({coordinate_, law_, options_, std::move(place)});
  }

 private:
  Coordinate coordinate_;
  Law law_;
  ForceOptions options_;
};

}  // namespace esc
