#include "src/model/standard_joints.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "src/math/text.hpp"

namespace esc {

namespace {

constexpr std::uint8_t x = 0, y = 1, z = 2;

// Names in the order of JointType.
constexpr std::array<const char*, 9> type_names{"spherical joint",   "revolute joint",  "prismatic joint",
                                                "cylindrical joint", "universal joint", "planar joint",
                                                "fixed joint",       "distance joint",  "screw joint"};

constexpr JointRow slide(std::uint8_t i) { return {RowKind::slide, i, 0, 0.0}; }
constexpr JointRow perpendicular(std::uint8_t i, std::uint8_t j) { return {RowKind::axes, i, j, 0.0}; }

struct RowsOf {
  const std::string& name;
  bool planar;
  std::vector<JointRow> operator()(const Spherical&) const {
    if (planar) return {slide(x), slide(y)};
    return {slide(x), slide(y), slide(z)};
  }
  std::vector<JointRow> operator()(const Revolute&) const {
    if (planar) return {slide(x), slide(y)};
    return {slide(x), slide(y), slide(z), perpendicular(x, z), perpendicular(y, z)};
  }
  std::vector<JointRow> operator()(const Prismatic&) const {
    if (planar) return {slide(y), perpendicular(y, x)};
    return {slide(y), slide(z), perpendicular(y, x), perpendicular(z, y), perpendicular(x, z)};
  }
  std::vector<JointRow> operator()(const Cylindrical&) const {
    return {slide(x), slide(y), perpendicular(x, z), perpendicular(y, z)};
  }
  std::vector<JointRow> operator()(const Universal&) const {
    return {slide(x), slide(y), slide(z), perpendicular(x, y)};
  }
  std::vector<JointRow> operator()(const PlanarJoint&) const {
    return {slide(z), perpendicular(x, z), perpendicular(y, z)};
  }
  std::vector<JointRow> operator()(const Fixed&) const {
    if (planar) return {slide(x), slide(y), perpendicular(y, x)};
    return {slide(x), slide(y), slide(z), perpendicular(y, x), perpendicular(z, y), perpendicular(x, z)};
  }
  std::vector<JointRow> operator()(const Distance& distance) const {
    if (!(distance.length > 0.0) || !std::isfinite(distance.length))
      throw ModelError(name, "the length is " + to_text(distance.length) +
                                 " m; it must be positive and finite (a spherical joint holds two points together)");
    return {{RowKind::distance, 0, 0, distance.length}};
  }
  std::vector<JointRow> operator()(const Screw& screw) const {
    if (screw.lead == 0.0 || !std::isfinite(screw.lead))
      throw ModelError(name, "the lead is " + to_text(screw.lead) +
                                 " m; it must be finite and not zero (a revolute joint does not slide)");
    auto rows = (*this)(Cylindrical{});
    rows.push_back({RowKind::screw, z, x, screw.lead});
    return rows;
  }
};

class StandardJoints final : public JointSource {
 public:
  struct Item {
    std::vector<JointRow> rows;
    JointPlace place;
    bool meet = false;     // a spherical joint in space: the three slides, by evaluate_meeting
    bool aligned = false;  // the axes of A are those of its body
  };
  void append(std::vector<JointRow> rows, JointPlace place) {
    const auto in_space = [](const Anchor& anchor) { return anchor.kind != BodyKind::planar; };
    bool meet = rows.size() == 3 && in_space(place.anchors[0]) && in_space(place.anchors[1]);
    for (std::size_t i = 0; i < rows.size(); ++i) meet = meet && rows[i].kind == RowKind::slide && rows[i].i == i;
    const Rotation<double>& R = place.anchors[0].R;
    const bool aligned = R.x.x == 1.0 && R.y.y == 1.0 && R.z.z == 1.0;
    items_.push_back({std::move(rows), std::move(place), meet, aligned});
  }

  void evaluate(const Point& at, JointSet& set) const override {
    for (const Item& item : items_) {
      const Anchor &a = item.place.anchors[0], &b = item.place.anchors[1];
      double* G = set.G.data() + item.place.first_value;
      double* g = set.g.data() + item.place.first_row;
      std::fill_n(set.g_t.data() + item.place.first_row, item.rows.size(), 0.0);
      if (item.meet) {
        evaluate_meeting(a, b, item.aligned, at.q, g, G);
        continue;
      }
      const auto A = place(a, at.q), B = place(b, at.q);
      for (const JointRow& kind : item.rows) {
        *g++ = row_value(kind, A.frame, B.frame);
        G = write_row(row_wrench(kind, A.frame, B.frame), a, A, b, B, G);
      }
    }
  }

