#include "src/model/planar_contacts.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <escapement/ad/dual.hpp>
#include <escapement/models/contact_pool.hpp>

#include "src/geometry/planar_pairs.hpp"
#include "src/model/pair_sweep.hpp"

namespace esc {

namespace {

using planar::Pose;
using planar::Vec;

template <class S>
struct Body {
  Vec<S> origin;
  Pose<S> shape;
};

// q and v of a body are (x, y, phi); a body on ground has v0 = -1. S follows the motion q + eps v if it is a dual
// number.
template <class S, class Coordinate>
Body<S> place(const PlanarAnchor& anchor, Coordinate coordinate) {
  using std::cos;
  using std::sin;
  if (anchor.v0 < 0)
    return {{S(0.0), S(0.0)}, {{S(anchor.x), S(anchor.y)}, S(std::cos(anchor.phi)), S(std::sin(anchor.phi))}};
  const S x = coordinate(anchor, 0), y = coordinate(anchor, 1), phi = coordinate(anchor, 2);
  const S c = cos(phi), s = sin(phi);
  Pose<S> pose{{x + (c * anchor.x - s * anchor.y), y + (s * anchor.x + c * anchor.y)}, c, s};
  if (anchor.phi != 0.0) {
    const S angle = phi + anchor.phi;
    pose.c = cos(angle);
    pose.s = sin(angle);
  }
  return {{x, y}, pose};
}

// Rows n . (v_a - v_b) and t . (v_a - v_b) of one body: direction d at the point p gives (d, r x d), r = p - origin.
template <class S>
std::array<S, 3> columns(const Vec<S>& direction, const Vec<S>& point, const Vec<S>& origin) {
  return {direction.x, direction.y, planar::cross(point - origin, direction)};
}

// t = (n_y, -n_x): to the right on a floor.
template <class S>
Vec<S> tangent_of(const Vec<S>& n) {
  return {n.y, -n.x};
}

template <class Pair>
struct PlanarItem {
  Pair pair;
  PlanarAnchor a, b;
  ContactPlace place;
};

template <class Pair>
class PlanarPool final : public ContactPool<PlanarPool<Pair>, PlanarItem<Pair>> {
 public:
  using Item = PlanarItem<Pair>;

  template <class Wanted>
  void find(int i, double, const double* q, const Wanted& wanted, ContactSet& set) const {
    const auto coordinate = [q](const PlanarAnchor& anchor, int j) { return q[anchor.q0 + j]; };
    const Item& item = items_[i];
    const auto A = place<double>(item.a, coordinate);
    const auto B = place<double>(item.b, coordinate);
    for (int k = 0; k < Pair::features; ++k) {
      const auto feature = static_cast<std::uint32_t>(k);
      const double gap = item.pair.feature(k, A.shape, B.shape).gap;
      if (wanted(feature, gap)) emit(item.place, {i, feature, item.place.law.mu > 0.0 ? 2 : 1, gap}, set);
    }
  }

  SweepBound sweep_bound() const override {
    SweepBound bound{spatial::unbounded, 0.0};
    for (const Item& item : items_)
      bound = both(bound, esc::sweep_bound(extent_of(item.pair), in_space(item.a), in_space(item.b)));
    return bound;
  }
  void passage(const Sweep& sweep, std::span<const Contact> near, Passage& worst) const override {
    if (std::isinf(sweep_bound().reach))
      for (int i = 0; i < static_cast<int>(items_.size()); ++i) look(i, sweep, worst);
    else
      for (int last = -1; const Contact& contact : near)
        if (contact.item != last) look(last = contact.item, sweep, worst);
  }

  void evaluate(double, const double* q, std::span<Contact> mine, ContactSet& set) const override {
    const auto coordinate = [q](const PlanarAnchor& anchor, int i) { return q[anchor.q0 + i]; };
    for (Contact& contact : mine) {
      const Item& item = items_[contact.item];
      const auto A = place<double>(item.a, coordinate);
      const auto B = place<double>(item.b, coordinate);
      const auto f = item.pair.feature(static_cast<int>(contact.key.feature), A.shape, B.shape);
      const auto t = tangent_of(f.n);
      contact.gap = f.gap;
      contact.point = {0.5 * (f.a.x + f.b.x), 0.5 * (f.a.y + f.b.y), 0.0};
      contact.normal = {f.n.x, f.n.y, 0.0};
      contact.tangent = {t.x, t.y, 0.0};
      double* G = set.G.data() + contact.first_value;
      for (int row = 0; row < contact.row_count; ++row) {
        const auto& d = row == 0 ? f.n : t;
        if (item.a.v0 >= 0)
          for (const double g : columns(d, f.a, A.origin)) *G++ = g;
        if (item.b.v0 >= 0)
          for (const double g : columns(d, f.b, B.origin)) *G++ = -g;
        set.g_t[contact.first_row + row] = 0.0;
      }
    }
  }

