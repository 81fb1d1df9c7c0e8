#include <algorithm>
#include <numeric>
#include <utility>

#include "src/formula/recording.hpp"

namespace esc {

namespace {

using ad::Expr;
using formula::Recording;

// Programs read t, q, v, u, and the tangent then sq and sv; energy gives T, V and the power of what has no potential.
struct BlockPrograms {
  ad::LagrangePrograms p;
  std::vector<int> inputs;  // which u
  ad::Program damping =
      {};  // Q where it depends on v, as that part may take energy; and the power of a mass that changes

  int n() const { return p.n; }
  int reads() const { return 2 * p.n + 3 + static_cast<int>(inputs.size()); }
  int writes() const { return std::max(p.n * p.n + p.n, 3); }
  int scratch() const {
    return reads() + writes() +
           std::max({p.mass.registers, p.force.registers, p.dynamics.registers, p.tangent.registers, p.energy.registers,
                     damping.registers});
  }
};

// Scratch of the caller: what the programs read, what they write, registers.
class FormulaBlocks final : public BlockSource {
 public:
  struct Item {
    BlockPrograms programs;
    Slot slot;
  };
  void append(Item item) {
    scratch_ = std::max(scratch_, item.programs.scratch());
    items_.push_back(std::move(item));
  }

  void mass(const Point& at, double* M) const override {
    for (const Item& item : items_) write_matrix(item, run(item, item.programs.p.mass, at), M);
  }

  void force(const Point& at, double* F) const override {
    for (const Item& item : items_)
      std::copy_n(run(item, item.programs.p.force, at), item.programs.n(), F + item.slot.v0);
  }

  void dynamics(const Point& at, double* M, double* F) const override {
    for (const Item& item : items_) {
      const int n = item.programs.n();
      const double* out = run(item, item.programs.p.dynamics, at);
      write_matrix(item, out, M);
      std::copy_n(out + n * n, n, F + item.slot.v0);
    }
  }

  void tangent(const Point& at, double sq, double sv, double* A) const override {
    for (const Item& item : items_) {
      const int n = item.programs.n();
      double* const scales = at.scratch + item.programs.reads() - 2;
      scales[0] = sq;
      scales[1] = sv;
      const double* out = run(item, item.programs.p.tangent, at);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) A[item.slot.a0 + i * item.slot.stride + j] += out[i * n + j];
    }
  }

  Energy energy(const Point& at) const override {
    Energy sum;
    for (const Item& item : items_) {
      const double* out = run(item, item.programs.p.energy, at);
      sum.kinetic += out[0];
      sum.potential += out[1];
    }
    return sum;
  }

  Power power(const Point& at) const override {
    Power sum;
    for (const Item& item : items_) {
      const double whole = run(item, item.programs.p.energy, at)[2];
      const double by_rates = item.programs.damping.code.empty() ? 0.0 : power_by_rates(item, at);
      (by_rates < 0.0 ? sum.damping : sum.applied) += by_rates;
      sum.applied += whole - by_rates;
    }
    return sum;
  }

  int scratch_size() const override { return scratch_; }

 private:
  static const double* run(const Item& item, const ad::Program& program, const Point& at) {
    const auto& [programs, slot] = item;
    const int n = programs.n();
    double* to = at.scratch;
    *to++ = at.t;
    to = std::copy_n(at.q + slot.q0, n, to);
    to = std::copy_n(at.v + slot.v0, n, to);
    for (const int i : programs.inputs) *to++ = at.u[i];
    double* const out = at.scratch + programs.reads();
    program.run(at.scratch, out, out + programs.writes());
    return out;
  }

  // (Q(v) - Q(0)) . v, and what balances forces of a mass that changes.
  static double power_by_rates(const Item& item, const Point& at) {
    const BlockPrograms& programs = item.programs;
    const int n = programs.n();
    const double* v = at.v + item.slot.v0;
    const auto power = [=](const double* Q) { return std::inner_product(Q, Q + n, v, Q[n]); };
    const double moving = power(run(item, programs.damping, at));
    std::fill_n(at.scratch + 1 + n, n, 0.0);  // the velocities that run() has written there
    double* const out = at.scratch + programs.reads();
    programs.damping.run(at.scratch, out, out + programs.writes());
    return moving - power(out);
  }

  static void write_matrix(const Item& item, const double* from, double* M) {
    const int n = item.programs.n();
    for (int i = 0; i < n; ++i) std::copy_n(from + i * n, n, M + item.slot.a0 + i * item.slot.stride);
  }

  std::vector<Item> items_;
  int scratch_ = 0;
};

class FormulaBlockLeaf final : public BlockLeaf {
 public:
  explicit FormulaBlockLeaf(BlockPrograms programs) : programs_(std::move(programs)) {}
  int dofs() const override { return programs_.n(); }
  Storage storage() const override { return Storage::dense; }
  int half_bandwidth() const override { return 0; }
  bool constant_mass() const override { return programs_.p.constant_mass; }
  bool linear() const override { return programs_.p.linear; }
  void check(const std::string&) const override {}
  std::type_index type() const override { return typeid(FormulaBlockLeaf); }
  std::unique_ptr<BlockSource> new_pool() const override { return std::make_unique<FormulaBlocks>(); }
  void append(BlockSource& pool, const Slot& slot, const std::array<double, 3>&) const override {
    static_cast<FormulaBlocks&>(pool).append({programs_, slot});
  }

