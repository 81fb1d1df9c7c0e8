#include "src/model/spatial_contacts.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <escapement/ad/dual.hpp>
#include <escapement/models/anchor.hpp>
#include <escapement/models/contact_pool.hpp>

#include "src/geometry/spatial_frame.hpp"
#include "src/geometry/spatial_pairs.hpp"
#include "src/model/pair_sweep.hpp"

namespace esc {

namespace {

// The most by which the distance of the frames' origins can exceed the gap; infinite if one of the shapes is.
template <class Pair>
double bound_of(const Pair&) {
  return std::numeric_limits<double>::infinity();
}
double bound_of(const spatial::SphereSphere& p) { return p.radius_a + p.radius_b; }
double bound_of(const spatial::SphereCapsule& p) { return p.radius_a + p.radius_b + p.half_length; }
double bound_of(const spatial::CapsuleCapsule& p) { return p.radius_a + p.half_a + p.radius_b + p.half_b; }
double bound_of(const spatial::SphereBox& p) { return p.radius + std::hypot(p.half[0], p.half[1], p.half[2]); }
double bound_of(const spatial::SphereCylinder& p) { return p.radius_a + std::hypot(p.radius, p.half_length); }

// What detect() reads of a pair that is out of reach: two points, and how far they may be apart at gap 0. The points
// are the bodies' centres of mass, so that no rotation is needed; the offsets of the frames add to the bound.
class Neighbourhood {
 public:
  Neighbourhood(const Anchor& a, const Anchor& b, double bound) : a_(a), b_(b), bound_(bound + a_.offset + b_.offset) {}
  bool out_of_reach(const double* q, double reach) const {
    const Vec3<double> d = a_.at(q) - b_.at(q);
    const double limit = (bound_ + reach) * (1.0 + 1e-12);  // rounding must not lose a gap equal to reach
    return limit < 0.0 || dot(d, d) > limit * limit;
  }

 private:
  struct Centre {
    int q0;               // -1 on ground
    Vec3<double> ground;  // the origin of a frame that does not move
    double offset;
    explicit Centre(const Anchor& anchor)
        : q0(anchor.kind == BodyKind::ground ? -1 : anchor.q0),
          ground(anchor.r),
          offset(q0 < 0 ? 0.0 : norm(anchor.r)) {}
    Vec3<double> at(const double* q) const { return q0 < 0 ? ground : Vec3<double>{q[q0], q[q0 + 1], q[q0 + 2]}; }
  };
  Centre a_, b_;
  double bound_;
};

template <class Pair>
struct SpatialItem {
  Pair pair;
  Anchor a, b;
  ContactPlace place;
};

template <class Pair>
class SpatialPool final : public ContactPool<SpatialPool<Pair>, SpatialItem<Pair>> {
 public:
  using Item = SpatialItem<Pair>;

  void append(Pair pair, ContactPlace place) {
    if constexpr (requires { pair.field.heights; }) pair.field.heights = owned(pair.field.heights);
    const Anchor a = place.anchors.at(0), b = place.anchors.at(1);
    neighbourhoods_.emplace_back(a, b, bound_of(pair));
    extents_.push_back(extent_of(pair));
    bound_ = items_.empty() ? esc::sweep_bound(extents_.back(), a, b)
                            : both(bound_, esc::sweep_bound(extents_.back(), a, b));
    items_.push_back({pair, a, b, std::move(place)});
  }

  void find(int i, double, const double* q, const WithinReach& wanted, ContactSet& set) const {
    if (!neighbourhoods_[i].out_of_reach(q, wanted.reach)) find_features(i, q, wanted, set);
  }
  void find(int i, double, const double* q, const WithKey& wanted, ContactSet& set) const {
    find_features(i, q, wanted, set);
  }

  SweepBound sweep_bound() const override { return bound_; }
  void passage(const Sweep& sweep, std::span<const Contact> near, Passage& worst) const override {
    if (std::isinf(bound_.reach))
      for (int i = 0; i < static_cast<int>(items_.size()); ++i) look(i, sweep, worst);
    else
      for (int last = -1; const Contact& contact : near)
        if (contact.item != last) look(last = contact.item, sweep, worst);
  }

  std::optional<ContactSource::BadStart> bad_start(const double* q) const override {
    if constexpr (requires(const Pair& pair, const Pose<double>& at) { pair.bad_start(at, at); }) {
      for (const Item& item : items_)
        if (const auto why = item.pair.bad_start(place(item.a, q).frame, place(item.b, q).frame); !why.empty())
          return ContactSource::BadStart{item.place.pair, why};
    }
    return std::nullopt;
  }

