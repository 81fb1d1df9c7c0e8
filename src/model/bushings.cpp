// Bushings: x(q) = (displacement, rotation vector) of frame B relative to A in the axes of A, J = dx/dq along retract,
// Q = -J^T (K x + D J v).
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "src/model/frame_forces.hpp"

namespace esc {

namespace {

constexpr int strains = 6;
constexpr int bushing_columns = 12;

// The rotation vector of R, shorter than pi: sin(a) u is the antisymmetric part of R, 1 + 2 cos(a) its trace.
template <class S>
Vec3<S> rotation_vector(const Rotation<S>& R) {
  using std::atan2;
  using std::sqrt;
  const Vec3<S> v{0.5 * (R.y.z - R.z.y), 0.5 * (R.z.x - R.x.z), 0.5 * (R.x.y - R.y.x)};
  const S c = 0.5 * (R.x.x + R.y.y + R.z.z - 1.0);
  const S s2 = dot(v, v);
  if (plain(s2) < 1e-6 && plain(c) > 0.0)  // a / sin(a), the next term below 1e-25
    return (1.0 + s2 * (1.0 / 6.0 + s2 * (3.0 / 40.0 + s2 * (15.0 / 336.0)))) * v;
  const S s = sqrt(s2);
  return (atan2(s, c) / s) * v;
}

// The rate of the rotation vector r is T^-1 w with T^-1 = 1 - r~/2 + c r~^2, w the relative angular velocity in A and
// c = (1 - (a/2) cot(a/2)) / a^2. Returns T^-T y.
template <class S>
Vec3<S> inverse_transposed(const Vec3<S>& r, const Vec3<S>& y) {
  using std::sqrt;
  using std::tan;
  const S a2 = dot(r, r);
  S c(0.0);
  if (plain(a2) < 1e-2) {  // the next term is below 1e-19
    c = 1.0 / 12.0 + a2 * (1.0 / 720.0 + a2 * (1.0 / 30240.0 + a2 * (1.0 / 1209600.0 + a2 / 47900160.0)));
  } else {
    const S half = 0.5 * sqrt(a2);
    c = (1.0 - half / tan(half)) / a2;
  }
  const Vec3<S> turned = cross(r, y);
  return y + 0.5 * turned + c * cross(r, turned);
}

template <class S>
struct Strain {
  std::array<S, strains> x;
  std::array<std::array<S, bushing_columns>, strains> J{};
};

template <class S>
Strain<S> strain(const Anchor& a, const Placed<S>& A, const Anchor& b, const Placed<S>& B) {
  const Rotation<S>& R = A.frame.R;
  const Vec3<S> zero{S(0.0), S(0.0), S(0.0)};
  const Vec3<S> d = to_frame(R, B.frame.p - A.frame.p);
  const Vec3<S> r =
      rotation_vector(Rotation<S>{to_frame(R, B.frame.R.x), to_frame(R, B.frame.R.y), to_frame(R, B.frame.R.z)});
  Strain<S> result{{d.x, d.y, d.z, r.x, r.y, r.z}};
  const Rotation<S> unit;
  for (std::uint8_t i = 0; i < 3; ++i) {
    write_row(row_wrench({RowKind::slide, i, 0, 0.0}, A.frame, B.frame), a, A, b, B, result.J[i].data());
    const Vec3<S> m = R * inverse_transposed(r, axis(unit, i));
    write_row(Wrench<S>{zero, -m, m}, a, A, b, B, result.J[3 + i].data());
  }
  return result;
}

class Bushings final : public ForceSource {
 public:
  struct Item {
    Bushing bushing;
    ForcePlace place;
    int size() const { return static_cast<int>(place.velocities.size()); }
  };
  void append(Item item) { items_.push_back(std::move(item)); }

  void add_force(const Point& at, double* F) const override {
    for (const Item& item : items_) {
      const auto [x, J] = strain_at(item, at);
      const auto f = stress(item, at, x, J);
      for (int i = 0; i < item.size(); ++i)
        for (int row = 0; row < strains; ++row) F[item.place.velocities[i]] -= J[row][i] * f[row];
    }
  }

