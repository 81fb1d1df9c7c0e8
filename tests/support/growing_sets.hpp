// A step whose set of contacts has to grow, for schemes that promise gaps.
#pragma once

#include <array>

#include <gtest/gtest.h>

#include <escapement/models/gap.hpp>
#include <escapement/system.hpp>

namespace esc::test {

// Two masses fall one above the other; only the floor's impulse on the lower one closes the gap between them.
template <class S>
void expect_second_contact_found(const std::array<double, 3>& gravity) {
  Model model;
  model.set_gravity(gravity);
  const BlockId low = model.add_planar_body("low", {.pose = {0.0, 5e-3, 0.0}, .velocity = {0.0, -1.0, 0.0}});
  const BlockId high = model.add_planar_body("high", {.pose = {0.0, 6e-3, 0.0}, .velocity = {0.0, -1.0, 0.0}});
  model.add_contact("floor", {Coordinates(low, 1, 1)}, gap<1>([](const auto&, const auto* q) { return q[0]; }), {});
  model.add_contact("between", {Coordinates(low, 1, 1), Coordinates(high, 1, 1)},
                    gap<2>([](const auto&, const auto* q) { return q[1] - q[0]; }), {});
  const System system = compile(model);
  S scheme(system);
  State x = system.initial_state();
  scheme.start(x);
  const StepReport report = scheme.step(x, 1e-2);
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.index_sets, 3);  // nothing, the floor, both
  EXPECT_NEAR(x.q[1], 0.0, 1e-12);
  EXPECT_NEAR(x.q[4], 0.0, 1e-12);
}

}  // namespace esc::test
