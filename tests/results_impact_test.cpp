// Impulse / time is a force only where no impact acts. A beam of 1 kg and 2 m hangs on a pivot at its left end and
// rests on a support at its right one: 5 N each, with g = 10 m/s^2. A ball of 0.5 kg falls on its middle and stays: 7.5
// N each from then on. In the step of the impact the impulses of support and pivot are no forces, whatever the step.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/impact_marks.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>
#include <escapement/recorder.hpp>
#include <escapement/schemes/registry.hpp>

#include "tests/support/results_files.hpp"

namespace esc {
namespace {

using testing::Folder;
using testing::run_info;

constexpr double g = 10.0, before = 5.0, after = 7.5;

// The block beside it rests on a floor of its own: no impact reaches it.
System beam_and_ball() {
  const auto falling = [](double m) {
    return lagrangian<1>([m](double, const double*, MatrixView M) { M(0, 0) = m; },
                         [m](const auto&, const auto*, const auto*, auto* F) { F[0] = -m * g; });
  };
  Model model;
  const BlockId beam = model.add_planar_body("beam", {.mass = 1.0, .inertia = 1.0 / 3.0});
  const BlockId ball = model.add_coordinates("ball", {"y"}, falling(0.5), {1e-4}, {-0.5});
  const BlockId aside = model.add_coordinates("aside", {"y"}, falling(2.0), {0.0}, {0.0});
  model.set_gravity({0.0, -g, 0.0});
  model.add_joint("pivot", Revolute{}, Frame{ground, {-1, 0, 0}}, Frame{beam, {-1, 0, 0}});
  model.add_contact("support", {beam}, gap<3>([](const auto&, const auto* q) {
                      using std::sin;
                      return q[1] + sin(q[2]);
                    }),
                    {});
  model.add_contact("hit", {beam, ball}, gap<4>([](const auto&, const auto* q) { return q[3] - q[1]; }), {});
  model.add_contact("floor", {aside}, gap<1>([](const auto&, const auto* q) { return q[0]; }), {});
  return compile(model);
}

struct Tables {
  io::FrameTable frames;
  io::ContactTable contacts;
};

Tables record(const System& system, const std::string& name, double h) {
  const Folder folder;
  const auto scheme = make_scheme(name, system, {});
  State x = system.initial_state();
  const SimulateOptions options{.step = h, .until = 1e-3};
  io::ResultsWriter writer(*scheme, run_info(*scheme, options, 1), folder.file("r.h5"));
  const RunReport report = io::record_run(*scheme, x, options, writer);
  EXPECT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(report.impacts, 1) << name << " " << h;
  const io::ResultsReader reader(folder.file("r.h5"));
  return {reader.frames(0, reader.frame_count()), reader.contacts(0, reader.contact_count())};
}

// Every force of this pair that is one.
std::vector<double> forces(const System& system, const Tables& tables, const std::string& pair) {
  std::vector<double> forces;
  for (std::size_t i = 0; i < tables.contacts.pair.size(); ++i)
    if (tables.contacts.pair[i] == system.contact_key(pair).pair && tables.contacts.impact[i] == 0)
      forces.push_back(tables.contacts.force[3 * i]);
  return forces;
}

// A scheme without an impact law may throw the ball off: the beam is then alone again.
void expect_statics(const std::vector<double>& forces, bool stays, const std::string& what) {
  ASSERT_FALSE(forces.empty()) << what;
  EXPECT_NEAR(forces.front(), before, 1e-3) << what;
  EXPECT_NEAR(forces.back(), stays ? after : before, 1e-3) << what;
  for (const double force : forces)
    EXPECT_TRUE(std::abs(force - before) < 1e-3 || std::abs(force - after) < 1e-3) << what << ": " << force << " N";
}

class ImpactMarksOfResults : public ::testing::TestWithParam<const char*> {};

TEST_P(ImpactMarksOfResults, LeaveTheForcesOfStaticsWhateverTheStep) {
  const System system = beam_and_ball();
  for (const double h : {1e-4, 1e-5, 1e-6}) {
    const bool stays = scheme_traits(GetParam(), {}).restitution;
    const Tables tables = record(system, GetParam(), h);
    expect_statics(forces(system, tables, "support"), stays, "support");
    std::vector<double> pivot;
    int marked = 0;
    for (std::size_t i = 1; i < tables.frames.t.size(); ++i) {
      EXPECT_EQ(std::isnan(tables.frames.reaction[6 * i + 1]), tables.frames.joint_impact[i] == 1);
      if (tables.frames.joint_impact[i] == 1)
        ++marked;
      else
        pivot.push_back(tables.frames.reaction[6 * i + 1]);
    }
    EXPECT_GE(marked, 1);
    EXPECT_LE(marked, 2);
    expect_statics(pivot, stays, "pivot");
    for (const double force : forces(system, tables, "floor")) EXPECT_NEAR(force, 20.0, 1e-6);
    EXPECT_EQ(forces(system, tables, "floor").size(), tables.frames.t.size() - 1) << "the impact does not reach it";
  }
}

// What the ball loses the others get: 0.25 N s at the middle are 0.125 N s at each end, in the step that is marked.
TEST(ImpactMarks, KeepTheImpulses) {
  const System system = beam_and_ball();
  for (const double h : {1e-5, 1e-6}) {
    const Tables tables = record(system, "moreau-jean", h);
    int own = 0, near = 0;
    for (std::size_t i = 0; i < tables.contacts.pair.size(); ++i) {
      const std::string& name = system.pair_names()[tables.contacts.pair[i]];
      const double P = tables.contacts.impulse[3 * i];
      EXPECT_EQ(std::isnan(tables.contacts.force[3 * i]), tables.contacts.impact[i] != 0);
      if (tables.contacts.impact[i] == 1) {
        EXPECT_EQ(name, "hit");
        EXPECT_NEAR(P, 0.25, 0.005);
        ++own;
      } else if (tables.contacts.impact[i] == 2) {
        EXPECT_EQ(name, "support");
        EXPECT_NEAR(P, 0.125, 0.005);
        const auto frame = static_cast<std::size_t>(tables.contacts.frame[i]);
        EXPECT_EQ(tables.frames.joint_impact[frame], 1);
        EXPECT_NEAR(tables.frames.reaction_impulse[6 * frame + 1], 0.125, 0.005);
        ++near;
      }
    }
    EXPECT_EQ(own, 1);
    EXPECT_EQ(near, 1);
  }
}

TEST(ImpactMarks, TheRecorderHasNoForceWhereAnImpactReachesTheJoint) {
  const System system = beam_and_ball();
  const auto scheme = make_scheme("moreau-jean", system, {});
  Recorder recorder(system);
  recorder.add_reaction(system.joint("pivot"));
  State x = system.initial_state();
  ASSERT_TRUE(simulate(*scheme, x, {.step = 1e-5, .until = 1e-3}, &recorder).ok());
  std::vector<double> forces = recorder.column("pivot.force_y");
  forces.erase(forces.begin());  // no step has ended there
  EXPECT_EQ(std::erase_if(forces, [](double force) { return std::isnan(force); }), 1u);
  expect_statics(forces, true, "pivot");
}

INSTANTIATE_TEST_SUITE_P(Schemes, ImpactMarksOfResults,
                         ::testing::Values("moreau-jean", "direct-projected", "combined-projection", "schatzman-paoli",
                                           "position-theta"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace esc