 private:
  BlockPrograms programs_;
};

// Power into the system that V does not account for: v . Q, and what a V that changes in time brings.
Expr applied_power(const Recording& recording, const std::vector<Expr>& Q, const Expr& V) {
  Expr sum = derivative(V, recording.r.t);
  for (int i = 0; i < recording.n(); ++i) sum += Q[i] * recording.r.v[i];
  return sum;
}

// What power() needs to tell damping from what is applied.
void add_damping(const Recording& recording, std::vector<Expr> Q, const Expr& change, BlockPrograms& block) {
  if (!formula::depends_on_rates(recording, Q)) return;
  Q.push_back(change);
  block.damping = ad::compile(recording.all(), Q);
}

void record_kinetic(Recording& recording, const FormulaEnergies& energies) {
  recording.r.kinetic = recording.parse(energies.kinetic, {"kinetic", "the kinetic energy", formula::of_motion});
}

// Rows of M, one after the other.
std::vector<Expr> parse_mass(const Recording& recording, const FormulaEquations& equations) {
  const int n = recording.n();
  const formula::Field field{"mass", "a mass", formula::of_position};
  if (equations.mass.empty() == equations.diagonal.empty())
    throw FormulaError(0, 0, "a block has either the rows of its mass matrix or its diagonal", "mass");
  std::vector<Expr> M;
  if (!equations.diagonal.empty()) {
    const std::vector<Expr> diagonal = recording.parse_list(equations.diagonal, field);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) M.push_back(i == j ? diagonal[i] : Expr(0.0));
    return M;
  }
  if (static_cast<int>(equations.mass.size()) != n)
    throw FormulaError(0, 0,
                       "the mass matrix has " + std::to_string(equations.mass.size()) + " rows for " +
                           std::to_string(n) + " coordinates",
                       "mass");
  for (int i = 0; i < n; ++i) {
    const std::string row = "mass[" + std::to_string(i) + "]";
    if (equations.mass[i].empty()) throw FormulaError(0, 0, "the row is empty", row);
    formula::append(M, recording.parse_list(equations.mass[i], {row, field.noun, field.allowed}));
  }
  return M;
}

}  // namespace

std::unique_ptr<BlockLeaf> formula_block(const FormulaScope& scope, const FormulaEnergies& energies) {
  Recording recording(scope);
  ad::LagrangeRecording& r = recording.r;
  record_kinetic(recording, energies);
  r.potential = recording.parse_optional(energies.potential, {"potential", "a potential", formula::of_position});
  r.force = recording.parse_list(energies.force, {"force", "a force", formula::of_everything});
  BlockPrograms block{{}, recording.inputs};
  try {
    block.p = ad::lagrange(r);
  } catch (const std::invalid_argument& error) {
    throw FormulaError(0, energies.kinetic.size(), error.what(), "kinetic");
  }
  add_damping(recording, r.force, 0.0, block);
  return std::make_unique<FormulaBlockLeaf>(std::move(block));
}

bool linear_in_rates(const FormulaScope& scope, const FormulaEnergies& energies) {
  Recording recording(scope);
  record_kinetic(recording, energies);
  return ad::linear_in_rates(recording.r);
}

std::unique_ptr<BlockLeaf> formula_block(const FormulaScope& scope, const FormulaEquations& equations) {
  Recording recording(scope);
  const int n = recording.n();
  const std::vector<Expr> M = parse_mass(recording, equations);
  const std::vector<Expr> Q = recording.parse_list(equations.force, {"force", "a force", formula::of_everything});
  const Expr V = recording.parse_optional(equations.potential, {"potential", "a potential", formula::of_position});
  const formula::Tangent tangent = formula::tangent_of(recording, Q, gradient(V, recording.r.q));

  // d(v.Mv/2)/dt has, beside v.F, half of v.M'v: F contains the terms that balance it, if it is complete.
  Expr T = 0.0;
  Expr change = 0.0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const Expr square = 0.5 * recording.r.v[i] * recording.r.v[j];
      T += M[i * n + j] * square;
      change += recording.rate(M[i * n + j]) * square;
    }

  const auto is_constant = [](const Expr& e) { return e.is_constant(); };
  const std::vector<Expr> inputs = recording.all();
  std::vector<Expr> dynamics = M;
  formula::append(dynamics, tangent.force);
  BlockPrograms block{{}, recording.inputs};
  block.p.n = n;
  block.p.mass = ad::compile(inputs, M);
  block.p.force = ad::compile(inputs, tangent.force);
  block.p.dynamics = ad::compile(inputs, dynamics);
  block.p.tangent = ad::compile(tangent.inputs, tangent.values);
  block.p.energy = ad::compile(inputs, std::vector<Expr>{T, V, applied_power(recording, Q, V) + change});
  add_damping(recording, Q, change, block);
  block.p.constant_mass = std::all_of(M.begin(), M.end(), is_constant);
  block.p.linear = block.p.constant_mass && tangent.constant;
  return std::make_unique<FormulaBlockLeaf>(std::move(block));
}

}  // namespace esc
