// Random motions of every pair of shapes against a thousand samples of the way: what dips deep is found, and what is
// found dips.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/system.hpp>

#include "src/math/so3.hpp"

namespace esc {
namespace {

struct Case {
  std::string name;
  Geometry a, b;
  double size;  // m: a dip of 1/512 of it is a graze
  bool b_moves = true;
  double spread = 1.0;  // m
};

const std::vector<Case> cases{
    {"spheres", Sphere{0.1}, Sphere{0.2}, 0.3},
    {"sphere_capsule", Sphere{0.1}, Capsule{0.1, 0.6}, 0.2},
    {"capsules", Capsule{0.05, 0.7}, Capsule{0.05, 0.8}, 0.1},
    {"sphere_box", Sphere{0.05}, Box{0.6, 0.8, 0.02}, 0.07},
    {"vertex_box", Vertex{}, Box{0.6, 0.8, 0.05}, 0.05},
    {"sphere_cylinder", Sphere{0.1}, Cylinder{0.7, 0.05}, 0.15},
    {"box_plane", Box{0.3, 0.4, 0.6}, HalfSpace{}, 0.8, false, 2.5},
    {"cylinder_plane", Cylinder{0.5, 0.3}, HalfSpace{}, 0.6, false, 2.0},
    {"capsule_plane", Capsule{0.1, 0.5}, HalfSpace{}, 0.5, false, 2.0},
};

class Motions : public ::testing::TestWithParam<Case> {
 protected:
  double draw(double size) { return std::uniform_real_distribution<double>(-size, size)(engine_); }
  void place(double* q, double spread) {
    for (int i = 0; i < 3; ++i) q[i] = draw(spread);
    const Quaternion turn = quaternion_exp(draw(1.5), draw(1.5), draw(1.5));
    std::copy(turn.begin(), turn.end(), q + 3);
  }
  double least_gap(const std::vector<double>& q) {
    system.detect(0.0, q, any_gap, set_);
    double least = any_gap;
    for (const Contact& contact : set_.contacts) least = std::min(least, contact.gap);
    return least;
  }

  static System make() {
    Model model;
    model.set_penetration_tolerance(100.0);
    const BlockId first = model.add_rigid_body("first", {.position = {0.1, 0.2, 0.3}});
    const BlockId second = GetParam().b_moves ? model.add_rigid_body("second", {}) : ground;
    model.add_contact("pair", model.add_shape("a", {first}, GetParam().a), model.add_shape("b", {second}, GetParam().b),
                      {});
    return compile(model);
  }

  const System system = make();
  ContactSet set_;
  std::mt19937 engine_{2026};
};

TEST_P(Motions, AreFoundAsSamplesShowThem) {
  constexpr int samples = 1000;
  const Case& pair = GetParam();
  const auto nq = static_cast<std::size_t>(system.nq());
  std::vector<double> q0(nq), q1(nq), q(nq), way(static_cast<std::size_t>(system.nv())), path, gaps, taken;
  ContactSet near, sampled;
  int passed = 0, clear = 0;
  for (int trial = 0; trial < 60; ++trial) {
    for (std::size_t first = 0; first < nq; first += 7)
      for (auto* end : {&q0, &q1}) place(end->data() + first, pair.spread);
    system.difference(q1, q0, way);
    double size = 0.0;
    for (const double x : way) size = std::max(size, std::abs(x));
    system.detect(1.0, q1, system.passage_reach(size), near);
    const Sweep sweep{system,     0.0,  1.0,   q0.data(), q1.data(),
                      way.data(), size, 1e-10, {},        {path, gaps, taken, sampled}};
    const double found = system.passage(sweep, near.contacts).depth;

    double least = any_gap, jump = 0.0, last = least_gap(q0);
    for (int k = 1; k < samples; ++k) {
      system.interpolate(q0, q1, static_cast<double>(k) / samples, q);
      const double gap = least_gap(q);
      least = std::min(least, gap);
      jump = std::max(jump, std::abs(gap - last));
      last = gap;
    }
    const double open = std::min({least_gap(q0), least_gap(q1), 0.0}), graze = pair.size / 512.0;
    if (open - least > graze) {
      EXPECT_GT(found, 0.0) << "trial " << trial << ": dips by " << open - least;
      ++passed;
    }
    if (open - least < graze - jump && open == 0.0) {
      EXPECT_EQ(found, 0.0) << "trial " << trial << ": dips by " << open - least;
      ++clear;
    }
  }
  EXPECT_GT(passed, 1);
  EXPECT_GT(clear, 1);
}

INSTANTIATE_TEST_SUITE_P(All, Motions, ::testing::ValuesIn(cases), [](const auto& entry) { return entry.param.name; });

}  // namespace
}  // namespace esc
