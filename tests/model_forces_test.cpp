// Springs, laws of a length, joint springs and bushings: forces, energies, powers, tangents; and exact motions.
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include <escapement/models/line_force.hpp>
#include <escapement/system.hpp>

#include "tests/support/bodies.hpp"
#include "tests/support/differences.hpp"

namespace esc::testing {
namespace {

constexpr double pi = std::numbers::pi;

RigidBody slanted_box() {
  return {.mass = 2.0,
          .inertia = {0.5, 0.7, 0.9},
          .products = {0.05, -0.02, 0.03},
          .position = {0.3, -0.2, 0.5},
          .rotation = turn({1.0, 2.0, -1.0}, 0.8)};
}
RigidBody second_box() {
  return {.mass = 1.5, .inertia = {0.3, 0.2, 0.4}, .position = {1.4, 0.6, -0.1}, .rotation = turn({0, 1, 3}, -1.1)};
}

// Two frames whose bodies are both in space, both in the plane, or one on ground.
enum class Where { space, space_and_ground, plane, ground_and_plane };
constexpr std::array all_places{Where::space, Where::space_and_ground, Where::plane, Where::ground_and_plane};

template <class Add>
System with_frames(Where where, Add add) {
  Model model;
  Frame a, b;
  if (where == Where::space || where == Where::space_and_ground) {
    a = {model.add_rigid_body("one", slanted_box()), {0.1, 0.2, -0.3}, turn({1, 1, 0}, 0.4)};
    b = {ground, {0.2, 1.1, 0.4}, turn({0, 1, 1}, 0.7)};
    if (where == Where::space) b = {model.add_rigid_body("two", second_box()), {-0.2, 0.3, 0.1}, turn({2, 0, 1}, 0.3)};
  } else {
    a = planar_frame(ground, -0.4, 0.7, 0.2);
    if (where == Where::plane)
      a = planar_frame(model.add_planar_body("one", {2.0, 0.4, {0.3, 0.1, 0.5}, {}}), 0.2, -0.1, 0.3);
    b = planar_frame(model.add_planar_body("two", {1.0, 0.2, {1.3, 0.4, -0.4}, {}}), -0.1, 0.3, -0.6);
  }
  add(model, a, b);
  return compile(model);
}

// Symmetric and positive definite, with all couplings.
std::array<double, 36> full_matrix(double size, unsigned seed) {
  const Vector L = random_vector(36, 1.0, seed);
  std::array<double, 36> K{};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      for (int k = 0; k < 6; ++k) K[6 * i + j] += size * L[6 * i + k] * L[6 * j + k];
  return K;
}

using Add = std::function<void(Model&, const Frame&, const Frame&)>;

const Add add_damped_spring = [](Model& model, const Frame& a, const Frame& b) {
  model.add_spring("spring", a, b, {.stiffness = 40.0, .damping = 3.0, .length = 0.9});
};
const Add add_full_bushing = [](Model& model, const Frame& a, const Frame& b) {
  model.add_bushing("bushing", a, b, {full_matrix(20.0, 5), full_matrix(2.0, 6)});
};
const Add add_hinge_spring = [](Model& model, const Frame& a, const Frame& b) {
  model.set_assembly(Assembly::project);
  const JointId hinge = model.add_joint("hinge", Revolute{}, a, b);
  model.add_joint_spring("spring", hinge, JointCoordinate::angle, {.stiffness = 7.0, .damping = 0.5, .rest = 0.3});
};
const Add add_slide_spring = [](Model& model, const Frame& a, const Frame& b) {
  model.set_assembly(Assembly::project);
  const JointId rail = model.add_joint("rail", Prismatic{}, a, b);
  model.add_joint_spring("spring", rail, JointCoordinate::slide, {.stiffness = 7.0, .damping = 0.5, .rest = -0.2});
};
const Add add_law = [](Model& model, const Frame& a, const Frame& b) {
  const int pull = model.add_input("pull", 1.7).index;
  const auto law = [pull](const auto& t, const auto& length, const auto& rate, const double* u) {
    using std::exp;
    using std::tanh;
    return 5.0 * length * length + exp(0.3 * length) * tanh(2.0 * rate) + u[pull] * (1.0 + t);
  };
  model.add_force("law", {a, b}, line_force(law));
};

TEST(FrameForces, AreMinusTheGradientOfTheirEnergy) {
  for (const Where where : all_places)
    for (const Add& add : {add_damped_spring, add_full_bushing, add_hinge_spring, add_slide_spring}) {
      const System system = with_frames(where, add);
      for (unsigned seed = 1; seed < 4; ++seed) expect_force_is_minus_gradient(system, anywhere(system, 0.3, seed));
    }
}

TEST(FrameForces, HaveExactTangents) {
  for (const Where where : all_places)
    for (const Add& add : {add_damped_spring, add_full_bushing, add_hinge_spring, add_slide_spring, add_law}) {
      const System system = with_frames(where, add);
      for (unsigned seed = 1; seed < 4; ++seed) expect_tangents(system, anywhere(system, 0.3, seed));
    }
}

TEST(FrameForces, PowerIsDampingLessTheRateOfTheEnergy) {
  for (const Where where : all_places)
    for (const Add& add : {add_damped_spring, add_full_bushing, add_hinge_spring, add_slide_spring, add_law}) {
      const System system = with_frames(where, add);
      for (unsigned seed = 1; seed < 4; ++seed) {
        Here here = anywhere(system, 0.3, seed);
        expect_power_balance(system, here);
        EXPECT_LE(system.power(here.point()).damping, 0.0);
      }
    }
}

TEST(FrameForces, WorkOfALawGoesToTheLineThatItsOptionsName) {
  const auto drag = [](const auto&, const auto&, const auto& rate, const double*) { return 3.0 * rate; };
  for (const ForceKind kind : {ForceKind::applied, ForceKind::damping}) {
    const System system = with_frames(Where::space, [&](Model& model, const Frame& a, const Frame& b) {
      model.add_force("drag", {a, b}, line_force(drag, {.kind = kind}));
    });
    Here here = anywhere(system, 0.1, 3);
    const Power power = system.power(here.point());
    EXPECT_LT(kind == ForceKind::damping ? power.damping : power.applied, 0.0);
    EXPECT_EQ(kind == ForceKind::damping ? power.applied : power.damping, 0.0);
  }
}

// Between two bodies the force and the moment about the origin add up to nothing.
TEST(FrameForces, DoNotChangeTheMomentumOfThePair) {
  for (const Add& add : {add_damped_spring, add_full_bushing, add_hinge_spring, add_slide_spring, add_law}) {
    const System system = with_frames(Where::space, add);
    Here here = anywhere(system, 0.3, 9);
    const Vector without = [&] {  // the gyroscopic part
      const System free = with_frames(Where::space, [](Model&, const Frame&, const Frame&) {});
      return force(free, here);
    }();
    Vector F = force(system, here);
    Vec3<double> total{0, 0, 0}, moment{0, 0, 0};
    for (int body = 0; body < 2; ++body) {
      for (int i = 0; i < 6; ++i) F[6 * body + i] -= without[6 * body + i];
      const double *f = F.data() + 6 * body, *q = here.q.data() + 7 * body;
      const Vec3<double> n{f[0], f[1], f[2]}, p{q[0], q[1], q[2]};
      total = total + n;
      moment = moment + cross(p, n) + rotation_of(q[3], q[4], q[5], q[6]) * Vec3<double>{f[3], f[4], f[5]};
    }
    EXPECT_LT(norm(total), 1e-12);
    EXPECT_LT(norm(moment), 1e-12);
  }
}

// potra (10.13), (10.14): symmetric, never negative, and the exact tangent where there is no tension and no motion.
TEST(FrameForces, SemidefiniteTangentsAreSemidefinite) {
  const TangentForm form = TangentForm::semidefinite;
  for (const Add& add : {add_damped_spring, add_full_bushing}) {
    const System system = with_frames(Where::space, add);
    Here still = anywhere(system, 0.3, 4);
    std::fill(still.v.begin(), still.v.end(), 0.0);
    const int n = system.nv();
    for (const auto& [sq, sv] : {std::pair{1.0, 0.0}, std::pair{0.0, 1.0}}) {
      const Vector A = tangent(system, still, sq, sv, form);
      for (unsigned seed = 1; seed < 20; ++seed) {
        const Vector x = random_vector(n, 1.0, seed);
        double form_of_x = 0.0, skew = 0.0;
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) {
            form_of_x += x[i] * A[i * n + j] * x[j];
            skew = std::max(skew, std::abs(A[i * n + j] - A[j * n + i]));
          }
        EXPECT_GE(form_of_x, -1e-12);
        EXPECT_LT(skew, 1e-12);
      }
    }
  }
  Model model;
  const BlockId one = model.add_rigid_body("one", slanted_box());
  const auto p = slanted_box().position;
  model.add_spring("spring", Frame{one}, Frame{ground, {p[0] + 0.6, p[1], p[2] - 0.8}},
                   {.stiffness = 40.0, .damping = 3.0, .length = 1.0});
  const System relaxed = compile(model);
  const Here here(relaxed);
  expect_near(tangent(relaxed, here, 0.7, 0.3, form), tangent(relaxed, here, 0.7, 0.3), 1e-12, "unstretched spring");
}

// By hand, J = diag(2, 3, 4) and w = (1, 1, 1): F = (J w)~ with J w = (2, 3, 4), and F w = f. The antisymmetric part of
// f' = (J w)~ - w~ J is that of 3/2 J w - tr(J)/2 w = (-1.5, 0, 1.5), which is another one.
TEST(TangentForms, SemidefiniteTakesTheFactorOfTheGyroscopicTerm) {
  Model model;
  model.add_rigid_body("top", {.mass = 1.0, .inertia = {2.0, 3.0, 4.0}, .angular_velocity = {1.0, 1.0, 1.0}});
  const System system = compile(model);
  const Here here(system);
  const auto turning = [&](TangentForm form) {  // the 3 x 3 block of -C
    const Vector A = tangent(system, here, 0.0, 1.0, form);
    std::array<std::array<double, 3>, 3> block{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) block[i][j] = -A[(3 + i) * 6 + 3 + j];
    return block;
  };
  const auto F = turning(TangentForm::semidefinite), exact = turning(TangentForm::exact);
  const double wanted[3][3] = {{0, -4, 3}, {4, 0, -2}, {-3, 2, 0}},
               antisymmetric[3][3] = {{0, -1.5, 0}, {1.5, 0, 1.5}, {0, -1.5, 0}};
  const Vector f = force(system, here);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(F[i][0] + F[i][1] + F[i][2], f[3 + i], 1e-14);
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(F[i][j], wanted[i][j], 1e-14);
      EXPECT_NEAR(0.5 * (exact[i][j] - exact[j][i]), antisymmetric[i][j], 1e-14);
    }
  }
}

