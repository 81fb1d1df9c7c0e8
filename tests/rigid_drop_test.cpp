// A body in space that falls on a floor with friction, tilted: it lands on one corner, rocks, slides and comes to rest,
// and every step holds what its scheme promises.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

#include "examples/rotations.hpp"

namespace esc {
namespace {

struct Drop {
  double tilt, e, mu;
};

Model drop_model(const Geometry& shape, const Drop& drop) {
  const double d = std::sqrt(0.5);
  RigidBody body = solid(shape, 500.0);
  body.position = {0.0, 0.0, 0.2};
  body.rotation = examples::turn({d, d, 0.0}, drop.tilt);
  body.velocity = {0.5, 0.2, 0.0};
  body.angular_velocity = {0.0, 0.0, 2.0};
  Model model;
  model.set_gravity({0.0, 0.0, -9.81});
  const BlockId id = model.add_rigid_body("body", body);
  const ShapeId above = model.add_shape("shape", {id}, shape);
  model.add_contact("landing", above, model.add_shape("floor", {ground}, HalfSpace{}), {.e = drop.e, .mu = drop.mu});
  return model;
}

void expect_clean(const Geometry& shape, const char* scheme) {
  for (const Drop& drop : {Drop{0.1, 0.3, 0.6}, {0.1, 0.8, 0.3}, {0.2, 0.5, 0.3}, {0.2, 0.8, 0.1}, {0.4, 0.5, 0.6}}) {
    const System system = compile(drop_model(shape, drop));
    const auto run = make_scheme(scheme, system, {});
    State x = system.initial_state();
    run->start(x);
    const RunReport report = simulate(*run, x, {.step = 1e-3, .until = 1.0});
    EXPECT_TRUE(report.certified()) << scheme << ", tilt " << drop.tilt << ", e " << drop.e << ", mu " << drop.mu
                                    << ": t = " << x.t << " s, " << report.failed_certificates << " certificates fail\n"
                                    << summary(*run, {.step = 1e-3, .until = 1.0}, report);
  }
}

class RigidDrop : public ::testing::TestWithParam<const char*> {};

TEST_P(RigidDrop, OfABox) { expect_clean(Box{0.2, 0.15, 0.1}, GetParam()); }
TEST_P(RigidDrop, OfACylinder) { expect_clean(Cylinder{0.05, 0.12}, GetParam()); }
TEST_P(RigidDrop, OfACapsule) { expect_clean(Capsule{0.05, 0.12}, GetParam()); }

// Said when the scheme is made, though the body is still in the air.
TEST_P(RigidDrop, RefusesSolversForThePlane) {
  const System system = compile(drop_model(Box{0.2, 0.15, 0.1}, {0.1, 0.5, 0.3}));
  const System smooth = compile(drop_model(Box{0.2, 0.15, 0.1}, {0.1, 0.5, 0.0}));
  for (const char* solver : {"enumerate", "lemke"}) {
    const std::vector<OptionText> options{{"solver", solver}};
    EXPECT_NE(make_scheme(GetParam(), smooth, options), nullptr);
    try {
      EXPECT_EQ(make_scheme(GetParam(), system, options), nullptr);
      ADD_FAILURE() << solver << " was taken";
    } catch (const OptionError& error) {
      EXPECT_EQ(error.option(), "solver");
      EXPECT_NE(std::string(error.what()).find("landing"), std::string::npos) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, RigidDrop,
                         ::testing::Values("moreau-jean", "direct-projected", "combined-projection"),
                         [](const auto& suite) {
                           std::string name = suite.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace esc
