// Who is active is not for round-off to decide: moving the origin or turning the frame of reference moves every number
// of a model in its last digits, and must not change what happens.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/models/shapes.hpp>
#include <escapement/simulate.hpp>

#include "tests/support/schemes.hpp"

namespace esc {
namespace {

using Vector = std::array<double, 3>;

// Where the model stands: a point of it, and its x axis.
struct Place {
  Vector origin{}, axis{1, 0, 0};
};

// Balls in a row that touch, of which the first comes from the left with 1 m/s.
struct Row {
  int balls = 3;
  double e = 1.0;

  Model model(const Place& place) const {
    constexpr double radius = 0.05, apart = 0.0237;
    Model model;
    std::vector<ShapeId> skins;
    RigidBody body = solid(Sphere{radius}, 1000.0);
    for (int i = 0; i < balls; ++i) {
      const double along = 2.0 * radius * i - (i == 0 ? apart : 0.0);
      for (int k = 0; k < 3; ++k) {
        body.position[k] = place.origin[k] + along * place.axis[k];
        body.velocity[k] = i == 0 ? place.axis[k] : 0.0;
      }
      const std::string name = "ball" + std::to_string(i);
      skins.push_back(model.add_shape(name + ".skin", {model.add_rigid_body(name, body)}, Sphere{radius}));
    }
    for (int i = 1; i < balls; ++i) model.add_contact("c" + std::to_string(i), skins[i - 1], skins[i], {.e = e});
    return model;
  }

  // Of every ball along the axis.
  std::vector<double> velocities(const testing::SchemeCase& entry, const Place& place) const {
    const System system = compile(model(place));
    const auto scheme = entry.make(system);
    State x = system.initial_state();
    const RunReport report = simulate(*scheme, x, {.step = 1e-2, .until = 0.1});
    EXPECT_TRUE(report.ok()) << report.message;
    EXPECT_EQ(report.failed_certificates, 0) << "origin " << place.origin[0];
    std::vector<double> v;
    for (int i = 0; i < balls; ++i) {
      const double* of = x.v.data() + 6 * i;
      v.push_back(of[0] * place.axis[0] + of[1] * place.axis[1] + of[2] * place.axis[2]);
    }
    return v;
  }
};

std::vector<Place> places() {
  const double s = std::sqrt(0.5);
  return {{{0.1, 0, 0}},
          {{10, 0, 0}},
          {{1000, 0, 0}},
          {{-0.3, 0.7, 0.1}, {0, 1, 0}},
          {{0, 0, 0}, {s, s, 0}},
          {{0.1, 0, 0}, {0.6, 0, 0.8}},
          {{1000, -700, 30}, {2.0 / 3, -1.0 / 3, 2.0 / 3}},
          {{-1000.3, 0, 0}},
          {{3000.1, 0, 0}}};
}

class RoundOff : public ::testing::TestWithParam<testing::SchemeCase> {};

TEST_P(RoundOff, MovesNobodyWhenTheOriginDoes) {
  for (const int balls : {3, 5})
    for (const double e : {0.0, 0.5, 1.0}) {
      const Row row{balls, e};
      const std::vector<double> home = row.velocities(GetParam(), {});
      for (const Place& place : places()) {
        const std::vector<double> away = row.velocities(GetParam(), place);
        for (int i = 0; i < balls; ++i)
          EXPECT_NEAR(away[i], home[i], 1e-9) << balls << " balls, e " << e << ", ball " << i << ", origin "
                                              << place.origin[0] << ", axis " << place.axis[0];
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Schemes, RoundOff, ::testing::ValuesIn(testing::schemes),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace esc
