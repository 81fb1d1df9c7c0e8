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
    int width() const { return place.anchors[0].dofs() + place.anchors[1].dofs(); }
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
    for (const Item& item : items_) evaluate(item, at, set);
  }

  // The force of a spherical joint is in the axes of A; its norm stays.
  void reexpress(const Point& at, JointSet& set, double* lambda) const override {
    for (const Item& item : items_) {
      if (!item.meet || item.place.anchors[0].kind != BodyKind::rigid) {
        evaluate(item, at, set);
        continue;
      }
      const double* G = set.G.data() + item.place.first_value;
      double* p = lambda + item.place.first_row;
      const int width = item.width();
      double n[3];
      for (int j = 0; j < 3; ++j) n[j] = p[0] * G[j] + p[1] * G[width + j] + p[2] * G[2 * width + j];
      evaluate(item, at, set);
      for (int i = 0; i < 3; ++i, G += width) p[i] = G[0] * n[0] + G[1] * n[1] + G[2] * n[2];
    }
  }

  // Spherical joints only; others are left to more iterations.
  void add_frame_tangent(const Point& at, double s, const double* lambda, double* A, double* T) const override {
    for (const Item& item : items_) {
      if (!item.meet) continue;
      const Anchor &a = item.place.anchors[0], &b = item.place.anchors[1];
      const bool moves_a = a.kind == BodyKind::rigid, moves_b = b.kind == BodyKind::rigid;
      const double* p = lambda + item.place.first_row;
      double* rows = T + item.place.first_value;
      const int width = item.width();
      if (moves_b) {
        double* own = rows + width - 6;
        const Rotation<double> B = body_pose(b, at.q).R;
        const auto axis_in_b = [&](const double* n) { return to_frame(B, Vec3<double>{n[0], n[1], n[2]}); };
        add_arm({b, {axis_in_b(own), axis_in_b(own + width), axis_in_b(own + 2 * width)}, p, width, own}, s, at.v, A);
      }
      if (!moves_a) continue;
      add_arm({a, {-a.R.x, -a.R.y, -a.R.z}, p, width, rows}, s, at.v, A);
      if (moves_b)
        turn_axes<12>(a, s, at.v, rows);
      else
        turn_axes<6>(a, s, at.v, rows);
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
  static void evaluate(const Item& item, const Point& at, JointSet& set) {
    const Anchor &a = item.place.anchors[0], &b = item.place.anchors[1];
    double* G = set.G.data() + item.place.first_value;
    double* g = set.g.data() + item.place.first_row;
    std::fill_n(set.g_t.data() + item.place.first_row, item.rows.size(), 0.0);
    if (item.meet) return evaluate_meeting(a, b, item.aligned, at.q, g, G);
    const auto A = place(a, at.q), B = place(b, at.q);
    for (const JointRow& kind : item.rows) {
      *g++ = row_value(kind, A.frame, B.frame);
      G = write_row(row_wrench(kind, A.frame, B.frame), a, A, b, B, G);
    }
  }

  // A body that a spherical joint holds at r by the forces n: it adds w . (r x n) to G v and r x n to the moments. A
  // turn of the body by phi changes them by phi . ((w x r) x n) and r x (n x phi).
  struct Arm {
    const Anchor& anchor;
    Vec3<double> n[3];  // of the rows, in the axes of the body
    const double* p;    // their multipliers
    int width;          // of the rows
    double* T;          // columns of the body in the first row
  };
  static void add_arm(const Arm& arm, double s, const double* v, double* A) {
    const Vec3<double>& r = arm.anchor.r;
    const double* w = v + arm.anchor.v0 + 3;
    const Vec3<double> change = s * cross(Vec3<double>{w[0], w[1], w[2]}, r);
    for (int i = 0; i < 3; ++i) {
      const Vec3<double> m = cross(change, arm.n[i]);
      double* T = arm.T + i * arm.width + 3;
      T[0] += m.x;
      T[1] += m.y;
      T[2] += m.z;
    }
    const Vec3<double> n = s * (arm.p[0] * arm.n[0] + arm.p[1] * arm.n[1] + arm.p[2] * arm.n[2]);
    const double force[3] = {n.x, n.y, n.z};
    const double along = dot(r, n);
    double* block = A + arm.anchor.a0 + 3 * 6 + 3;
    for (int i = 0; i < 3; ++i, block += 6) {
      block[0] -= force[i] * r.x;
      block[1] -= force[i] * r.y;
      block[2] -= force[i] * r.z;
      block[i] += along;
    }
  }

  // Rows in the axes of A, which turn by w: the gap between the two points, which grows by s G dv, then adds
  // -w x (s G dv) to G v.
  template <int width>
  static void turn_axes(const Anchor& a, double s, const double* v, double* T) {
    const double* omega = v + a.v0 + 3;
    const Vec3<double> w = s * to_frame(a.R, Vec3<double>{omega[0], omega[1], omega[2]});
    double G[3 * width];
    std::copy_n(T, 3 * width, G);
    for (int j = 0; j < width; ++j) {
      T[j] -= w.y * G[2 * width + j] - w.z * G[width + j];
      T[width + j] -= w.z * G[j] - w.x * G[2 * width + j];
      T[2 * width + j] -= w.x * G[width + j] - w.y * G[j];
    }
  }

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