TEST(FrameForces, ExplicitForcesTieNothingTogether) {
  const auto with = [](Tangents tangents) {
    return with_frames(Where::space, [&](Model& model, const Frame& a, const Frame& b) {
      model.add_spring("spring", a, b, {40.0, 3.0, 0.9, tangents});
      model.add_bushing("bushing", a, b, {full_matrix(1.0, 1), full_matrix(1.0, 2), tangents});
      const auto law = [](const auto&, const auto& length, const auto&, const double*) { return 2.0 * length; };
      model.add_force("law", {a, b}, line_force(law, {.tangents = tangents}));
    });
  };
  const System implicit = with(Tangents::implicit), loose = with(Tangents::none);
  EXPECT_EQ(implicit.components().size(), 1u);
  EXPECT_EQ(loose.components().size(), 2u);
  const Here here = anywhere(implicit, 0.2, 5);
  EXPECT_EQ(force(implicit, here), force(loose, here));
}

// Rotations from none to nearly half a turn, also where the series take over.
TEST(Bushing, IsConservativeAtEveryRotation) {
  for (const double angle : {0.0, 1e-9, 1e-4, 9e-4, 1.1e-3, 0.09, 0.11, 1.0, 2.5, 3.1}) {
    Model model;
    const BlockId body = model.add_rigid_body("body", {.rotation = turn({1, -2, 0.5}, angle)});
    model.add_bushing("bushing", Frame{}, Frame{body}, {full_matrix(20.0, 5), full_matrix(2.0, 6)});
    const System system = compile(model);
    Here here(system);
    here.v = random_vector(6, 1.0, 8);
    expect_force_is_minus_gradient(system, here);
    if (angle < 3.0) expect_tangents(system, here);
    const double wanted = [&] {  // x = (0, angle u)
      const auto K = full_matrix(20.0, 5);
      const double size = std::sqrt(5.25), u[] = {1.0 / size, -2.0 / size, 0.5 / size};
      double V = 0.0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) V += 0.5 * angle * angle * u[i] * K[6 * (3 + i) + 3 + j] * u[j];
      return V;
    }();
    EXPECT_NEAR(potential(system, here), wanted, 1e-12 * (1.0 + wanted));
  }
}

