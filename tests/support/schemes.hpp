// Every scheme once, as a function of a System: the tests of the contract walk this list. A new scheme is one line.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/schemes/position_theta.hpp>
#include <escapement/schemes/schatzman_paoli.hpp>

#include "examples/registry.hpp"

namespace esc::testing {

struct SchemeCase {
  std::string_view name;
  std::unique_ptr<Scheme> (*make)(const System&);
  bool friction = true;  // false: it refuses systems with friction
};

inline void PrintTo(const SchemeCase& entry, std::ostream* out) { *out << entry.name; }

template <class S, auto options>
std::unique_ptr<Scheme> make_scheme(const System& system) {
  return std::make_unique<S>(system, options);
}

inline constexpr std::array<SchemeCase, 13> schemes{{
    {"moreau_jean", make_scheme<MoreauJean, MoreauJeanOptions{}>},
    {"moreau_jean_free_forecast",
     make_scheme<MoreauJean, MoreauJeanOptions{.forecast = Forecast::free, .frame = FrameAt::theta}>},
    {"moreau_jean_endpoints",
     make_scheme<MoreauJean,
                 MoreauJeanOptions{
                     .theta = 0.7, .gamma = 0.5, .frame = FrameAt::begin, .quadrature = Quadrature::endpoints}>},
    {"moreau_jean_polygon",
     make_scheme<MoreauJean, MoreauJeanOptions{.activation_tol = 1e-9, .friction_cone = FrictionCone::polygon}>},
    {"direct_projected", make_scheme<DirectProjected, DirectProjectedOptions{}>},
    {"direct_projected_coupled",
     make_scheme<DirectProjected, DirectProjectedOptions{.forecast = Forecast::free,
                                                         .implementation = Implementation::coupled,
                                                         .metric = Metric::iteration_matrix}>},
    {"direct_projected_mass",
     make_scheme<DirectProjected,
                 DirectProjectedOptions{.forecast = Forecast::predicted, .gamma = 1.0, .metric = Metric::mass}>},
    {"combined_projection", make_scheme<CombinedProjection, CombinedProjectionOptions{}>},
    {"combined_projection_iteration_matrix",
     make_scheme<CombinedProjection, CombinedProjectionOptions{.theta = 0.7,
                                                               .implementation = Implementation::decoupled,
                                                               .metric = Metric::iteration_matrix,
                                                               .quadrature = Quadrature::endpoints}>},
    {"schatzman_paoli", make_scheme<SchatzmanPaoli, SchatzmanPaoliOptions{}>, false},
    {"schatzman_paoli_theta", make_scheme<SchatzmanPaoli, SchatzmanPaoliOptions{.theta = 0.7, .frame = FrameAt::theta}>,
     false},
    {"position_theta", make_scheme<PositionTheta, PositionThetaOptions{}>},
    {"position_theta_endpoints",
     make_scheme<PositionTheta, PositionThetaOptions{.theta = 0.7, .quadrature = Quadrature::endpoints}>},
}};

inline bool has_friction(const System& system) {
  return std::any_of(system.pair_laws().begin(), system.pair_laws().end(),
                     [](const auto& law) { return law.mu > 0.0; });
}
inline bool takes(const SchemeCase& entry, const System& system) { return entry.friction || !has_friction(system); }

// What no scheme refuses; contract_scheme_test.cpp holds this list to the examples.
inline constexpr auto examples_without_friction = std::to_array<std::string_view>(
    {"bouncing-ball", "linear-oscillator", "rocking-block", "elastic-bar", "moving-walls", "free-body", "heavy-top",
     "chain", "gyroscope", "bead-on-wire", "four-bar", "four-bar-space"});
inline bool without_friction(const examples::Example& example) {
  return std::find(examples_without_friction.begin(), examples_without_friction.end(), example.name) !=
         examples_without_friction.end();
}

// One scheme on one example.
using ContractCase = std::tuple<SchemeCase, examples::Example>;

inline const SchemeCase& scheme_of(const ContractCase& param) { return std::get<0>(param); }
inline const examples::Example& example_of(const ContractCase& param) { return std::get<1>(param); }

inline int contract_steps(const examples::Example& example) { return static_cast<int>(example.until / example.step); }

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
      if (entry.friction || without_friction(example)) cases.emplace_back(entry, example);
  return ::testing::ValuesIn(cases);
}

}  // namespace esc::testing

namespace esc::examples {
inline void PrintTo(const Example& example, std::ostream* out) { *out << example.name; }
}  // namespace esc::examples
