// Contacts found by key are those that detection finds, in every scene and example along its run.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/error.hpp>
#include <escapement/io/scene.hpp>
#include <escapement/schemes/registry.hpp>

#include "examples/registry.hpp"
#include "tests/support/collected.hpp"
#include "tests/support/repository.hpp"

namespace esc {
namespace {

using testing::expect_collected;
using testing::keys_of;

// At the start, and at some states of a run.
void expect_collected_along(Scheme& scheme, double h) {
  const System& system = scheme.system();
  State x = system.initial_state();
  scheme.start(x);
  constexpr int steps = 60, every = 12;
  for (int k = 0; k <= steps; ++k) {
    if (k % every == 0)
      for (const double reach : {0.0, 1e-3, any_gap}) expect_collected(system, x.t, x.q, reach);
    if (!scheme.step(x, h).ok()) break;
  }
}

TEST(Collect, GivesWhatDetectionGivesInEveryScene) {
  int with_contacts = 0;
  const auto folder = std::filesystem::path(testing::scene_path("bouncing-ball")).parent_path();
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".toml") continue;
    SCOPED_TRACE(file.path().filename());
    const io::Scene scene = io::read_scene(file.path().string());
    const System system = io::compile_scene(scene);
    if (system.pairs() == 0) continue;
    ++with_contacts;
    expect_collected_along(*make_scheme(scene.scheme, system, scene.scheme_options), scene.run.step);
  }
  EXPECT_GT(with_contacts, 10);
}

TEST(Collect, GivesWhatDetectionGivesInEveryExample) {
  for (const examples::Example& example : examples::all()) {
    if (!example.contacts) continue;
    SCOPED_TRACE(example.name);
    const System system = compile(example.model());
    expect_collected_along(*make_scheme("moreau-jean", system), example.step);
  }
}

// Features that do not hold here are left out: a ball above the face of a box touches neither its edges nor corners.
TEST(Collect, LeavesOutFeaturesThatDoNotHold) {
  Model model;
  const BlockId ball = model.add_rigid_body("ball", {.position = {0.0, 0.0, 2.0}});
  const BlockId other = model.add_rigid_body("other", {.position = {0.5, 0.5, 2.0}});
  const ShapeId box = model.add_shape("box", {}, Box{1.0, 1.0, 1.0});
  model.add_contact("on_box", model.add_shape("round", {.body = ball}, Sphere{0.5}), box, {});
  const std::vector<double> heights(9, 0.0);
  const ShapeId field = model.add_shape("field", {}, HeightField{3, 3, 1.0, 1.0, heights});
  model.add_contact("on_field", model.add_shape("small", {.body = other}, Sphere{0.1}), field, {});
  const System system = compile(model);
  const State& x = system.initial_state();
  ContactSet all, set;
  system.detect(x.t, x.q, any_gap, all);
  for (std::uint32_t pair = 0; pair < 2; ++pair)
    for (std::uint32_t feature = 0; feature < 60; ++feature) {
      const ContactKey key{pair, feature};
      const auto keys = keys_of(all);
      const bool holds = std::find(keys.begin(), keys.end(), key) != keys.end();
      EXPECT_EQ(system.collect(x.t, x.q, {&key, 1}, set), holds ? 1 : 0) << pair << "#" << feature;
    }
}

