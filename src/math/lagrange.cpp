#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <escapement/ad/lagrange.hpp>

#include "src/math/tape_expand.hpp"

namespace esc::ad {

namespace {

constexpr int most_operations = 300'000;  // recorded for the equations of one block: about a second

// M, F and sq*K + sv*C, by rows.
struct Equations {
  std::vector<Expr> M, F, K, C, tangent;
};

struct Scales {
  Expr sq, sv;
};

// `shorten` rewrites inertia terms; potential and other forces stay as recorded. Empty where they take too many
// operations.
template <class Shorten>
std::optional<Equations> equations(LagrangeRecording& r, const Scales& scales, Shorten shorten) {
  const int most = r.tape.size() + most_operations;
  const int n = static_cast<int>(r.q.size());
  const Expr T = shorten(r.kinetic);
  const std::vector<Expr> p = gradient(T, r.v), T_q = gradient(T, r.q), V_q = gradient(r.potential, r.q);
  Equations e;
  for (int i = 0; i < n; ++i) {
    if (r.tape.size() > most) return std::nullopt;
    const std::vector<Expr> row = gradient(p[i], r.v);
    for (int j = 0; j < n; ++j) e.M.push_back(j < i ? e.M[j * n + i] : shorten(row[j]));

    const std::vector<Expr> p_q = gradient(p[i], r.q);
    Expr inertial = T_q[i] - derivative(p[i], r.t);
    for (int j = 0; j < n; ++j) inertial -= p_q[j] * r.v[j];
    inertial = shorten(inertial);
    const Expr applied = r.force[i] - V_q[i];
    e.F.push_back(inertial + applied);

    const std::vector<Expr> inertial_q = gradient(inertial, r.q), inertial_v = gradient(inertial, r.v);
    const std::vector<Expr> applied_q = gradient(applied, r.q), applied_v = gradient(applied, r.v);
    for (int j = 0; j < n; ++j) {
      e.K.push_back(-shorten(inertial_q[j]) - applied_q[j]);
      e.C.push_back(-shorten(inertial_v[j]) - applied_v[j]);
      e.tangent.push_back(scales.sq * e.K.back() + scales.sv * e.C.back());
    }
  }
  return e;
}

std::vector<Expr> joined(std::vector<Expr> a, const std::vector<Expr>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Whether f vanishes where the velocities do. By values at some places: a term with a velocity is zero there exactly.
bool vanishes_at_rest(const LagrangeRecording& r, std::span<const Expr> f) {
  const std::vector<Expr> inputs = joined(joined(joined({r.t}, r.q), r.v), r.u);
  const Program program = compile(inputs, f);
  std::vector<double> at(inputs.size() + program.registers), values(f.size());
  for (int place = 0; place < 4; ++place) {
    for (std::size_t i = 0; i < inputs.size(); ++i) at[i] = 0.3 + std::sin(1.7 * static_cast<double>(i) + place);
    std::fill_n(at.begin() + 1 + static_cast<std::ptrdiff_t>(r.q.size()), r.v.size(), 0.0);
    program.run(at.data(), values.data(), at.data() + inputs.size());
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value) && value != 0.0; }))
      return false;
  }
  return true;
}

// Into T + V: by the forces without potential, by a potential that changes in time, and by what moves the frame that
// the coordinates are of. With T = T2 + T1 + T0 by powers of v, Lagrange's equations give
//   d(T + V)/dt = v.Q + V_t - T_t + d(T1 + 2 T0)/dt.
// T1 = b.v is left out: dT1/dt asks for accelerations.
Expr power(const LagrangeRecording& r, const std::vector<Expr>& M) {
  const std::size_t n = r.v.size();
  Expr sum = derivative(r.potential, r.t) - derivative(r.kinetic, r.t);
  for (std::size_t i = 0; i < n; ++i) sum += r.force[i] * r.v[i];
  if (vanishes_at_rest(r, std::vector<Expr>{r.kinetic})) return sum;
  const std::vector<Expr> p = gradient(r.kinetic, r.v);
  Expr T0 = r.kinetic;
  for (std::size_t i = 0; i < n; ++i) {
    T0 -= p[i] * r.v[i];
    for (std::size_t j = 0; j < n; ++j) T0 += 0.5 * M[i * n + j] * r.v[i] * r.v[j];
  }
  sum += 2.0 * derivative(T0, r.t);
  for (std::size_t i = 0; i < n; ++i) sum += 2.0 * derivative(T0, r.q[i]) * r.v[i];
  return sum;
}

bool all_constant(const std::vector<Expr>& list) {
  return std::all_of(list.begin(), list.end(), [](const Expr& e) { return e.is_constant(); });
}

void require_lagrangian(const LagrangeRecording& r, const Equations& e) {
  for (const Expr& entry : e.M)
    if (depends_on(entry, r.v)) throw std::invalid_argument("the kinetic energy is not quadratic in the velocities");
  if (depends_on(r.kinetic, r.u)) throw std::invalid_argument("the kinetic energy must not contain an input u");
  if (depends_on(r.potential, r.v)) throw std::invalid_argument("the potential must not contain a velocity");
}

}  // namespace

LagrangeRecording::LagrangeRecording(int coordinates, int inputs) {
  if (coordinates < 1 || inputs < 0)
    throw std::invalid_argument("a Lagrangian block has at least one coordinate and no negative number of inputs");
  t = tape.input();
  q = tape.inputs(coordinates);
  v = tape.inputs(coordinates);
  u = tape.inputs(inputs);
  force.assign(coordinates, 0.0);
}

bool linear_in_rates(const LagrangeRecording& r) { return !vanishes_at_rest(r, gradient(r.kinetic, r.v)); }

LagrangePrograms lagrange(LagrangeRecording& r) {
  const Scales scales{r.tape.input(), r.tape.input()};
  std::vector<Expr> inputs = joined(joined(joined({r.t}, r.q), r.v), r.u);
  const std::vector<Expr> tangent_inputs = joined(inputs, {scales.sq, scales.sv});

  LagrangePrograms best;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  std::int64_t effort = most_effort;
  const auto expanded = equations(r, scales, [&](const Expr& f) { return expand(f, effort); });
  const auto unchanged = equations(r, scales, [](const Expr& f) { return f; });
  if (!unchanged && !expanded)
    throw std::invalid_argument("the equations of motion take more than " + std::to_string(most_operations) +
                                " operations; make several items of fewer coordinates, or give mass and force");
  for (const auto* found : {&expanded, &unchanged}) {
    if (!*found) continue;
    const Equations& e = **found;
    LagrangePrograms p;
    p.n = static_cast<int>(r.q.size());
    p.dynamics = compile(inputs, joined(e.M, e.F));
    p.tangent = compile(tangent_inputs, e.tangent);
    const std::size_t length = p.dynamics.code.size() + p.tangent.code.size();
    if (length >= fewest) continue;

    require_lagrangian(r, e);
    fewest = length;
    p.mass = compile(inputs, e.M);
    p.force = compile(inputs, e.F);
    p.energy = compile(inputs, std::vector<Expr>{r.kinetic, r.potential, power(r, e.M)});
    p.constant_mass = all_constant(e.M);
    p.linear = p.constant_mass && all_constant(e.K) && all_constant(e.C);
    best = std::move(p);
  }
  return best;
}

}  // namespace esc::ad