// With T = 1 + (1 - cos a) / a^2 r~ + (a - sin a) / a^3 r~^2, the rate of rotation of a rotation vector r is T r', so
// that the moment m on the body has T^T m = -K r.
TEST(Bushing, MomentIsThatOfTheExactRotationVector) {
  const auto K = full_matrix(20.0, 5);
  for (const double a : {0.02, 0.09, 0.11, 1.0, 2.5, 3.1}) {
    Model model;
    const BlockId body = model.add_rigid_body("body", {.rotation = turn({1, -2, 0.5}, a)});
    model.add_bushing("bushing", Frame{}, Frame{body}, {K, {}});
    const System system = compile(model);
    const Here here(system);
    const Vector F = force(system, here);
    const Vec3<double> m = rotation_of(here.q[3], here.q[4], here.q[5], here.q[6]) * Vec3<double>{F[3], F[4], F[5]};
    const Vec3<double> r = (a / std::sqrt(5.25)) * Vec3<double>{1.0, -2.0, 0.5};
    const long double angle = a;
    const double first = static_cast<double>((1.0L - std::cos(angle)) / (angle * angle));
    const double second = static_cast<double>((angle - std::sin(angle)) / (angle * angle * angle));
    const Vec3<double> back = m - first * cross(r, m) + second * cross(r, cross(r, m));
    const std::array<double, 3> x{r.x, r.y, r.z};
    std::array<double, 3> wanted{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) wanted[i] -= K[6 * (3 + i) + 3 + j] * x[j];
    expect_near(Vector{back.x, back.y, back.z}, wanted, 2e-13, "T^T m against -K r");
  }
}