  void evaluate(double, const double* q, std::span<Contact> mine, ContactSet& set) const override {
    Placed<double> A, B;
    for (int last = -1; Contact & contact : mine) {
      const Item& item = items_[contact.item];
      if (contact.item != last) {
        A = place(item.a, q);
        B = place(item.b, q);
        last = contact.item;
      }
      const auto f = item.pair.feature(static_cast<int>(contact.key.feature), A.frame, B.frame);
      const auto axes = axes_of(f.n);
      contact.gap = f.gap;
      contact.point = {0.5 * (f.a.x + f.b.x), 0.5 * (f.a.y + f.b.y), 0.5 * (f.a.z + f.b.z)};
      contact.normal = {f.n.x, f.n.y, f.n.z};
      contact.tangent = {axes[1].x, axes[1].y, axes[1].z};
      double* G = set.G.data() + contact.first_value;
      for (int row = 0; row < contact.row_count; ++row) {
        G = write_columns(item.a, A.body, f.a, axes[row], {}, G);
        G = write_columns(item.b, B.body, f.b, -axes[row], {}, G);
        set.g_t[contact.first_row + row] = 0.0;
      }
    }
  }

  void curvature(double, const double* q, const double* v, std::span<const Contact> mine, double* out) const override {
    Placed<ad::Dual<1>> A, B;
    for (int last = -1; const Contact& contact : mine) {
      const Item& item = items_[contact.item];
      if (contact.item != last) {
        A = place_along(item.a, q, v);
        B = place_along(item.b, q, v);
        last = contact.item;
      }
      const auto f = item.pair.feature(static_cast<int>(contact.key.feature), A.frame, B.frame);
      const auto axes = axes_of(f.n);
      for (int row = 0; row < contact.row_count; ++row) {
        const auto U = rate_of(item.a, A.body, f.a, axes[row], {}, v) + rate_of(item.b, B.body, f.b, -axes[row], {}, v);
        out[contact.first_row + row] = U.d[0];
      }
    }
  }

 private:
  using ContactPool<SpatialPool<Pair>, SpatialItem<Pair>>::items_;

  // The directions of the rows N, T1, T2.
  template <class S>
  static std::array<Vec3<S>, 3> axes_of(const Vec3<S>& n) {
    const Vec3<S> t = spatial::tangent_of(n);
    return {n, t, cross(n, t)};
  }

  void look(int i, const Sweep& sweep, Passage& worst) const {
    const Item& item = items_[i];
    const auto nearest = [&](const Pose<double>& A, const Pose<double>& B, double reach) {
      Nearness least{reach, {}};
      bool any = false;
      near(item.pair, A, B, reach, [&](int k) {
        const auto f = item.pair.feature(k, A, B);
        if (!(f.gap >= least.gap)) least = {f.gap, f.n};
        any = true;
      });
      if constexpr (requires { item.pair.apart(A, B); })
        if (!any) least.gap = item.pair.apart(A, B);
      return least;
    };
    const PairSweep pair(extents_[i], item.a, item.b, sweep);
    worst.see({item.place.pair, 0}, pair.depth(nearest, sweep.tol, sweep.graze(item.place.pair)));
  }

  template <class Wanted>
  void find_features(int i, const double* q, const Wanted& wanted, ContactSet& set) const {
    const Item& item = items_[i];
    const Pose<double> A = place(item.a, q).frame, B = place(item.b, q).frame;
    holding(item.pair, A, B, wanted, [&](int k) {
      const auto feature = static_cast<std::uint32_t>(k);
      const double gap = item.pair.feature(k, A, B).gap;
      if (wanted(feature, gap)) emit(item.place, {i, feature, item.place.law.mu > 0.0 ? 3 : 1, gap}, set);
    });
  }

  // The features that hold and may be wanted; a pair of very many features is asked for each key instead.
  template <class Visit>
  static void holding(const Pair& pair, const Pose<double>& A, const Pose<double>& B, const WithinReach& wanted,
                      Visit visit) {
    near(pair, A, B, wanted.reach, visit);
  }
  template <class Visit>
  static void holding(const Pair& pair, const Pose<double>& A, const Pose<double>& B, const WithKey& wanted,
                      Visit visit) {
    if constexpr (requires { pair.holds(std::uint32_t{}, A, B); }) {
      for (const ContactKey& key : wanted.keys)
        if (pair.holds(key.feature, A, B)) visit(static_cast<int>(key.feature));
    } else {
      near(pair, A, B, any_gap, visit);
    }
  }

  // A copy of the model's heights, one for all pairs of a height field.
  std::span<const double> owned(std::span<const double> heights) {
    return heights_.try_emplace(heights.data(), heights.begin(), heights.end()).first->second;
  }

