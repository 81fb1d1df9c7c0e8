// A scheme takes states of its own system only, with histories of its own length; what watches a run belongs to it.
#include <string>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/recorder.hpp>
#include <escapement/simulate.hpp>

#include "examples/bouncing_ball.hpp"
#include "tests/support/schemes.hpp"

namespace esc {
namespace {

// One coordinate and one contact, as the bouncing ball has them.
System other_of_equal_size() {
  const auto mass = [](double, const double*, MatrixView M) { M(0, 0) = 2.0; };
  const auto force = [](const auto&, const auto*, const auto*, auto* F) { F[0] = -1.0; };
  Model model;
  const BlockId door = model.add_coordinates("door", {"x"}, lagrangian<1>(mass, force), {1.0}, {0.0});
  model.add_contact("stop", {door}, gap<1>([](const auto&, const auto* q) { return q[0]; }), {});
  return compile(model);
}

template <class Call>
std::string refused_because(Call call) {
  try {
    call();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

class IdentityContract : public ::testing::TestWithParam<testing::SchemeCase> {
 protected:
  const System system = compile(examples::BouncingBall{}.model());
  const System other = other_of_equal_size();
  const std::unique_ptr<Scheme> scheme = GetParam().make(system);
  State x = system.initial_state();
  const SimulateOptions run{.step = 1e-3, .until = 5e-3};

  std::string refusal(State& state, Recorder* recorder = nullptr) {
    return refused_because([&] { static_cast<void>(simulate(*scheme, state, run, recorder)); });
  }
};

TEST_P(IdentityContract, AStateOfAnotherSystemOfEqualSizeIsRefused) {
  State foreign = other.initial_state();
  ASSERT_EQ(foreign.q.size(), x.q.size());
  scheme->start(foreign);
  const State before = foreign;
  EXPECT_EQ(scheme->step(foreign, 1e-3).status, StepStatus::foreign_state);
  EXPECT_EQ(foreign, before);
  EXPECT_NE(refusal(foreign).find("another system"), std::string::npos) << refusal(foreign);
  EXPECT_EQ(foreign, before);

  scheme->start(x);
  const State start = x;
  ASSERT_TRUE(scheme->step(x, 1e-3).ok());
  State after = x;
  EXPECT_TRUE(certify(system, start, after, scheme->promise()).ok());
  after.layout = other.layout();
  EXPECT_FALSE(certify(system, start, after, scheme->promise()).ok());
  EXPECT_FALSE(certify(other, start, x, scheme->promise()).ok());
}

TEST_P(IdentityContract, AStateOfTheSameModelCompiledAgainIsTaken) {
  const System again = compile(examples::BouncingBall{}.model());
  State y = again.initial_state();
  scheme->start(x);
  scheme->start(y);
  EXPECT_EQ(y, x);
  EXPECT_TRUE(scheme->step(y, 1e-3).ok());
  ASSERT_TRUE(scheme->step(x, 1e-3).ok());
  EXPECT_EQ(hash(y), hash(x));
}

TEST_P(IdentityContract, AHistoryOfAnotherLengthIsRefused) {
  scheme->start(x);
  for (std::size_t i = 0; i < x.histories.size(); ++i) {
    State longer = x;
    longer.histories[i].values.push_back(0.0);
    const State before = longer;
    EXPECT_EQ(scheme->step(longer, 1e-3).status, StepStatus::foreign_state);
    EXPECT_NE(refusal(longer).find("history of " + x.histories[i].owner), std::string::npos) << refusal(longer);
    EXPECT_EQ(longer, before);
    if (x.histories[i].values.empty()) continue;
    State shorter = x;
    shorter.histories[i].values.pop_back();
    EXPECT_EQ(scheme->step(shorter, 1e-3).status, StepStatus::foreign_state);
    EXPECT_NE(refusal(shorter).find("history of " + x.histories[i].owner), std::string::npos);
  }
  EXPECT_EQ(refusal(x), "accepted");
}

TEST_P(IdentityContract, ARecorderOfAnotherSystemIsRefused) {
  Recorder foreign(other), own(system);
  foreign.add_coordinates();
  own.add_coordinates();
  EXPECT_NE(refusal(x, &foreign).find("recorder"), std::string::npos);
  EXPECT_EQ(foreign.rows(), 0);
  EXPECT_NE(refused_because([&] { foreign.record(x); }).find("another system"), std::string::npos);
  EXPECT_EQ(foreign.rows(), 0);
  EXPECT_EQ(refusal(x, &own), "accepted");
  EXPECT_GE(own.rows(), 6);
  EXPECT_TRUE(own.rows() == 6 || scheme->traits().changes_step) << own.rows();  // a row for every part of a step
}

TEST_P(IdentityContract, ASystemThatWasMovedFromIsRefused) {
  System first = compile(examples::BouncingBall{}.model());
  const auto own = GetParam().make(first);
  State y = first.initial_state();
  own->start(y);
  const System second = std::move(first);
  const State before = y;
  EXPECT_EQ(own->step(y, 1e-3).status, StepStatus::foreign_state);
  EXPECT_EQ(y, before);
}

INSTANTIATE_TEST_SUITE_P(AllSchemes, IdentityContract, ::testing::ValuesIn(testing::schemes),
                         [](const auto& entry) { return entry.param.name; });

}  // namespace
}  // namespace esc