TEST(JointSpring, TurnsTheShortWayAcrossHalfATurnInSpace) {
  Model model;
  const BlockId arm = model.add_rigid_body("arm", {.rotation = turn({0, 0, 1}, -3.0)});
  const JointId hinge = model.add_joint("hinge", Revolute{}, Frame{}, Frame{arm});
  model.add_joint_spring("spring", hinge, JointCoordinate::angle, {.stiffness = 2.0, .rest = 3.0});
  const System system = compile(model);
  EXPECT_NEAR(force(system, Here(system))[5], 2.0 * (6.0 - 2.0 * pi), 1e-14);
}

// Two masses on a spring: the distance oscillates with omega^2 = k (1/m1 + 1/m2), the centre of mass stays.
TEST(SpringMotion, TwoMassesHaveTheExactFrequency) {
  const double m1 = 2.0, m2 = 3.0, k = 50.0, stretch = 0.1, h = 1e-3, until = 2.0;
  Model model;
  const BlockId a = model.add_rigid_body("a", {.mass = m1, .position = {0.0, 0.0, 0.0}});
  const BlockId b = model.add_rigid_body("b", {.mass = m2, .position = {0.6, 0.0, 0.8 + stretch}});
  const double length = std::hypot(0.6, 0.8 + stretch) - stretch;
  model.add_spring("spring", Frame{a}, Frame{b}, {.stiffness = k, .length = length});
  const System system = compile(model);
  const State x = run(system, h, until);
  const double omega = std::sqrt(k * (1.0 / m1 + 1.0 / m2));
  const double d = std::hypot(x.q[7] - x.q[0], x.q[8] - x.q[1], x.q[9] - x.q[2]);
  // The trapezoidal rule has the phase 2 atan(omega h / 2) a step.
  EXPECT_NEAR(d, length + stretch * std::cos(2.0 * std::atan(0.5 * omega * h) * until / h), 1e-9);
  EXPECT_NEAR(d, length + stretch * std::cos(omega * until), 1e-4);
  EXPECT_NEAR(m1 * x.q[2] + m2 * x.q[9], m2 * (0.8 + stretch), 1e-12);
}

