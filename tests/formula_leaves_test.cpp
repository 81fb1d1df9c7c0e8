// Models typed as formulas against the same models in C++: values, derivatives, trajectories.
#include "tests/support/malloc_count.hpp"

#include <cmath>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/formula/leaves.hpp>
#include <escapement/models/constraint.hpp>
#include <escapement/models/force.hpp>

#include "examples/formula_models.hpp"
#include "tests/support/bodies.hpp"
#include "tests/support/differences.hpp"

namespace esc::testing {
namespace {

constexpr double tight = 1e-12;

void expect_same_dynamics(const System& formulas, const System& cpp, const Here& at) {
  Here here = at, there = at;
  here.scratch.resize(formulas.scratch_size());
  there.scratch.resize(cpp.scratch_size());
  const int n = cpp.nv();
  ASSERT_EQ(formulas.matrix_size(), cpp.matrix_size());
  Vector M(cpp.matrix_size()), wanted_M(cpp.matrix_size()), F(n), wanted_F(n);
  cpp.mass(there.point(), wanted_M, Part::all);
  cpp.force(there.point(), wanted_F);
  formulas.mass(here.point(), M, Part::all);
  formulas.force(here.point(), F);
  expect_near(M, wanted_M, tight, "M");
  expect_near(F, wanted_F, tight, "F");
  formulas.dynamics(here.point(), M, F, Part::all);
  expect_near(M, wanted_M, tight, "M with F");
  expect_near(F, wanted_F, tight, "F with M");
  expect_near(tangent(formulas, here, 0.7, 1.3), tangent(cpp, there, 0.7, 1.3), tight, "tangent");
  const Energy energy = formulas.energy(here.point()), wanted = cpp.energy(there.point());
  expect_near(Vector{energy.kinetic, energy.potential}, Vector{wanted.kinetic, wanted.potential}, tight, "energy");
}

void expect_same_contacts(const System& formulas, const System& cpp, const Here& at) {
  ContactSet set, wanted;
  formulas.detect(at.t, at.q, any_gap, set);
  cpp.detect(at.t, at.q, any_gap, wanted);
  ASSERT_EQ(set.size(), wanted.size());
  ASSERT_EQ(set.rows(), wanted.rows());
  ASSERT_EQ(set.G.size(), wanted.G.size());
  formulas.evaluate(at.t, at.q, set);
  cpp.evaluate(at.t, at.q, wanted);
  Vector curvature(set.rows()), wanted_curvature(set.rows());
  formulas.curvature(at.t, at.q, at.v, set, curvature);
  cpp.curvature(at.t, at.q, at.v, wanted, wanted_curvature);
  for (int i = 0; i < set.size(); ++i) {
    const Contact &a = set.contacts[i], &b = wanted.contacts[i];
    EXPECT_EQ(a.key, b.key);
    EXPECT_NEAR(a.gap, b.gap, tight);
    for (int row = 0; row < a.row_count; ++row) {
      for (int j = 0; j < a.width; ++j)
        EXPECT_NEAR(set.G[a.first_value + row * a.width + j], wanted.G[b.first_value + row * a.width + j], tight);
      EXPECT_NEAR(set.g_t[a.first_row + row], wanted.g_t[b.first_row + row], tight);
      const double k = wanted_curvature[b.first_row + row];
      EXPECT_NEAR(curvature[a.first_row + row], k, tight * (1.0 + std::abs(k)));
    }
  }
}

void expect_same_trajectory(const System& formulas, const System& cpp, double h, int steps) {
  const State a = run(formulas, h, (steps - 0.25) * h), b = run(cpp, h, (steps - 0.25) * h);
  ASSERT_NEAR(a.t, steps * h, 1e-9);
  expect_near(a.q, b.q, 1e-8, "q at the end");
  expect_near(a.v, b.v, 1e-6, "v at the end");
}

TEST(FormulaModels, SliderCrank) {
  const examples::SliderCrank data;
  const System formulas = compile(examples::formula_model(data)), cpp = compile(data.model());
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Here here = anywhere(cpp, 0.8, seed);
    expect_same_dynamics(formulas, cpp, here);
    expect_same_contacts(formulas, cpp, here);
  }
  expect_same_trajectory(formulas, cpp, 1e-5, 3000);
}

TEST(FormulaModels, BouncingBall) {
  const examples::BouncingBall data;
  const System formulas = compile(examples::formula_model(data)), cpp = compile(data.model());
  expect_same_dynamics(formulas, cpp, anywhere(cpp, 0.5, 1));
  expect_same_contacts(formulas, cpp, anywhere(cpp, 0.5, 1));
  expect_same_trajectory(formulas, cpp, 1e-3 / std::sqrt(2.0), 4000);
  EXPECT_TRUE(formulas.constant_matrix());
  EXPECT_TRUE(formulas.one_solve());
  EXPECT_TRUE(formulas.blocks()[0].constant_mass);
}

TEST(FormulaModels, RockingBlock) {
  examples::RockingBlock data;
  const System formulas = compile(examples::formula_model(data)), cpp = compile(data.model());
  expect_same_dynamics(formulas, cpp, anywhere(cpp, 0.3, 4));
  expect_same_contacts(formulas, cpp, anywhere(cpp, 0.3, 4));
  expect_same_trajectory(formulas, cpp, 1e-3, 1500);
  data.mu = 0.3;
  const System with_friction = compile(examples::formula_model(data)), cpp_with_friction = compile(data.model());
  expect_same_contacts(with_friction, cpp_with_friction, anywhere(cpp, 0.3, 5));
}

TEST(FormulaModels, RingPendulum) {
  const examples::RingPendulum data;
  const System formulas = compile(examples::formula_model(data)), cpp = compile(data.model());
  Here here = anywhere(cpp, 0.2, 6);
  expect_same_dynamics(formulas, cpp, here);
  expect_same_contacts(formulas, cpp, here);
  expect_same_trajectory(formulas, cpp, 1e-3, 1000);
}

TEST(FormulaModels, ASecondRunAllocatesNothing) {
  if (!counts_malloc) GTEST_SKIP() << why_no_count;
  const System system = compile(examples::formula_model(examples::SliderCrank{}));
  MoreauJean scheme(system, {});
  Certifier certifier(system);
  State x = system.initial_state(), before = x;
  const auto go = [&] {
    x = system.initial_state();
    scheme.start(x);
    for (int k = 0; k < 2000; ++k) {
      before = x;
      if (!scheme.step(x, 1e-5).ok() || !certifier.certify(before, x, scheme.promise()).ok()) return false;
    }
    return true;
  };
  ASSERT_TRUE(go());
  EXPECT_EQ(allocations([&] { EXPECT_TRUE(go()); }), 0);
}

TEST(FormulaModels, OneSystemServesManyThreads) {
  const System system = compile(examples::formula_model(examples::SliderCrank{}));
  std::vector<State> ends(4);
  std::vector<std::thread> threads;
  for (State& end : ends)
    threads.emplace_back([&system, &end] {
      MoreauJean scheme(system, {});
      end = system.initial_state();
      scheme.start(end);
      for (int k = 0; k < 3000; ++k)
        if (!scheme.step(end, 1e-5).ok()) return;
    });
  for (std::thread& thread : threads) thread.join();
  for (const State& end : ends) {
    EXPECT_NEAR(end.t, 0.03, 1e-9);
    EXPECT_EQ(hash(end), hash(ends[0]));
  }
}

// --- moving walls: gaps of time ---

TEST(FormulaGap, TimeDerivativesAreExact) {
  Model model;
  const BlockId ball = model.add_coordinates("ball", {"x", "y"}, masses_with_weight<2>(9.81), {0.4, 2.0}, {0.0, 0.0});
  const FormulaScope scope{.coordinates = {"x", "y"}};
  model.add_contact("floor", {ball}, formula_gap(scope, {{"y - 0.1*sin(3*t)*exp(x)", {"x - t^2", "x*y*t"}}}),
                    {.e = 0.3, .mu = 0.2});
  const System system = compile(model);
  const double t = 0.7, x = 0.3, y = 1.1, vx = -0.6, vy = 2.0;
  ContactSet set;
  const Vector q{x, y}, v{vx, vy};
  system.detect(t, q, any_gap, set);
  system.evaluate(t, q, set);
  ASSERT_EQ(set.rows(), 3);
  const double s = 0.1 * std::sin(3 * t) * std::exp(x), c = 0.3 * std::cos(3 * t) * std::exp(x);
  EXPECT_NEAR(set.contacts[0].gap, y - s, tight);
  expect_near(set.G, Vector{-s, 1.0, 1.0, 0.0, y * t, x * t}, tight, "G");
  expect_near(set.g_t, Vector{-c, -2 * t, x * y}, tight, "g_t");
  Vector curvature(3);
  system.curvature(t, q, v, set, curvature);
  expect_near(curvature, Vector{9 * s - 2 * c * vx - s * vx * vx, -2.0, 2 * vx * vy * t + 2 * vx * y + 2 * x * vy},
              tight, "curvature");
}

// --- forces ---

// Two masses on lines, one of them with a short name in the formulas.
struct Masses {
  Masses() : a(add("left")), b(add("right")) {}
  BlockId add(const char* name) {
    return model.add_coordinates(name, {"x", "w"}, masses_with_weight<2>(0.0), {0.3, -0.2}, {0.1, 0.5});
  }
  Model model;
  BlockId a, b;
  const FormulaScope scope{.coordinates = {"left.x", "left.w", "right.x", "right.w"},
                           .inputs = {{"motor", 1}},
                           .parameters = {{"k", 30.0}, {"d", 2.0}},
                           .definitions = {{"stretch", "right.x - left.x + sin(left.w)"}}};
};

TEST(FormulaForces, AreThoseInCpp) {
  Masses formulas, cpp;
  for (Model* model : {&formulas.model, &cpp.model}) {
    model->add_input("unused", 9.0);
    model->add_input("motor", 4.0);
  }
  formulas.model.add_force(
      "law", {formulas.a, formulas.b},
      formula_force(formulas.scope, {.force = {"k*stretch^3 + motor*cos(t)", "0", "-d*dot(stretch)",
                                               "if(left.w > 0, 1, -motor*right.w)"},
                                     .options = {.kind = ForceKind::damping}}));
  const auto law = [](const auto& t, const auto* q, const auto* v, const double* u, auto* Q) {
    using std::cos;
    using std::sin;
    const auto s = q[2] - q[0] + sin(q[1]);
    Q[0] = 30.0 * s * s * s + u[1] * cos(t);
    Q[1] = 0.0 * q[0];
    Q[2] = -2.0 * (v[2] - v[0] + cos(q[1]) * v[1]);
    Q[3] = -u[1] * q[3];
  };
  cpp.model.add_force("law", {cpp.a, cpp.b}, esc::force<4>(law, {.kind = ForceKind::damping}));
  const System system = compile(formulas.model), wanted = compile(cpp.model);
  Here here = anywhere(wanted, 0.3, 8);
  here.q[1] = -0.4;
  here.t = 0.9;
  here.scratch.resize(100);
  expect_same_dynamics(system, wanted, here);
  EXPECT_NEAR(system.power(here.point()).damping, wanted.power(here.point()).damping, tight);
  EXPECT_EQ(system.power(here.point()).applied, 0.0);
  EXPECT_FALSE(system.constant_matrix());
  expect_tangents(system, here);
}

TEST(FormulaForces, OfAPotentialConserveEnergy) {
  Masses masses;
  masses.model.add_force("spring", {masses.a, masses.b},
                         formula_force({.coordinates = masses.scope.coordinates, .parameters = {{"k", 30.0}}},
                                       {.potential = "k/2*(right.x - left.x + sin(left.w))^2 + left.w^4"}));
  const System system = compile(masses.model);
  const Here here = anywhere(system, 0.3, 9);
  expect_force_is_minus_gradient(system, here);
  expect_tangents(system, here);
  expect_power_balance(system, here);
  const double h = 1e-3;
  const auto energy = [&](const State& x) {
    Vector scratch(system.scratch_size());
    const Energy e = system.energy({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()});
    return e.kinetic + e.potential;
  };
  EXPECT_NEAR(energy(run(system, h, 1.0)), energy(system.initial_state()), 1e-4);
}

TEST(FormulaForces, WorkOfAPotentialThatMovesIsApplied) {
  Masses masses;
  masses.model.add_force("driven", {masses.a},
                         formula_force({.coordinates = {"x", "w"}, .parameters = {{"k", 30.0}}},
                                       {.potential = "k/2*(x - 0.1*sin(5*t))^2"}));
  const System system = compile(masses.model);
  Here here = anywhere(system, 0.3, 10);
  here.t = 0.4;
  const Vector F = force(system, here);
  double loss = 0.0;  // of the potential along the motion, by the force
  for (int i = 0; i < system.nv(); ++i) loss += F[i] * here.v[i];
  const double change = slope([&](double s) {
    Here there = moved(system, here, here.v, s);
    there.t += s;
    return Vector{potential(system, there)};
  })[0];
  EXPECT_NEAR(system.power(here.point()).applied, change + loss, 1e-8);
}

TEST(FormulaForces, ExplicitOnesAndLinearOnesLeaveTheMatrixConstant) {
  const auto with = [](const char* text, Tangents tangents) {
    Model model;
    const BlockId a = model.add_coordinates(
        "a", {"x"}, formula_block({.coordinates = {"x"}}, FormulaEquations{.diagonal = {"2"}}), {0.1}, {0.0});
    model.add_force("f", {a},
                    formula_force({.coordinates = {"x"}}, {.force = {text}, .options = {.tangents = tangents}}));
    return compile(model);
  };
  EXPECT_TRUE(with("-3*x - 2*dot(x) + sin(t)", Tangents::implicit).constant_matrix());
  EXPECT_FALSE(with("-3*x^3", Tangents::implicit).constant_matrix());
  const System system = with("-3*x^3", Tangents::none);
  EXPECT_TRUE(system.constant_matrix());
  EXPECT_EQ(tangent(system, anywhere(system, 0.3, 1), 1.0, 1.0), Vector{0.0});
}

// --- joints ---

TEST(FormulaJoints, AreThoseInCpp) {
  Masses formulas, cpp;
  formulas.model.set_assembly(Assembly::project);
  cpp.model.set_assembly(Assembly::project);
  formulas.model.add_joint("rod", {formulas.a, formulas.b},
                           formula_joint({.coordinates = formulas.scope.coordinates},
                                         {"hypot(right.x - left.x, right.w - left.w + 1) - 1 - 0.1*sin(t)",
                                          "left.x*left.w - right.w*cos(right.x) - 0.2*t"}));
  const auto rod = [](const auto& t, const auto* q, auto* g) {
    using std::cos;
    using std::sin;
    using std::sqrt;
    const auto x = q[2] - q[0], y = q[3] - q[1] + 1.0;
    g[0] = sqrt(x * x + y * y) - 1.0 - 0.1 * sin(t);
    g[1] = q[0] * q[1] - q[3] * cos(q[2]) - 0.2 * t;
  };
  cpp.model.add_joint("rod", {cpp.a, cpp.b}, constraint<4, 2>(rod));
  const System system = compile(formulas.model), wanted = compile(cpp.model);
  Here here = anywhere(wanted, 0.1, 11);
  here.t = 0.6;
  const JointSet set = joints(system, here), wanted_set = joints(wanted, here);
  expect_near(set.g, wanted_set.g, tight, "g");
  expect_near(set.G, wanted_set.G, tight, "G");
  expect_near(set.g_t, wanted_set.g_t, tight, "g_t");
  expect_joint_derivatives(system, here);
  Vector curvature(2), wanted_curvature(2), stiffness(4, 0.0), wanted_stiffness(4, 0.0);
  system.joint_curvature(here.point(), curvature);
  wanted.joint_curvature(here.point(), wanted_curvature);
  expect_near(curvature, wanted_curvature, tight, "curvature");
  const Vector lambda{0.8, -1.7}, w{0.1, 0.2, -0.3, 0.4};
  system.add_joint_stiffness(here.point(), lambda, w, stiffness);
  wanted.add_joint_stiffness(here.point(), lambda, w, wanted_stiffness);
  expect_near(stiffness, wanted_stiffness, tight, "stiffness");
  const State a = run(system, 1e-3, 0.5), b = run(wanted, 1e-3, 0.5);
  expect_near(a.q, b.q, 1e-9, "q at the end");
}

// --- blocks ---

// A pendulum on a cart with a motor, by energies and by its equations written out.
TEST(FormulaBlocks, EquationsAndEnergiesAgree) {
  const FormulaScope scope{.coordinates = {"x", "phi"},
                           .inputs = {{"motor", 0}},
                           .parameters = {{"M", 3.0}, {"m", 1.2}, {"l", 0.7}, {"g", 9.81}},
                           .definitions = {{"bob_x", "x + l*sin(phi)"}, {"bob_y", "-l*cos(phi)"}}};
  const auto system_of = [](std::unique_ptr<BlockLeaf> leaf) {
    Model model;
    model.add_input("motor", 2.5);
    model.add_coordinates("cart", {"x", "phi"}, std::move(leaf), {0.0, 0.4}, {0.3, -0.9});
    return compile(model);
  };
  const System energies =
      system_of(formula_block(scope, FormulaEnergies{.kinetic = "M/2*dot(x)^2 + m/2*(dot(bob_x)^2 + dot(bob_y)^2)",
                                                     .potential = "m*g*bob_y",
                                                     .force = {"motor - 0.4*dot(x)", "0"}}));
  const System equations =
      system_of(formula_block(scope, FormulaEquations{.mass = {{"M + m", "m*l*cos(phi)"}, {"m*l*cos(phi)", "m*l^2"}},
                                                      .force = {"m*l*sin(phi)*dot(phi)^2 + motor - 0.4*dot(x)", "0"},
                                                      .potential = "m*g*bob_y"}));
  Here here = anywhere(energies, 0.7, 12);
  expect_same_dynamics(energies, equations, here);
  here.scratch.resize(std::max(energies.scratch_size(), equations.scratch_size()));
  for (const System* system : {&energies, &equations}) {  // what depends on velocities and takes energy is damping
    const Power power = system->power(here.point());
    EXPECT_NEAR(power.applied, 2.5 * here.v[0], tight);
    EXPECT_NEAR(power.damping, -0.4 * here.v[0] * here.v[0], tight);
  }
  expect_tangents(energies, here);
  EXPECT_FALSE(energies.blocks()[0].constant_mass);
  EXPECT_FALSE(equations.blocks()[0].constant_mass);
}

}  // namespace
}  // namespace esc::testing
