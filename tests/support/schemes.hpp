// Every scheme of the registry, as a function of a System: the tests of the contract walk this list.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/registry.hpp>

#include "examples/registry.hpp"

namespace esc::testing {

struct SchemeCase {
  std::string name;    // of the case
  std::string scheme;  // in the registry
  std::vector<OptionText> options;

  std::unique_ptr<Scheme> make(const System& system) const { return make_scheme(scheme, system, options); }
  bool friction() const { return scheme_traits(scheme, options).friction; }
};

inline void PrintTo(const SchemeCase& entry, std::ostream* out) { *out << entry.name; }

// Every scheme of the registry with its defaults, then options that take other branches.
inline std::vector<SchemeCase> all_schemes() {
  std::vector<SchemeCase> cases;
  for (const SchemeEntry& entry : esc::schemes()) {
    cases.push_back({std::string(entry.name), std::string(entry.name), {}});
    std::replace(cases.back().name.begin(), cases.back().name.end(), '-', '_');
  }
  const auto add = [&](const char* name, const char* scheme, std::vector<OptionText> options) {
    cases.push_back({name, scheme, std::move(options)});
  };
  add("moreau_jean_free_forecast", "moreau-jean", {{"forecast", "free"}, {"frame", "theta"}});
  add("moreau_jean_endpoints", "moreau-jean",
      {{"theta", "0.7"}, {"gamma", "0.5"}, {"frame", "begin"}, {"quadrature", "endpoints"}});
  add("moreau_jean_polygon", "moreau-jean", {{"activation_tol", "1e-9"}, {"friction_cone", "polygon"}});
  add("direct_projected_coupled", "direct-projected",
      {{"forecast", "free"}, {"implementation", "coupled"}, {"metric", "iteration-matrix"}});
  add("direct_projected_mass", "direct-projected", {{"forecast", "predicted"}, {"gamma", "1"}, {"metric", "mass"}});
  add("combined_projection_iteration_matrix", "combined-projection",
      {{"theta", "0.7"}, {"implementation", "decoupled"}, {"metric", "iteration-matrix"}, {"quadrature", "endpoints"}});
  add("schatzman_paoli_theta", "schatzman-paoli", {{"theta", "0.7"}, {"frame", "theta"}});
  add("position_theta_endpoints", "position-theta", {{"theta", "0.7"}, {"quadrature", "endpoints"}});
  add("alpha_ggl_coupled", "alpha-ggl",
      {{"rho_inf", "1"}, {"form", "coupled"}, {"prediction", "end"}, {"after_impact", "restart"}});
  add("alpha_index3_hht", "alpha-index3", {{"method", "hht"}, {"rho_inf", "0.6"}, {"tangents", "semidefinite"}});
  add("halve_schatzman_paoli", "halve", {{"inner.scheme", "schatzman-paoli"}, {"max_halvings", "2"}});
  return cases;
}
inline const std::vector<SchemeCase> schemes = all_schemes();

inline bool has_friction(const System& system) {
  return std::any_of(system.pair_laws().begin(), system.pair_laws().end(),
                     [](const auto& law) { return law.mu > 0.0; });
}
inline bool takes(const SchemeCase& entry, const System& system) { return entry.friction() || !has_friction(system); }

// What no scheme refuses; contract_scheme_test.cpp holds this list to the examples.
inline constexpr auto examples_without_friction = std::to_array<std::string_view>(
    {"bouncing-ball", "linear-oscillator", "rocking-block", "elastic-bar", "moving-walls", "free-body", "heavy-top",
     "chain", "gyroscope", "bead-on-wire", "four-bar", "four-bar-space", "bouncing-pendulum", "simple-pendulum",
     "n-four-bar", "andrews-squeezer", "bricard", "flyball-governor"});
inline bool without_friction(const examples::Example& example) {
  return std::find(examples_without_friction.begin(), examples_without_friction.end(), example.name) !=
         examples_without_friction.end();
}

// One scheme on one example.
using ContractCase = std::tuple<SchemeCase, examples::Example>;

inline const SchemeCase& scheme_of(const ContractCase& param) { return std::get<0>(param); }
inline const examples::Example& example_of(const ContractCase& param) { return std::get<1>(param); }

inline int contract_steps(const examples::Example& example) { return static_cast<int>(example.until / example.step); }

// Steps as simulate() asks for them: after one that ended early comes what is left of it.
struct WholeSteps {
  double h;
  double left = h;
  int done = 0;

  void take(const StepReport& report) {
    left -= report.advanced;
    if (left > 1e-12 * h) return;
    left = h;
    ++done;
  }
};

inline std::string contract_name(const ::testing::TestParamInfo<ContractCase>& info) {
  std::string name = std::string(scheme_of(info.param).name) + "_on_" + std::string(example_of(info.param).name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

inline auto every_scheme_on_every_example() {
  std::vector<ContractCase> cases;
  for (const SchemeCase& entry : schemes)
    for (const examples::Example& example : examples::all())
      if (entry.friction() || without_friction(example)) cases.emplace_back(entry, example);
  return ::testing::ValuesIn(cases);
}

}  // namespace esc::testing

namespace esc::examples {
inline void PrintTo(const Example& example, std::ostream* out) { *out << example.name; }
}  // namespace esc::examples
