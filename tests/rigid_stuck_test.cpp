// A step that fails names the contact at which it is stuck, and its advice helps.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

namespace esc {
namespace {

// A ball that is fast enough to cross a plate within one step.
Model shot() {
  Model model;
  RigidBody body = solid(Sphere{0.01}, 1000.0);
  body.position = {0.0, 0.0, 0.5};
  body.velocity = {0.0, 0.0, -100.0};
  const ShapeId ball = model.add_shape("skin", {model.add_rigid_body("ball", body)}, Sphere{0.01});
  model.add_contact("target", ball, model.add_shape("plate", {ground}, Box{0.5, 0.5, 0.01}), {.e = 0.5});
  return model;
}

TEST(StuckAt, WhatAStepHasPassedAndHalvingFindsIt) {
  const System system = compile(shot());
  const SimulateOptions run{.step = 0.009, .until = 0.018};
  State x = system.initial_state();
  const auto scheme = make_scheme("combined-projection", system, {});
  const RunReport report = simulate(*scheme, x, run);
  EXPECT_EQ(report.last.status, StepStatus::contact_missed);
  EXPECT_NE(report.message.find("stuck at contact target"), std::string::npos) << report.message;
  ASSERT_NE(report.message.find("the scheme halve"), std::string::npos) << report.message;

  const std::vector<OptionText> advised{{"inner.scheme", "combined-projection"}};
  const auto halving = make_scheme("halve", system, advised);
  x = system.initial_state();
  const RunReport helped = simulate(*halving, x, run);
  EXPECT_TRUE(helped.certified()) << helped.message;
  EXPECT_GT(x.v[2], 0.0);
}

}  // namespace
}  // namespace esc