  void curvature(const Point& at, double* out) const override {
    for (const auto& [rows, place, meet, aligned] : items_) {
      const Anchor &a = place.anchors[0], &b = place.anchors[1];
      const auto A = place_along(a, at.q, at.v), B = place_along(b, at.q, at.v);
      int row = place.first_row;
      for (const JointRow& kind : rows) {
        const auto w = row_wrench(kind, A.frame, B.frame);
        out[row++] =
            (rate_of(a, A.body, A.frame.p, -w.n, w.m_a, at.v) + rate_of(b, B.body, B.frame.p, w.n, w.m_b, at.v)).d[0];
      }
    }
  }

  void add_stiffness(const Point& at, const double* lambda, const double* direction, double* out) const override {
    for (const auto& [rows, place, meet, aligned] : items_) {
      const Anchor &a = place.anchors[0], &b = place.anchors[1];
      const auto A = place_along(a, at.q, direction), B = place_along(b, at.q, direction);
      int row = place.first_row;
      for (const JointRow& kind : rows) {
        const auto w = row_wrench(kind, A.frame, B.frame);
        ad::Dual<1> columns[12];
        write_row(w, a, A, b, B, columns);
        for (int j = 0; j < a.dofs(); ++j) out[a.v0 + j] += lambda[row] * columns[j].d[0];
        for (int j = 0; j < b.dofs(); ++j) out[b.v0 + j] += lambda[row] * columns[a.dofs() + j].d[0];
        ++row;
      }
    }
  }

 private:
  // Rows a_i . (p_b - p_a) in the axes of the bodies: the moment about the centre of A is a_i x (p_b - x_a).
  static void evaluate_meeting(const Anchor& a, const Anchor& b, bool aligned, const double* q, double* g, double* G) {
    const Pose<double> A = body_pose(a, q), B = body_pose(b, q);
    const Rotation<double> axes = aligned ? A.R : A.R * a.R;
    const Vec3<double> pb = B.p + B.R * b.r;
    const Vec3<double> d = pb - (A.p + A.R * a.r);
    const Vec3<double> arm = to_frame(A.R, pb - A.p);
    const bool moves_a = a.kind == BodyKind::rigid, moves_b = b.kind == BodyKind::rigid;
    for (int i = 0; i < 3; ++i) {
      const Vec3<double>& n = axis(axes, i);
      g[i] = dot(n, d);
      if (moves_a) G = write(-n, cross(axis(a.R, i), arm), G);
      if (moves_b) G = write(n, cross(b.r, to_frame(B.R, n)), G);
    }
  }
  static double* write(const Vec3<double>& n, const Vec3<double>& m, double* out) {
    out[0] = n.x;
    out[1] = n.y;
    out[2] = n.z;
    out[3] = m.x;
    out[4] = m.y;
    out[5] = m.z;
    return out + 6;
  }

  std::vector<Item> items_;
};

class StandardJoint final : public JointLeaf {
 public:
  explicit StandardJoint(std::vector<JointRow> rows) : rows_(std::move(rows)) {}
  int rows() const override { return static_cast<int>(rows_.size()); }
  int frames() const override { return 2; }
  std::type_index type() const override { return typeid(StandardJoints); }
  std::unique_ptr<JointSource> new_pool() const override { return std::make_unique<StandardJoints>(); }
  void append(JointSource& pool, JointPlace place) const override {
    static_cast<StandardJoints&>(pool).append(rows_, std::move(place));
  }

 private:
  std::vector<JointRow> rows_;
};

}  // namespace

std::vector<JointRow> rows_of(const std::string& name, const JointType& type, bool planar) {
  const auto only_in_space = [](const auto& joint) {
    using T = std::decay_t<decltype(joint)>;
    return std::is_same_v<T, Cylindrical> || std::is_same_v<T, Universal> || std::is_same_v<T, PlanarJoint> ||
           std::is_same_v<T, Screw>;
  };
  if (planar && std::visit(only_in_space, type))
    throw ModelError(name, std::string("there is no ") + type_names[type.index()] +
                               " between planar bodies; use rigid bodies in space");
  return std::visit(RowsOf{name, planar}, type);
}

JointRow coordinate_row(const std::string& name, const JointType& type, JointCoordinate coordinate) {
  const bool turns = std::holds_alternative<Revolute>(type) || std::holds_alternative<Cylindrical>(type) ||
                     std::holds_alternative<Screw>(type);
  if (coordinate == JointCoordinate::angle && turns) return {RowKind::angle, z, x, 0.0};
  if (coordinate == JointCoordinate::slide && std::holds_alternative<Prismatic>(type)) return slide(x);
  if (coordinate == JointCoordinate::slide && turns && !std::holds_alternative<Revolute>(type)) return slide(z);
  throw ModelError(name, std::string("a ") + type_names[type.index()] + " has no coordinate '" +
                             (coordinate == JointCoordinate::angle ? "angle" : "slide") + "'");
}

std::unique_ptr<JointLeaf> standard_joint(std::vector<JointRow> rows) {
  return std::make_unique<StandardJoint>(std::move(rows));
}

}  // namespace esc
