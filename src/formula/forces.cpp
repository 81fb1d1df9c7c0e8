#include <algorithm>
#include <utility>

#include "src/formula/recording.hpp"

namespace esc {

namespace {

using ad::Expr;
using formula::Recording;
using formula::run;

struct ForcePrograms {
  int n = 0;
  std::vector<int> inputs;  // which u
  ad::Program force;        // (t, q, v, u) -> Q
  ad::Program tangent;      // (t, q, v, u, sq, sv) -> sq K + sv C by rows, with K = -dQ/dq, C = -dQ/dv
  ad::Program energy;       // (t, q, v, u) -> V; the power of what has no potential; dV/dt at rest
  bool constant_tangent = false;
  ad::Program given = {};  // (t, q, v, u) -> Q, to be run at v = 0; only where Q depends on v
  bool damps = false;      // it does: that part of it may take energy
};

class FormulaForces final : public ForceSource {
 public:
  struct Item {
    ForcePrograms p;
    ForceOptions options;
    ForcePlace place;
  };
  void append(Item item) { items_.push_back(std::move(item)); }

  void add_force(const Point& at, double* F) const override {
    double scratch[formula::stack_scratch];
    for (const Item& item : items_) {
      load(item, at, scratch);
      const double* Q = run(item.p.force, scratch);
      for (int i = 0; i < item.p.n; ++i) F[item.place.velocities[i]] += Q[i];
    }
  }

  void add_tangent(const Point& at, double sq, double sv, double* A) const override {
    double scratch[formula::stack_scratch];
    for (const Item& item : items_) {
      if (item.options.tangents == Tangents::none) continue;
      double* const rest = load(item, at, scratch);
      rest[0] = sq;
      rest[1] = sv;
      const double* values = run(item.p.tangent, scratch);
      for (int i = 0; i < item.p.n * item.p.n; ++i)
        if (const int value = item.place.values[i]; value >= 0) A[value] += values[i];
    }
  }

  Energy energy(const Point& at) const override {
    double scratch[formula::stack_scratch];
    Energy sum;
    for (const Item& item : items_) {
      load(item, at, scratch);
      sum.potential += run(item.p.energy, scratch)[0];
    }
    return sum;
  }

  // A potential that changes in time brings work into the system: it counts as applied.
  Power power(const Point& at) const override {
    double scratch[formula::stack_scratch];
    Power sum;
    for (const Item& item : items_) {
      load(item, at, scratch);
      const double* out = run(item.p.energy, scratch);
      const double whole = out[1];
      sum.applied += out[2];
      const bool all_damping = item.options.kind == ForceKind::damping;
      const double given = all_damping ? 0.0 : item.p.damps ? given_power(item, at, scratch) : whole;
      (all_damping || whole < given ? sum.damping : sum.applied) += whole - given;
      sum.applied += given;
    }
    return sum;
  }

 private:
  // Of Q at rest: what does not depend on the velocities.
  static double given_power(const Item& item, const Point& at, double* scratch) {
    std::fill_n(scratch + 1 + item.p.n, item.p.n, 0.0);
    const double* Q = run(item.p.given, scratch);
    double sum = 0.0;
    for (int i = 0; i < item.p.n; ++i) sum += Q[i] * at.v[item.place.velocities[i]];
    return sum;
  }

  static double* load(const Item& item, const Point& at, double* to) {
    *to++ = at.t;
    for (const int i : item.place.coordinates) *to++ = at.q[i];
    for (const int i : item.place.velocities) *to++ = at.v[i];
    for (const int i : item.p.inputs) *to++ = at.u[i];
    return to;
  }

  std::vector<Item> items_;
};

class FormulaForceLeaf final : public ForceLeaf {
 public:
  FormulaForceLeaf(ForcePrograms programs, ForceOptions options) : p_(std::move(programs)), options_(options) {}
  int arity() const override { return p_.n; }
  bool implicit() const override { return options_.tangents == Tangents::implicit; }
  bool linear() const override { return !implicit() || p_.constant_tangent; }
  std::type_index type() const override { return typeid(FormulaForceLeaf); }
  std::unique_ptr<ForceSource> new_pool() const override { return std::make_unique<FormulaForces>(); }
  void append(ForceSource& pool, ForcePlace place) const override {
    static_cast<FormulaForces&>(pool).append({p_, options_, std::move(place)});
  }

 private:
  ForcePrograms p_;
  ForceOptions options_;
};

}  // namespace

std::unique_ptr<ForceLeaf> formula_force(const FormulaScope& scope, const FormulaForce& force) {
  if (force.force.empty() && force.potential.empty())
    throw FormulaError(0, 0, "a force has a formula for each coordinate, or a potential", "force");
  Recording recording(scope);
  const int n = recording.n();
  const std::vector<Expr> Q = recording.parse_list(force.force, {"force", "a force", formula::of_everything});
  const Expr V = recording.parse_optional(force.potential, {"potential", "a potential", formula::of_position});

  const std::vector<Expr> V_q = gradient(V, recording.r.q);
  const formula::Tangent tangent = formula::tangent_of(recording, Q, V_q);
  Expr power = 0.0;
  for (int i = 0; i < n; ++i) power += Q[i] * recording.r.v[i];

  const std::string field = force.force.empty() ? "potential" : "force";
  const std::vector<Expr> inputs = recording.all();
  ForcePrograms p{n, recording.inputs, {}, {}, {}, tangent.constant};
  p.force = formula::compile_for_stack(recording, inputs, tangent.force, field);
  p.tangent = formula::compile_for_stack(recording, tangent.inputs, tangent.values, field);
  p.energy =
      formula::compile_for_stack(recording, inputs, std::vector<Expr>{V, power, derivative(V, recording.r.t)}, field);
  p.damps = formula::depends_on_rates(recording, Q);
  if (p.damps) p.given = formula::compile_for_stack(recording, inputs, Q, field);
  return std::make_unique<FormulaForceLeaf>(std::move(p), force.options);
}

}  // namespace esc