  void add_tangent(const Point& at, double sq, double sv, double* A) const override {
    for (const Item& item : items_) {
      if (item.bushing.tangents == Tangents::none) continue;
      const auto now = strain_at(item, at);
      const bool exact = at.form == TangentForm::exact;
      for (int j = 0; j < item.size(); ++j) {
        std::array<double, bushing_columns> slope{};
        if (exact) slope = along(item, at, j);
        for (int row = 0; row < strains; ++row) {
          double f = 0.0;  // row of (sq K + sv D) J e_j; the exact tangent has K J in `slope`
          for (int k = 0; k < strains; ++k)
            f += ((exact ? 0.0 : sq * item.bushing.stiffness[strains * row + k]) +
                  sv * item.bushing.damping[strains * row + k]) *
                 now.J[k][j];
          for (int i = 0; i < item.size(); ++i)
            if (const int value = item.place.values[i * item.size() + j]; value >= 0) A[value] += now.J[row][i] * f;
        }
        for (int i = 0; i < item.size(); ++i)
          if (const int value = item.place.values[i * item.size() + j]; value >= 0) A[value] += sq * slope[i];
      }
    }
  }

  Energy energy(const Point& at) const override {
    Energy sum;
    for (const Item& item : items_) {
      const auto x = strain_at(item, at).x;
      for (int i = 0; i < strains; ++i)
        for (int k = 0; k < strains; ++k) sum.potential += 0.5 * x[i] * item.bushing.stiffness[strains * i + k] * x[k];
    }
    return sum;
  }

  Power power(const Point& at) const override {
    Power sum;
    for (const Item& item : items_) {
      const auto rate = rates(item, at, strain_at(item, at).J);
      for (int i = 0; i < strains; ++i)
        for (int k = 0; k < strains; ++k) sum.damping -= rate[i] * item.bushing.damping[strains * i + k] * rate[k];
    }
    return sum;
  }

 private:
  static Strain<double> strain_at(const Item& item, const Point& at) {
    const Anchor &a = item.place.anchors[0], &b = item.place.anchors[1];
    return strain(a, place(a, at.q), b, place(b, at.q));
  }

  // J v.
  template <class S>
  static std::array<S, strains> rates(const Item& item, const Point& at,
                                      const std::array<std::array<S, bushing_columns>, strains>& J) {
    std::array<S, strains> rate{};
    for (int row = 0; row < strains; ++row)
      for (int i = 0; i < item.size(); ++i) rate[row] += J[row][i] * at.v[item.place.velocities[i]];
    return rate;
  }

  // K x + D J v.
  template <class S>
  static std::array<S, strains> stress(const Item& item, const Point& at, const std::array<S, strains>& x,
                                       const std::array<std::array<S, bushing_columns>, strains>& J) {
    const auto rate = rates(item, at, J);
    std::array<S, strains> f{};
    for (int i = 0; i < strains; ++i)
      for (int k = 0; k < strains; ++k)
        f[i] += item.bushing.stiffness[strains * i + k] * x[k] + item.bushing.damping[strains * i + k] * rate[k];
    return f;
  }

  // -dQ/dq along velocity j.
  static std::array<double, bushing_columns> along(const Item& item, const Point& at, int j) {
    Anchor a = item.place.anchors[0], b = item.place.anchors[1];
    a.v0 = 0;
    b.v0 = a.dofs();
    std::array<double, bushing_columns> direction{}, slope{};
    direction[j] = 1.0;
    const auto [x, J] = strain(a, place_along(a, at.q, direction.data()), b, place_along(b, at.q, direction.data()));
    const auto f = stress(item, at, x, J);
    for (int i = 0; i < item.size(); ++i)
      for (int row = 0; row < strains; ++row) slope[i] += (J[row][i] * f[row]).d[0];
    return slope;
  }

  std::vector<Item> items_;
};

class BushingLeaf final : public ForceLeaf {
 public:
  explicit BushingLeaf(const Bushing& bushing) : bushing_(bushing) {}
  int frames() const override { return 2; }
  bool implicit() const override { return bushing_.tangents == Tangents::implicit; }
  bool linear() const override { return !implicit(); }
  std::type_index type() const override { return typeid(Bushings); }
  std::unique_ptr<ForceSource> new_pool() const override { return std::make_unique<Bushings>(); }
  void append(ForceSource& pool, ForcePlace place) const override {
    static_cast<Bushings&>(pool).append({bushing_, std::move(place)});
  }

 private:
  Bushing bushing_;
};

}  // namespace

std::unique_ptr<ForceLeaf> bushing_leaf(const Bushing& bushing) { return std::make_unique<BushingLeaf>(bushing); }

}  // namespace esc