  std::vector<Neighbourhood> neighbourhoods_;  // by item
  std::vector<PairExtent> extents_;            // by item
  SweepBound bound_;
  std::map<const double*, std::vector<double>> heights_;  // by where they stood in the model
};

template <class Pair>
class SpatialLeaf final : public ContactLeaf {
 public:
  explicit SpatialLeaf(const Pair& pair) : pair_(pair) {}
  int frames() const override { return 2; }
  bool has_slip() const override { return true; }
  std::type_index type() const override { return typeid(Pair); }
  std::unique_ptr<ContactSource> new_pool() const override { return std::make_unique<SpatialPool<Pair>>(); }
  void append(ContactSource& pool, ContactPlace place) const override {
    static_cast<SpatialPool<Pair>&>(pool).append(pair_, std::move(place));
  }

 private:
  Pair pair_;
};

using Leaf = std::unique_ptr<ContactLeaf>;

template <class Pair>
Leaf leaf(const Pair& pair) {
  return std::make_unique<SpatialLeaf<Pair>>(pair);
}

std::array<double, 3> half_of(const Box& box) { return {box.half_x, box.half_y, box.half_z}; }

spatial::PinInHole pin_in_hole(const Pin& pin, const Hole& hole) {
  const double play = 2.0 * (pin.shoulder - hole.half_length);  // NaN if both are infinite: no stops
  return {pin.radius, pin.half_length, hole.radius, hole.half_length,
          std::isfinite(play) ? play : std::numeric_limits<double>::infinity()};
}

// The pairs, A before B; whatever is not listed cannot touch. A vertex comes here as a sphere of radius 0.
template <class A, class B>
Leaf pair_of(const A&, const B&) {
  return nullptr;
}
Leaf pair_of(const Sphere& a, const HalfSpace&) { return leaf(spatial::SpherePlane{a.radius}); }
Leaf pair_of(const Sphere& a, const Sphere& b) {
  return a.radius + b.radius > 0.0 ? leaf(spatial::SphereSphere{a.radius, b.radius}) : nullptr;
}
Leaf pair_of(const Sphere& a, const Capsule& b) {
  return leaf(spatial::SphereCapsule{a.radius, b.radius, b.half_length});
}
Leaf pair_of(const Sphere& a, const Box& b) { return leaf(spatial::SphereBox{a.radius, half_of(b)}); }
Leaf pair_of(const Sphere& a, const Cylinder& b) {
  return leaf(spatial::SphereCylinder{a.radius, b.radius, b.half_length});
}
Leaf pair_of(const Sphere& a, const Hole& b) {
  return std::isinf(b.half_length) ? leaf(spatial::SphereHole{a.radius, b.radius}) : nullptr;
}
Leaf pair_of(const Sphere& a, const HeightField& b) {
  return leaf(spatial::SphereHeightField{a.radius, {b.nx, b.ny, b.dx, b.dy, b.heights}});
}
Leaf pair_of(const Capsule& a, const HalfSpace&) { return leaf(spatial::CapsulePlane{a.radius, a.half_length}); }
Leaf pair_of(const Capsule& a, const Capsule& b) {
  return leaf(spatial::CapsuleCapsule{a.radius, a.half_length, b.radius, b.half_length});
}
Leaf pair_of(const Box& a, const HalfSpace&) { return leaf(spatial::BoxPlane{half_of(a)}); }
Leaf pair_of(const Box& a, const Channel& b) { return leaf(spatial::BoxSlot{half_of(a), b.half_width}); }
Leaf pair_of(const Cylinder& a, const HalfSpace&) { return leaf(spatial::CylinderPlane{a.radius, a.half_length}); }
Leaf pair_of(const Cylinder& a, const Hole& b) { return leaf(pin_in_hole({a.radius, a.half_length}, b)); }
Leaf pair_of(const Pin& a, const Hole& b) { return leaf(pin_in_hole(a, b)); }
Leaf pair_of(const Rim& a, const Hole& b) {
  return std::isinf(b.half_length) ? leaf(spatial::DiscHole{a.radius, b.radius}) : nullptr;
}

Leaf ordered_pair(const Geometry& a, const Geometry& b) {
  return std::visit([](const auto& x, const auto& y) { return pair_of(x, y); }, a, b);
}

}  // namespace

PlanarPairLeaf spatial_pair(const Geometry& a, const Geometry& b) {
  const Geometry point = Sphere{0.0};
  const Geometry& first = std::holds_alternative<Vertex>(a) ? point : a;
  const Geometry& second = std::holds_alternative<Vertex>(b) ? point : b;
  if (auto direct = ordered_pair(first, second)) return {std::move(direct), false};
  return {ordered_pair(second, first), true};
}

}  // namespace esc
