#include "src/model/coordinate_joints.hpp"

#include <array>
#include <utility>

#include "src/model/joint_coordinates.hpp"

namespace esc {

namespace {

// A drive now: where it wants the coordinate, and the first and second derivative of that in time.
struct Driven {
  double value = 0.0, rate = 0.0, acceleration = 0.0;
};

Driven driven(const Drive& drive, const Point& at) {
  if (drive.function.position) {
    const auto [value, rate, acceleration] = drive.function.position(at.t);
    return {value, rate, acceleration};
  }
  if (drive.velocity.velocity) {
    const auto [rate, acceleration] = drive.velocity.velocity(at.t, at.u);
    return {0.0, rate, acceleration};
  }
  return {drive.position < 0 ? 0.0 : at.u[drive.position], drive.rate < 0 ? 0.0 : at.u[drive.rate], 0.0};
}

class CoordinateJoints final : public JointSource {
 public:
  struct Item {
    CoordinateSum sum;
    JointPlace place;
  };
  void append(Item item) { items_.push_back(std::move(item)); }

  void evaluate(const Point& at, JointSet& set) const override {
    for (const Item& item : items_) {
      const Driven drive = driven(item.sum.drive, at);
      double g = -item.sum.offset - drive.value;
      double* G = set.G.data() + item.place.first_value;
      const Anchor* anchor = item.place.anchors.data();
      for (const auto& [row, factor] : item.sum.terms) {
        const Anchor &a = *anchor++, &b = *anchor++;
        const auto A = place(a, at.q), B = place(b, at.q);
        g += factor * row_value(row, A.frame, B.frame);
        G = write_row(scaled(factor, row_wrench(row, A.frame, B.frame)), a, A, b, B, G);
      }
      set.g[item.place.first_row] = item.sum.drive.velocity_only() ? 0.0 : nearest(g, item.sum.period);
      set.g_t[item.place.first_row] = -drive.rate;
    }
  }

  void curvature(const Point& at, double* out) const override {
    for (const Item& item : items_) {
      double sum = -driven(item.sum.drive, at).acceleration;
      const Anchor* anchor = item.place.anchors.data();
      for (const auto& [row, factor] : item.sum.terms) {
        const Anchor &a = *anchor++, &b = *anchor++;
        const auto A = place_along(a, at.q, at.v), B = place_along(b, at.q, at.v);
        sum += factor * row_rate(row_wrench(row, A.frame, B.frame), a, A, b, B, at.v).d[0];
      }
      out[item.place.first_row] = sum;
    }
  }

  void add_stiffness(const Point& at, const double* lambda, const double* w, double* out) const override {
    for (const Item& item : items_) {
      const Anchor* anchor = item.place.anchors.data();
      for (const auto& [row, factor] : item.sum.terms) {
        const Anchor &a = *anchor++, &b = *anchor++;
        const auto A = place_along(a, at.q, w), B = place_along(b, at.q, w);
        std::array<ad::Dual<1>, 12> G{};
        write_row(row_wrench(row, A.frame, B.frame), a, A, b, B, G.data());
        const double force = factor * lambda[item.place.first_row];
        for (int j = 0; j < a.dofs(); ++j) out[a.v0 + j] += force * G[j].d[0];
        for (int j = 0; j < b.dofs(); ++j) out[b.v0 + j] += force * G[a.dofs() + j].d[0];
      }
    }
  }

 private:
  std::vector<Item> items_;
};

class CoordinateJoint final : public JointLeaf {
 public:
  explicit CoordinateJoint(CoordinateSum sum) : sum_(std::move(sum)) {}
  int rows() const override { return 1; }
  int frames() const override { return 2 * static_cast<int>(sum_.terms.size()); }
  bool position() const override { return !sum_.drive.velocity_only(); }
  std::type_index type() const override { return typeid(CoordinateJoints); }
  std::unique_ptr<JointSource> new_pool() const override { return std::make_unique<CoordinateJoints>(); }
  void append(JointSource& pool, JointPlace place) const override {
    static_cast<CoordinateJoints&>(pool).append({sum_, std::move(place)});
  }

 private:
  CoordinateSum sum_;
};

}  // namespace

std::unique_ptr<JointLeaf> coordinate_joint(CoordinateSum sum) {
  return std::make_unique<CoordinateJoint>(std::move(sum));
}

}  // namespace esc
