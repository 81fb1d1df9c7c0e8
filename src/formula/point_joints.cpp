#include <algorithm>
#include <array>
#include <utility>

#include <escapement/formula/points.hpp>

#include "src/formula/frame_points.hpp"
#include "src/formula/joint_rows.hpp"

namespace esc {

namespace {

using ad::Expr;
using formula::move_points;
using formula::place_points;
using formula::Points;
using formula::put;
using formula::Recording;
using formula::run;
using formula::taken;
using formula::write_slope;

// p are the positions of the points, one after the other: 3 or 6 numbers.
struct PointPrograms {
  int frames = 1, rows = 0;
  ad::Program values;     // (t, p) -> g; g_p by rows; g_t
  ad::Program curvature;  // (t, p, p') -> second derivative of each row along (1, p'), then g_p by rows
  ad::Program stiffness;  // (t, p, w, lambda) -> g_p^T lambda; its derivative along w

  int n() const { return 3 * frames; }
};

class PointJoints final : public JointSource {
 public:
  struct Item {
    PointPrograms p;
    JointPlace place;
  };
  void append(Item item) { items_.push_back(std::move(item)); }

  void evaluate(const Point& at, JointSet& set) const override {
    double scratch[formula::stack_scratch];
    for (const auto& [p, joint] : items_) {
      scratch[0] = at.t;
      const Points points = place_points(joint.anchors, at.q, scratch + 1);
      const double* out = run(p.values, scratch);
      const double* slope = out + p.rows;
      double* G = set.G.data() + joint.first_value;
      for (int row = 0; row < p.rows; ++row, slope += p.n()) {
        set.g[joint.first_row + row] = out[row];
        set.g_t[joint.first_row + row] = out[p.rows + p.rows * p.n() + row];
        G = write_slope(joint.anchors, points, slope, G);
      }
    }
  }

  // Of the formula along the motion, and of the points.
  void curvature(const Point& at, double* out) const override {
    double scratch[formula::stack_scratch];
    for (const auto& [p, joint] : items_) {
      scratch[0] = at.t;
      const auto turning = move_points(joint.anchors, at.q, at.v, scratch + 1);
      const double* result = run(p.curvature, scratch);
      const double* slope = result + p.rows;
      for (int row = 0; row < p.rows; ++row) {
        double sum = result[row];
        for (int f = 0; f < p.frames; ++f, slope += 3) sum += dot(taken(slope), turning[f]);
        out[joint.first_row + row] = sum;
      }
    }
  }

  void add_stiffness(const Point& at, const double* lambda, const double* w, double* out) const override {
    using S = ad::Dual<1>;
    double scratch[formula::stack_scratch];
    for (const auto& [p, joint] : items_) {
      scratch[0] = at.t;
      std::array<Placed<S>, 2> frames;
      for (int f = 0; f < p.frames; ++f) {
        frames[f] = place_along(joint.anchors[f], at.q, w);
        const Vec3<S>& x = frames[f].frame.p;
        put({x.x.value, x.y.value, x.z.value}, scratch + 1 + 3 * f);
        put({x.x.d[0], x.y.d[0], x.z.d[0]}, scratch + 1 + p.n() + 3 * f);
      }
      std::copy_n(lambda + joint.first_row, p.rows, scratch + 1 + 2 * p.n());
      const double* force = run(p.stiffness, scratch);
      const double* change = force + p.n();
      for (int f = 0; f < p.frames; ++f, force += 3, change += 3) {
        std::array<S, 3> n{force[0], force[1], force[2]};
        for (int i = 0; i < 3; ++i) n[i].d[0] = change[i];
        std::array<S, 6> columns{};
        const Vec3<S> none{S(0.0), S(0.0), S(0.0)};
        write_columns(joint.anchors[f], frames[f].body, frames[f].frame.p, {n[0], n[1], n[2]}, none, columns.data());
        for (int i = 0; i < joint.anchors[f].dofs(); ++i) out[joint.anchors[f].v0 + i] += columns[i].d[0];
      }
    }
  }

 private:
  std::vector<Item> items_;
};

class PointJointLeaf final : public formula::FormulaJointLeaf<PointJoints, PointPrograms> {
 public:
  using FormulaJointLeaf::FormulaJointLeaf;
  int frames() const override { return p_.frames; }
};

ad::Program point_stiffness_program(Recording& recording, const std::vector<Expr>& g) {
  const std::vector<Expr> w = recording.r.tape.inputs(recording.n());
  const std::vector<Expr> lambda = recording.r.tape.inputs(static_cast<int>(g.size()));
  Expr work = 0.0, along = 0.0;
  for (std::size_t row = 0; row < g.size(); ++row) work += lambda[row] * g[row];
  std::vector<Expr> outputs = gradient(work, recording.r.q);
  for (int j = 0; j < recording.n(); ++j) along += outputs[j] * w[j];
  formula::append(outputs, gradient(along, recording.r.q));
  std::vector<Expr> inputs = recording.position();
  formula::append(inputs, w);
  formula::append(inputs, lambda);
  return formula::compile_for_stack(recording, inputs, outputs, "joint");
}

}  // namespace

std::unique_ptr<JointLeaf> formula_point_joint(FormulaScope scope, int frames, const std::vector<std::string>& rows) {
  scope.coordinates = formula::names_of_points(frames);
  Recording recording(scope);
  const formula::JointRows f = parse_joint(recording, rows);
  std::vector<Expr> curvature = f.second_rates;
  formula::append(curvature, f.slopes);

  PointPrograms p{frames, static_cast<int>(rows.size()), {}, {}, {}};
  p.values = formula::compile_for_stack(recording, recording.position(), f.values(), "joint");
  p.curvature = formula::compile_for_stack(recording, recording.motion(), curvature, "joint");
  p.stiffness = point_stiffness_program(recording, f.g);
  return std::make_unique<PointJointLeaf>(std::move(p));
}

}  // namespace esc
