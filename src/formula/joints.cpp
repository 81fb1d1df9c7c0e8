#include <algorithm>
#include <utility>

#include "src/formula/joint_rows.hpp"

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

class CoordinateJointLeaf final : public formula::FormulaJointLeaf<FormulaJoints, JointPrograms> {
 public:
  using FormulaJointLeaf::FormulaJointLeaf;
  int arity() const override { return p_.n; }
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
  Recording recording(scope);
  const formula::JointRows f = parse_joint(recording, rows);
  JointPrograms p{recording.n(), static_cast<int>(rows.size()), {}, {}, {}};
  p.values = formula::compile_for_stack(recording, recording.position(), f.values(), "joint");
  p.curvature = formula::compile_for_stack(recording, recording.motion(), f.second_rates, "joint");
  p.stiffness = stiffness_program(recording, f.g);
  return std::make_unique<CoordinateJointLeaf>(std::move(p));
}

}  // namespace esc
