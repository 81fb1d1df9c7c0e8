#include <algorithm>
#include <utility>

#include "src/formula/recording.hpp"

namespace esc {

namespace {

using ad::Expr;
using formula::gather;
using formula::Recording;
using formula::run;

struct JointPrograms {
  int n = 0, rows = 0;
  ad::Program values;     // (t, q) -> g; G; g_t
  ad::Program curvature;  // (t, q, v) -> by rows
  ad::Program stiffness;  // (t, q, w, lambda) -> d(G^T lambda)/dq w
};

class FormulaJoints final : public JointSource {
 public:
  struct Item {
    JointPrograms p;
    JointPlace place;
  };
  void append(Item item) { items_.push_back(std::move(item)); }

  void evaluate(const Point& at, JointSet& set) const override {
    double scratch[formula::stack_scratch];
    for (const auto& [p, place] : items_) {
      scratch[0] = at.t;
      gather(place.arguments, at.q, scratch + 1);
      const double* out = run(p.values, scratch);
      std::copy_n(out, p.rows, set.g.data() + place.first_row);
      std::copy_n(out + p.rows, p.rows * p.n, set.G.data() + place.first_value);
      std::copy_n(out + p.rows + p.rows * p.n, p.rows, set.g_t.data() + place.first_row);
    }
  }

  void curvature(const Point& at, double* out) const override {
    double scratch[formula::stack_scratch];
    for (const auto& [p, place] : items_) {
      scratch[0] = at.t;
      gather(place.segments, at.v, gather(place.arguments, at.q, scratch + 1));
      std::copy_n(run(p.curvature, scratch), p.rows, out + place.first_row);
    }
  }

  void add_stiffness(const Point& at, const double* lambda, const double* w, double* out) const override {
    double scratch[formula::stack_scratch];
    for (const auto& [p, place] : items_) {
      scratch[0] = at.t;
      double* const rest = gather(place.segments, w, gather(place.arguments, at.q, scratch + 1));
      std::copy_n(lambda + place.first_row, p.rows, rest);
      const double* product = run(p.stiffness, scratch);
      for (const Segment& segment : place.segments)
        for (int i = 0; i < segment.length; ++i) out[segment.first + i] += *product++;
    }
  }

 private:
  std::vector<Item> items_;
};

class FormulaJointLeaf final : public JointLeaf {
 public:
  explicit FormulaJointLeaf(JointPrograms programs) : p_(std::move(programs)) {}
  int rows() const override { return p_.rows; }
  int arity() const override { return p_.n; }
  std::type_index type() const override { return typeid(FormulaJointLeaf); }
  std::unique_ptr<JointSource> new_pool() const override { return std::make_unique<FormulaJoints>(); }
  void append(JointSource& pool, JointPlace place) const override {
    static_cast<FormulaJoints&>(pool).append({p_, std::move(place)});
  }

 private:
  JointPrograms p_;
};

ad::Program stiffness_program(Recording& recording, const std::vector<Expr>& g) {
  const std::vector<Expr> w = recording.r.tape.inputs(recording.n());
  const std::vector<Expr> lambda = recording.r.tape.inputs(static_cast<int>(g.size()));
  Expr work = 0.0;  // G^T lambda along w
  for (std::size_t row = 0; row < g.size(); ++row) {
    const std::vector<Expr> G = gradient(g[row], recording.r.q);
    for (int j = 0; j < recording.n(); ++j) work += lambda[row] * G[j] * w[j];
  }
  std::vector<Expr> inputs = recording.position();
  formula::append(inputs, w);
  formula::append(inputs, lambda);
  return formula::compile_for_stack(recording, inputs, gradient(work, recording.r.q), "joint");
}

}  // namespace

std::unique_ptr<JointLeaf> formula_joint(const FormulaScope& scope, const std::vector<std::string>& rows) {
  if (rows.empty() || rows.size() > static_cast<std::size_t>(max_joint_rows))
    throw FormulaError(
        0, 0, "a joint has 1 to " + std::to_string(max_joint_rows) + " rows, not " + std::to_string(rows.size()),
        "joint");
  Recording recording(scope);
  std::vector<Expr> g, G, g_t, curvature;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    g.push_back(recording.parse(rows[i], {"joint[" + std::to_string(i) + "]", "a joint", formula::of_position}));
    formula::append(G, gradient(g.back(), recording.r.q));
    g_t.push_back(derivative(g.back(), recording.r.t));
    curvature.push_back(recording.rate(recording.rate(g.back())));
  }
  std::vector<Expr> values = g;
  formula::append(values, G);
  formula::append(values, g_t);

  JointPrograms p{recording.n(), static_cast<int>(rows.size()), {}, {}, {}};
  p.values = formula::compile_for_stack(recording, recording.position(), values, "joint");
  p.curvature = formula::compile_for_stack(recording, recording.motion(), curvature, "joint");
  p.stiffness = stiffness_program(recording, g);
  return std::make_unique<FormulaJointLeaf>(std::move(p));
}

}  // namespace esc