TEST(SpringMotion, DampedTorsionPendulumFollowsItsExactSolution) {
  const double J = 0.4, k = 10.0, c = 0.3, start = 0.7, h = 1e-3, until = 1.5;
  Model model;
  const BlockId disc = model.add_rigid_body("disc", {.inertia = {0.3, 0.3, J}, .rotation = turn({0, 0, 1}, start)});
  const JointId hinge = model.add_joint("hinge", Revolute{}, Frame{}, Frame{disc});
  model.add_joint_spring("wire", hinge, JointCoordinate::angle, {.stiffness = k, .damping = c});
  const System system = compile(model);
  const State x = run(system, h, until);
  const double decay = c / (2.0 * J), omega = std::sqrt(k / J - decay * decay);
  const double wanted =
      start * std::exp(-decay * until) * (std::cos(omega * until) + decay / omega * std::sin(omega * until));
  EXPECT_NEAR(2.0 * std::atan2(x.q[6], x.q[3]), wanted, 1e-5);
}

// A body on a soft bushing: each direction oscillates for itself.
TEST(SpringMotion, DiagonalBushingHoldsABodyInEachDirection) {
  const double k = 30.0, kr = 5.0, h = 1e-3, until = 1.0;
  Model model;
  const BlockId body = model.add_rigid_body(
      "body", {.mass = 2.0, .inertia = {0.2, 0.2, 0.2}, .position = {0, 0.05, 0}, .rotation = turn({0, 0, 1}, 0.4)});
  model.add_bushing("mount", Frame{}, Frame{body}, diagonal_bushing({k, k, k, kr, kr, kr}));
  const System system = compile(model);
  const State x = run(system, h, until);
  EXPECT_NEAR(x.q[1], 0.05 * std::cos(std::sqrt(k / 2.0) * until), 1e-5);
  EXPECT_NEAR(2.0 * std::atan2(x.q[6], x.q[3]), 0.4 * std::cos(std::sqrt(kr / 0.2) * until), 1e-5);
}

// Points that meet have no line between them: the step fails, and the state stays.
TEST(SpringMotion, PointsThatMeetStopTheStep) {
  Model model;
  const BlockId a = model.add_rigid_body("a", {});
  const BlockId b = model.add_rigid_body("b", {.position = {1, 0, 0}});
  model.add_spring("spring", Frame{a}, Frame{b}, {.stiffness = 1.0, .length = 0.5});
  const System system = compile(model);
  MoreauJean scheme(system);
  State x = system.initial_state();
  x.q[7] = 0.0;
  scheme.start(x);
  const State before = x;
  EXPECT_EQ(scheme.step(x, 1e-3).status, StepStatus::not_finite);
  EXPECT_EQ(x.q, before.q);
  EXPECT_EQ(x.v, before.v);
}

}  // namespace
}  // namespace esc::testing
