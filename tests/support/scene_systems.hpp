// A System from the text of a scene beside one from C++ calls, and two bodies to hang things on.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>

namespace esc::testing {

inline const std::string run_table = "\n[simulation]\nstep = 1e-3\nuntil = 1\n";

inline System typed(const std::string& text) {
  return io::compile_scene(io::parse_scene("version = 1\n" + text + run_table, "scene.toml"));
}

inline System written(const std::function<void(Model&)>& build) {
  Model model;
  build(model);
  return compile(model);
}

inline void expect_near(const std::vector<double>& a, const std::vector<double>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 1e-12 * (1.0 + std::abs(b[i]))) << what << "[" << i << "]";
}

// M, F, tangents, joints and contacts at the initial state, a little moved and in motion.
inline void expect_same(const System& a, const System& b) {
  ASSERT_EQ(a.nq(), b.nq());
  ASSERT_EQ(a.nv(), b.nv());
  expect_near(a.initial_state().q, b.initial_state().q, "q");
  expect_near(a.initial_state().v, b.initial_state().v, "v");
  expect_near(a.initial_state().u, b.initial_state().u, "u");
  State x = b.initial_state();
  std::vector<double> xi(x.v.size()), q = x.q;
  for (std::size_t i = 0; i < xi.size(); ++i) {
    xi[i] = 0.01 * static_cast<double>(i + 1);
    x.v[i] += 0.3 - 0.1 * static_cast<double>(i);
  }
  b.retract(q, xi, x.q);

  struct Values {
    std::vector<double> M, F, A, curvature;
    JointSet joints;
    ContactSet contacts;
  };
  const auto values = [&](const System& system) {
    Values v;
    std::vector<double> scratch(static_cast<std::size_t>(system.scratch_size()));
    const Point at{0.2, x.q.data(), x.v.data(), x.u.data(), scratch.data()};
    v.M.resize(static_cast<std::size_t>(system.matrix_size()));
    v.A.resize(static_cast<std::size_t>(system.tangent_size()));
    v.F.resize(x.v.size());
    v.curvature.resize(static_cast<std::size_t>(system.joint_rows()));
    system.mass(at, v.M, Part::all);
    system.force(at, v.F);
    system.add_tangent(at, 0.7, 0.3, v.A, Part::all);
    system.evaluate(at, v.joints);
    system.joint_curvature(at, v.curvature);
    system.detect(0.2, x.q, any_gap, v.contacts);
    system.evaluate(0.2, x.q, v.contacts);
    return v;
  };
  const Values ours = values(a), theirs = values(b);
  expect_near(ours.M, theirs.M, "M");
  expect_near(ours.F, theirs.F, "F");
  expect_near(ours.A, theirs.A, "tangent");
  expect_near(ours.joints.g, theirs.joints.g, "g");
  expect_near(ours.joints.G, theirs.joints.G, "G of joints");
  expect_near(ours.joints.g_t, theirs.joints.g_t, "g_t of joints");
  expect_near(ours.curvature, theirs.curvature, "curvature");
  ASSERT_EQ(ours.contacts.size(), theirs.contacts.size());
  for (int i = 0; i < ours.contacts.size(); ++i) {
    const Contact &c = ours.contacts.contacts[i], &d = theirs.contacts.contacts[i];
    EXPECT_NEAR(c.gap, d.gap, 1e-12);
    EXPECT_DOUBLE_EQ(c.law.e, d.law.e);
    EXPECT_DOUBLE_EQ(c.law.mu, d.law.mu);
    EXPECT_EQ(c.key, d.key);
  }
  expect_near(ours.contacts.G, theirs.contacts.G, "G of contacts");
  expect_near(ours.contacts.g_t, theirs.contacts.g_t, "g_t of contacts");
}

inline const std::string two_planar = R"toml(
[[body]]
name = "p"
kind = "planar"
mass = 2
inertia = 0.5
pose = [0.1, 0.2, 0.3]
velocity = [1, 2, 3]
[[body]]
name = "q"
kind = "planar"
mass = 3
inertia = 0.7
)toml";

inline std::pair<BlockId, BlockId> add_planar(Model& model) {
  const BlockId p =
      model.add_planar_body("p", {.mass = 2, .inertia = 0.5, .pose = {0.1, 0.2, 0.3}, .velocity = {1, 2, 3}});
  return {p, model.add_planar_body("q", {.mass = 3, .inertia = 0.7})};
}

inline const std::string two_in_space = R"toml(
[world]
assembly = "project"
[[body]]
name = "p"
kind = "space"
mass = 2
inertia = [0.4, 0.5, 0.6]
products = [0.01, 0.02, 0.03]
position = [0.1, 0.2, 0.3]
axis = [0, 3, 4]
angle = 0.5
velocity = [1, 2, 3]
angular_velocity = [4, 5, 6]
[[body]]
name = "q"
kind = "space"
density = 1000
solid = { kind = "box", half_sizes = [0.1, 0.2, 0.3] }
)toml";

inline std::pair<BlockId, BlockId> add_space(Model& model) {
  model.set_assembly(Assembly::project);
  const double s = std::sin(0.25);
  const BlockId p = model.add_rigid_body("p", {.mass = 2,
                                               .inertia = {0.4, 0.5, 0.6},
                                               .products = {0.01, 0.02, 0.03},
                                               .position = {0.1, 0.2, 0.3},
                                               .rotation = {std::cos(0.25), 0.0, 0.6 * s, 0.8 * s},
                                               .velocity = {1, 2, 3},
                                               .angular_velocity = {4, 5, 6}});
  return {p, model.add_rigid_body("q", solid(Box{0.1, 0.2, 0.3}, 1000))};
}
}  // namespace esc::testing