// Over the edges of a sloping plane rounding can leave a seam between triangles, which detection closes.
TEST(Collect, FindsTheTrianglesAtTheSeamsOfASlope) {
  constexpr int n = 4;
  constexpr double dx = 0.7, dy = 0.9, slope_x = 0.3, slope_y = 0.7;
  std::vector<double> heights;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) heights.push_back(slope_x * (i * dx) + slope_y * (j * dy));
  Model model;
  const BlockId ball = model.add_rigid_body("ball", {.position = {1.0, 1.0, 3.0}});
  model.add_contact("slope", model.add_shape("round", {.body = ball}, Sphere{0.1}),
                    model.add_shape("field", {}, HeightField{n, n, dx, dy, heights}), {});
  const System system = compile(model);
  std::vector<double> q = system.initial_state().q;
  for (int k = 1; k < 400; ++k) {
    const double s = k / 400.0, x = dx * (1.0 + s), y = dy * (k % 3 == 0 ? 1.0 : 1.0 + s), h = 0.1 + 1e-4 * k;
    q[0] = x - slope_x * h;  // along the normal above an edge or a diagonal
    q[1] = y - slope_y * h;
    q[2] = slope_x * x + slope_y * y + h;
    for (const double reach : {1e-3, 0.5, any_gap}) expect_collected(system, 0.0, q, reach);
  }
}

TEST(Collect, RefusesKeysThatDoNotAscend) {
  const System system = compile(examples::all()[0].model());
  const State& x = system.initial_state();
  ContactSet set;
  EXPECT_EQ(system.collect(x.t, x.q, {}, set), 0);
  for (const std::vector<ContactKey>& keys :
       {std::vector<ContactKey>{{0, 1}, {0, 0}}, {{0, 0}, {0, 0}}, {{1, 0}, {0, 0}}})
    EXPECT_THROW(static_cast<void>(system.collect(x.t, x.q, keys, set)), ModelError);
}

// Sources that others have written know detect() only.
class OwnSource final : public ContactSource {
 public:
  void detect(double, const double* q, double reach, ContactSet& set) const override {
    for (std::uint32_t k = 0; k < 3; ++k)
      if (!(q[0] + k > reach)) {
        Contact& contact = set.contacts.emplace_back();
        contact.key = {place.pair, 2 * k};
        contact.source = place.source;
        contact.width = 1;
        contact.segments = place.segments;
        contact.gap = q[0] + k;
      }
  }
  void evaluate(double, const double* q, std::span<Contact> mine, ContactSet& set) const override {
    for (Contact& contact : mine) {
      contact.gap = q[0] + contact.key.feature / 2;
      set.G[contact.first_value] = 1.0;
      set.g_t[contact.first_row] = 0.0;
    }
  }
  void curvature(double, const double*, const double*, std::span<const Contact> mine, double* out) const override {
    for (const Contact& contact : mine) out[contact.first_row] = 0.0;
  }
  ContactPlace place;
};

class OwnLeaf final : public ContactLeaf {
 public:
  int arity() const override { return 1; }
  bool has_slip() const override { return false; }
  std::type_index type() const override { return typeid(OwnLeaf); }
  std::unique_ptr<ContactSource> new_pool() const override { return std::make_unique<OwnSource>(); }
  void append(ContactSource& pool, ContactPlace place) const override {
    static_cast<OwnSource&>(pool).place = std::move(place);
  }
};

TEST(Collect, TakesSourcesThatKnowDetectionOnly) {
  Model model;
  const BlockId body = model.add_planar_body("body", {});
  const BlockId disc = model.add_planar_body("disc", {.pose = {0.0, 3.0, 0.0}});
  model.add_contact("steps", std::vector<Coordinates>{{body, 0, 1}}, std::make_unique<OwnLeaf>(), {});
  model.add_contact("floor", model.add_shape("round", {.body = disc}, Disc{0.5}),
                    model.add_shape("ground", {}, HalfPlane{}), {});
  const System system = compile(model);
  const State& x = system.initial_state();
  for (const double reach : {0.5, any_gap}) expect_collected(system, x.t, x.q, reach);
  ContactSet set;
  const std::vector<ContactKey> keys{{0, 1}, {0, 2}, {1, 0}};
  EXPECT_EQ(system.collect(x.t, x.q, keys, set), 2);
  EXPECT_EQ(keys_of(set), (std::vector<ContactKey>{{0, 2}, {1, 0}}));
}

}  // namespace
}  // namespace esc
