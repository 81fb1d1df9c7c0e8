// Gap functions g(t, q): gradients, partial derivatives in time, slip rows, curvature; and the algebra of contact rows.
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/system.hpp>

namespace esc {
namespace {

// Two contacts with friction between two coordinates of one block and one of another, and moving in time.
struct Wavy {
  static constexpr int size = 3, contacts = 2, slips = 2;
  template <class S>
  void gap(const S& t, const S* q, S* g) const {
    using std::cos;
    using std::sin;
    g[0] = 5.0 + q[0] * q[1] + sin(3.0 * t + q[2]);
    g[1] = 7.0 + cos(q[0] - 2.0 * q[2]) * (1.0 + t * t);
  }
  template <class S>
  void slip(const S& t, const S* q, S* s) const {
    using std::exp;
    for (int i = 0; i < 4; ++i) s[i] = exp(0.3 * q[i % 3]) * q[(i + 1) % 3] + (1.0 + i) * t * q[(i + 2) % 3];
  }
};

template <int N>
std::unique_ptr<BlockLeaf> free_masses() {
  return lagrangian<N>(
      [](double, const double*, MatrixView M) {
        for (int i = 0; i < N; ++i)
          for (int j = 0; j < N; ++j) M(i, j) = i == j ? 1.0 : 0.0;
      },
      [](const auto&, const auto*, const auto*, auto* F) {
        for (int i = 0; i < N; ++i) F[i] = 0.0;
      });
}

System wavy_system(double mu) {
  Model model;
  const BlockId one = model.add_coordinates("one", {"a", "b"}, free_masses<2>(), {0.1, 0.2}, {0.0, 0.0});
  const BlockId two = model.add_coordinates("two", {"a", "b", "c"}, free_masses<3>(), {0.1, 0.2, 0.3}, {0.0, 0.0, 0.0});
  model.add_contact("wave", {Coordinates(two, 1, 2), Coordinates(one, 0, 1)}, contacts(Wavy{}), {.mu = mu});
  return compile(model);
}
constexpr std::array<int, 3> arguments{3, 4, 0};  // velocities of the wave's coordinates, in its order

ContactSet evaluated(const System& system, double t, const std::vector<double>& q) {
  ContactSet set;
  system.detect(t, q, any_gap, set);
  system.evaluate(t, q, set);
  return set;
}

std::vector<double> numbers(int n) {
  std::vector<double> values(n);
  for (double& value : values) value = *rc::gen::inRange(-1000, 1001) / 500.0;
  return values;
}

// The value of row r of contact k from the functions themselves.
double row_value(double t, const std::vector<double>& q, int k, int r) {
  std::array<double, 3> x;
  for (int i = 0; i < 3; ++i) x[i] = q[arguments[i]];
  std::array<double, 2> g;
  std::array<double, 4> s;
  Wavy{}.gap(t, x.data(), g.data());
  Wavy{}.slip(t, x.data(), s.data());
  return r == 0 ? g[k] : s[2 * k + r - 1];
}

TEST(GapFunction, RowsAreTheDerivativesInEveryCoordinateAndInTime) {
  const System system = wavy_system(0.5);
  EXPECT_TRUE(rc::check([&] {
    const auto q = numbers(5);
    const double t = numbers(1)[0], d = 1e-5;
    const ContactSet set = evaluated(system, t, q);
    RC_ASSERT(set.size() == 2);
    RC_ASSERT(set.rows() == 6);
    for (const Contact& contact : set.contacts)
      for (int row = 0; row < 3; ++row) {
        const int k = static_cast<int>(contact.key.feature);
        for (int j = 0; j < 3; ++j) {
          auto plus = q, minus = q;
          plus[arguments[j]] += d;
          minus[arguments[j]] -= d;
          const double slope = (row_value(t, plus, k, row) - row_value(t, minus, k, row)) / (2.0 * d);
          RC_ASSERT(std::abs(set.G[contact.first_value + row * 3 + j] - slope) < 1e-7);
        }
        const double rate = (row_value(t + d, q, k, row) - row_value(t - d, q, k, row)) / (2.0 * d);
        RC_ASSERT(std::abs(set.g_t[contact.first_row + row] - rate) < 1e-7);
      }
  }));
}

TEST(GapFunction, CurvatureIsTheRateOfTheRowsAlongTheMotion) {
  const System system = wavy_system(0.5);
  EXPECT_TRUE(rc::check([&] {
    const auto q = numbers(5), v = numbers(5);
    const double t = numbers(1)[0], d = 1e-4;
    const ContactSet set = evaluated(system, t, q);
    std::vector<double> curvature(set.rows());
    system.curvature(t, q, v, set, curvature);
    const auto along = [&](double s, int k, int row) {
      auto moved = q;
      for (int i = 0; i < 5; ++i) moved[i] += s * v[i];
      return row_value(t + s, moved, k, row);
    };
    for (int k = 0; k < 2; ++k)
      for (int row = 0; row < 3; ++row) {
        const double second = (along(d, k, row) - 2.0 * along(0.0, k, row) + along(-d, k, row)) / (d * d);
        RC_ASSERT(std::abs(curvature[3 * k + row] - second) < 1e-5 * (10.0 + std::abs(second)));
      }
  }));
}

TEST(GapFunction, WithoutFrictionThereIsOneRow) {
  const System system = wavy_system(0.0);
  const ContactSet set = evaluated(system, 0.0, system.initial_state().q);
  EXPECT_EQ(set.rows(), 2);
  EXPECT_EQ(set.contacts[0].row_count, 1);
}

TEST(ContactRows, ImpulsesAreTheTransposeOfVelocities) {
  const System system = wavy_system(0.5);
  EXPECT_TRUE(rc::check([&] {
    const auto q = numbers(5), v = numbers(5), P = numbers(3);
    const ContactSet set = evaluated(system, 0.3, q);
    for (const Contact& contact : set.contacts) {
      double U[3];
      velocity(set, contact, v, U);
      std::vector<double> f(5, 0.0);
      add_impulse(set, contact, P.data(), f);
      double work = 0.0, rows = 0.0;
      for (int i = 0; i < 5; ++i) work += f[i] * v[i];
      for (int row = 0; row < 3; ++row) rows += P[row] * (U[row] - set.g_t[contact.first_row + row]);
      RC_ASSERT(std::abs(work - rows) < 1e-10 * (1.0 + std::abs(work)));
    }
  }));
}

TEST(ContactRows, WorldAndRowsAreInverse) {
  EXPECT_TRUE(rc::check([] {
    const double a = numbers(1)[0], b = numbers(1)[0];
    const auto P = numbers(3);
    Contact contact;
    contact.row_count = 3;
    contact.normal = {std::cos(a) * std::cos(b), std::sin(a) * std::cos(b), std::sin(b)};
    contact.tangent = {-std::sin(a), std::cos(a), 0.0};
    const auto world = to_world(contact, P.data());
    double back[3];
    to_rows(contact, world, back);
    double size = 0.0, world_size = 0.0;
    for (int i = 0; i < 3; ++i) {
      RC_ASSERT(std::abs(back[i] - P[i]) < 1e-12);
      size += P[i] * P[i];
      world_size += world[i] * world[i];
    }
    RC_ASSERT(std::abs(size - world_size) < 1e-10);
  }));
}

}  // namespace
}  // namespace esc
