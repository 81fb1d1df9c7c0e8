// The metrics of a projection, acary (59): N = 1, M^-1, Mhat^-1 and the user's own. Each moves positions along its own
// N G^T tau, and the certificate holds it to that.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>
#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

#include "examples/chain.hpp"
#include "examples/elastic_bar.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_crank.hpp"

namespace esc {
namespace {

// N^-1 = scale 1.
struct Scaled final : ProjectionMetric {
  Scaled(const System& of, double s) : system(of), scale(s) {}
  void inverse(double, std::span<const double>, std::span<double> N_inverse) const override {
    for (const MatrixBlock& block : system.blocks())
      for (int i = 0; i < block.n; ++i) N_inverse[block.diagonal(i)] = scale;
  }
  const System& system;
  double scale;
};

// N^-1 = M, asked of the System.
struct Mass final : ProjectionMetric {
  explicit Mass(const System& of) : system(of) {}
  void inverse(double t, std::span<const double> q, std::span<double> N_inverse) const override {
    const State& x = system.initial_state();
    std::vector<double> scratch(system.scratch_size());
    system.mass({t, q.data(), x.v.data(), x.u.data(), scratch.data()}, N_inverse, Part::all);
  }
  const System& system;
};

struct Course {
  std::vector<State> states;
  long projected = 0;  // steps with a correction
};

template <class S>
Course course(const System& system, const typename S::Options& options, double h, int steps) {
  Course c;
  S scheme(system, options);
  State x = system.initial_state();
  SimulateOptions run{.step = h, .until = steps * h};
  run.keep_going = [&](const State& now) {
    c.states.push_back(now);
    const auto is_projected = [](const ContactRecord& record) { return record.tau != 0.0; };
    c.projected += std::any_of(now.contacts.begin(), now.contacts.end(), is_projected) || !now.joint_tau.empty();
    return true;
  };
  const RunReport report = simulate(scheme, x, run);
  EXPECT_TRUE(report.ok()) << report.message;
  EXPECT_EQ(report.failed_certificates, 0) << to_string(report.worst_check);
  EXPECT_GT(c.projected, 0);
  return c;
}

double apart(const Course& a, const Course& b) {
  EXPECT_EQ(a.states.size(), b.states.size());
  double worst = 0.0;
  for (std::size_t k = 0; k < std::min(a.states.size(), b.states.size()); ++k)
    for (std::size_t i = 0; i < a.states[k].q.size(); ++i)
      worst = std::max(worst, std::abs(a.states[k].q[i] - b.states[k].q[i]));
  return worst;
}

// The block has no forces but its weight, so Mhat = M: two metrics, one motion. Identity turns it otherwise.
TEST(ProjectionMetric, MassIsNotTheIdentity) {
  const System block = compile(examples::RockingBlock{}.model());
  const Course identity = course<CombinedProjection>(block, {}, 1e-2, 25);
  const Course mass = course<CombinedProjection>(block, {.metric = Metric::mass}, 1e-2, 25);
  const Course matrix = course<CombinedProjection>(block, {.metric = Metric::iteration_matrix}, 1e-2, 25);
  EXPECT_GT(apart(identity, mass), 1e-4);
  EXPECT_LE(apart(matrix, mass), 1e-11);
}

// A bar has stiffness: at a step as long as its vibrations Mhat is far from M. The positions of the nodes tell.
TEST(ProjectionMetric, MassIsNotTheIterationMatrix) {
  const System bar = compile(examples::ElasticBar{.elements = 20}.model());
  const Course mass = course<CombinedProjection>(bar, {.metric = Metric::mass}, 1e-4, 40);
  const Course matrix = course<CombinedProjection>(bar, {.metric = Metric::iteration_matrix}, 1e-4, 40);
  EXPECT_GT(apart(mass, matrix), 1e-9);
}

TEST(ProjectionMetric, OfTheUserIsUsed) {
  const System block = compile(examples::RockingBlock{}.model());
  const Scaled one(block, 1.0), four(block, 4.0);
  const Course identity = course<CombinedProjection>(block, {}, 1e-2, 25);
  const Course user = course<CombinedProjection>(block, {.metric = Metric::user, .user_metric = &one}, 1e-2, 25);
  EXPECT_LE(apart(identity, user), 1e-11);
  // A number times N moves nothing: the multipliers take it up.
  const Course scaled = course<CombinedProjection>(block, {.metric = Metric::user, .user_metric = &four}, 1e-2, 25);
  EXPECT_LE(apart(identity, scaled), 1e-11);
  double largest = 0.0;
  for (std::size_t k = 0; k < user.states.size(); ++k) {
    const auto &a = user.states[k].contacts, &b = scaled.states[k].contacts;
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_NEAR(4.0 * a[i].tau, b[i].tau, 1e-10);
      largest = std::max(largest, std::abs(a[i].tau));
    }
  }
  EXPECT_GT(largest, 1e-6);
}

// The mass of a slider-crank in angles depends on the place, and that of a chain is one block a rod, with joints.
TEST(ProjectionMetric, OfTheUserMayBeTheMass) {
  for (const Model& model : {examples::SliderCrank{}.model(), examples::Chain{.links = 3}.model()}) {
    const System system = compile(model);
    const Mass metric(system);
    for (const Implementation form : {Implementation::decoupled, Implementation::coupled}) {
      const Course mass =
          course<CombinedProjection>(system, {.implementation = form, .metric = Metric::mass}, 1e-3, 60);
      const Course user = course<CombinedProjection>(
          system, {.implementation = form, .metric = Metric::user, .user_metric = &metric}, 1e-3, 60);
      for (std::size_t k = 0; k < mass.states.size(); ++k) EXPECT_EQ(mass.states[k].q, user.states[k].q);
    }
    const Course direct = course<DirectProjected>(system, {.metric = Metric::mass}, 1e-3, 60);
  }
}

// One step that the metric moves, held to another metric.
TEST(ProjectionMetric, IsWhatTheCertificateAsksFor) {
  const System block = compile(examples::RockingBlock{}.model());
  const Scaled one(block, 1.0), two(block, 2.0);
  for (const Metric metric : {Metric::identity, Metric::mass, Metric::user}) {
    const ProjectionMetric* user = metric == Metric::user ? &one : nullptr;
    CombinedProjection scheme(block, {.metric = metric, .user_metric = user});
    State x = block.initial_state(), before = x;
    scheme.start(x);
    const auto moved = [&] {
      return std::any_of(x.contacts.begin(), x.contacts.end(), [](const ContactRecord& r) { return r.tau > 1e-6; });
    };
    for (int k = 0; k < 1000 && !moved(); ++k) {
      before = x;
      ASSERT_TRUE(scheme.step(x, 1e-2).ok());
    }
    const auto kinematics = [&](Metric of, const ProjectionMetric* function) {
      Promise promise = scheme.promise();
      auto& equations = std::get<ThetaEquations>(promise.equations);
      equations.metric = of;
      equations.user_metric = function;
      return certify(block, before, x, promise)[Check::kinematics].ok();
    };
    EXPECT_EQ(kinematics(Metric::identity, nullptr), metric != Metric::mass);
    EXPECT_EQ(kinematics(Metric::mass, nullptr), metric == Metric::mass);
    EXPECT_EQ(kinematics(Metric::user, &one), metric != Metric::mass);
    EXPECT_FALSE(kinematics(Metric::user, &two));
    EXPECT_FALSE(kinematics(Metric::user, nullptr)) << "a metric that is not known cannot be held to";
  }
}

template <class Make>
std::string refusal(Make make) {
  try {
    make();
  } catch (const OptionError& error) {
    return error.what();
  }
  return "";
}

TEST(ProjectionMetric, IsRefusedWithoutItsFunction) {
  const System block = compile(examples::RockingBlock{}.model());
  const Scaled one(block, 1.0);
  EXPECT_NE(refusal([&] { CombinedProjection(block, {.metric = Metric::user}); }).find("user_metric"),
            std::string::npos);
  EXPECT_NE(refusal([&] { DirectProjected(block, {.user_metric = &one}); }).find("metric is not user"),
            std::string::npos);
  const std::vector<OptionText> text{{"metric", "user"}};
  EXPECT_NE(refusal([&] { static_cast<void>(make_scheme("direct-projected", block, text)); }).find("C++"),
            std::string::npos);
}

// What a user's function may return: then the step fails and the state stays.
TEST(ProjectionMetric, OfTheUserThatIsNoMetricStopsTheStep) {
  const System block = compile(examples::RockingBlock{.pose = {0.0, 0.75, 0.0}, .velocity = {0.0, -1.0, 0.0}}.model());
  for (const double scale : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
    const Scaled bad(block, scale);
    CombinedProjection scheme(block, {.metric = Metric::user, .user_metric = &bad});
    State x = block.initial_state();
    scheme.start(x);
    const auto before = hash(x);
    StepReport report;
    for (int k = 0; k < 3 && report.ok(); ++k) report = scheme.step(x, 1e-2);
    EXPECT_FALSE(report.ok());
    EXPECT_EQ(hash(x), before);
  }
}

}  // namespace
}  // namespace esc