  void curvature(double, const double* q, const double* v, std::span<const Contact> mine, double* out) const override {
    using S = ad::Dual<1>;
    const auto coordinate = [q, v](const PlanarAnchor& anchor, int i) {
      S x(q[anchor.q0 + i]);
      x.d[0] = v[anchor.v0 + i];
      return x;
    };
    for (const Contact& contact : mine) {
      const Item& item = items_[contact.item];
      const auto A = place<S>(item.a, coordinate);
      const auto B = place<S>(item.b, coordinate);
      const auto f = item.pair.feature(static_cast<int>(contact.key.feature), A.shape, B.shape);
      for (int row = 0; row < contact.row_count; ++row) {
        const Vec<S> d = row == 0 ? f.n : tangent_of(f.n);
        S U(0.0);
        const auto add = [&](const PlanarAnchor& anchor, const Vec<S>& point, const Vec<S>& origin, double sign) {
          if (anchor.v0 < 0) return;
          const auto G = columns(d, point, origin);
          for (int j = 0; j < 3; ++j) U = U + G[j] * (sign * v[anchor.v0 + j]);
        };
        add(item.a, f.a, A.origin, 1.0);
        add(item.b, f.b, B.origin, -1.0);
        out[contact.first_row + row] = U.d[0];
      }
    }
  }

 private:
  using ContactPool<PlanarPool<Pair>, PlanarItem<Pair>>::items_;

  static Anchor in_space(const PlanarAnchor& anchor) {
    const double c = std::cos(anchor.phi), s = std::sin(anchor.phi);
    return {anchor.v0 < 0 ? BodyKind::ground : BodyKind::planar,
            anchor.q0,
            anchor.v0,
            {anchor.x, anchor.y, 0.0},
            {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}}};
  }

  void look(int i, const Sweep& sweep, Passage& worst) const {
    const Item& item = items_[i];
    const auto flat = [](const esc::Pose<double>& at) { return Pose<double>{{at.p.x, at.p.y}, at.R.x.x, at.R.x.y}; };
    const auto nearest = [&](const esc::Pose<double>& A, const esc::Pose<double>& B, double reach) {
      Nearness least{reach, {}};
      for (int k = 0; k < Pair::features; ++k) {
        const auto f = item.pair.feature(k, flat(A), flat(B));
        if (!(f.gap >= least.gap)) least = {f.gap, {f.n.x, f.n.y, 0.0}};
      }
      return least;
    };
    const Anchor a = in_space(item.a), b = in_space(item.b);
    const PairExtent extent = extent_of(item.pair);
    const PairSweep pair(extent, a, b, sweep);
    worst.see({item.place.pair, 0}, pair.depth(nearest, sweep.tol, sweep.graze(item.place.pair)));
  }
};

class AnchoredLeaf : public ContactLeaf {
 public:
  PlanarAnchor a, b;
};

template <class Pair>
class PairLeaf final : public AnchoredLeaf {
 public:
  explicit PairLeaf(Pair pair) : pair_(pair) {}
  int arity() const override { return 3 * ((a.v0 >= 0) + (b.v0 >= 0)); }
  bool has_slip() const override { return true; }
  std::type_index type() const override { return typeid(Pair); }
  std::unique_ptr<ContactSource> new_pool() const override { return std::make_unique<PlanarPool<Pair>>(); }
  void append(ContactSource& pool, ContactPlace place) const override {
    static_cast<PlanarPool<Pair>&>(pool).append({pair_, a, b, std::move(place)});
  }

 private:
  Pair pair_;
};

template <class Pair>
std::unique_ptr<ContactLeaf> leaf(Pair pair) {
  return std::make_unique<PairLeaf<Pair>>(pair);
}

// Radius of a round shape, negative for the others; a vertex is a disc of radius 0.
double round_radius(const Geometry& geometry) {
  if (std::holds_alternative<Vertex>(geometry)) return 0.0;
  if (const auto* disc = std::get_if<Disc>(&geometry)) return disc->radius;
  return -1.0;
}

std::unique_ptr<ContactLeaf> ordered_pair(const Geometry& a, const Geometry& b) {
  const double ra = round_radius(a);
  const double rb = round_radius(b);
  if (ra >= 0.0 && std::holds_alternative<HalfPlane>(b)) return leaf(planar::DiscLine{ra});
  if (ra >= 0.0 && rb >= 0.0 && ra + rb > 0.0) return leaf(planar::DiscDisc{ra, rb});
  if (const auto* ring = std::get_if<Ring>(&b); ring && ra >= 0.0) return leaf(planar::DiscRing{ra, ring->radius});
  if (const auto* box = std::get_if<Rectangle>(&a); box && std::holds_alternative<HalfPlane>(b))
    return leaf(planar::RectangleLine{box->half_length, box->half_height});
  return nullptr;
}

}  // namespace

PlanarPairLeaf planar_pair(const Geometry& a, const Geometry& b) {
  if (auto direct = ordered_pair(a, b)) return {std::move(direct), false};
  return {ordered_pair(b, a), true};
}

void set_anchors(ContactLeaf& contact, const PlanarAnchor& a, const PlanarAnchor& b) {
  auto& anchored = static_cast<AnchoredLeaf&>(contact);
  anchored.a = a;
  anchored.b = b;
}

}  // namespace esc
