// Every scheme once, as a function of a System: the tests of the contract walk this list. A new scheme is one line.
#pragma once

#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>

#include <gtest/gtest.h>

#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "examples/registry.hpp"

namespace esc::testing {

struct SchemeCase {
  std::string_view name;
  std::unique_ptr<Scheme> (*make)(const System&);
};

inline void PrintTo(const SchemeCase& entry, std::ostream* out) { *out << entry.name; }

template <class S, auto options>
std::unique_ptr<Scheme> make_scheme(const System& system) {
  return std::make_unique<S>(system, options);
}

inline constexpr std::array<SchemeCase, 7> schemes{{
    {"moreau_jean", make_scheme<MoreauJean, MoreauJeanOptions{}>},
    {"moreau_jean_free_forecast",
     make_scheme<MoreauJean, MoreauJeanOptions{.forecast = Forecast::free, .frame = FrameAt::theta}>},
    {"moreau_jean_endpoints",
     make_scheme<MoreauJean,
                 MoreauJeanOptions{
                     .theta = 0.7, .gamma = 0.5, .frame = FrameAt::begin, .quadrature = Quadrature::endpoints}>},
    {"direct_projected", make_scheme<DirectProjected, DirectProjectedOptions{}>},
    {"direct_projected_coupled",
     make_scheme<DirectProjected,
                 DirectProjectedOptions{
                     .forecast = Forecast::free, .implementation = Implementation::coupled, .metric = Metric::mass}>},
    {"combined_projection", make_scheme<CombinedProjection, CombinedProjectionOptions{}>},
    {"combined_projection_mass",
     make_scheme<CombinedProjection, CombinedProjectionOptions{.theta = 0.7,
                                                               .implementation = Implementation::decoupled,
                                                               .metric = Metric::mass,
                                                               .quadrature = Quadrature::endpoints}>},
}};

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
  return ::testing::Combine(::testing::ValuesIn(schemes), ::testing::ValuesIn(examples::all()));
}

}  // namespace esc::testing

namespace esc::examples {
inline void PrintTo(const Example& example, std::ostream* out) { *out << example.name; }
}  // namespace esc::examples
