// Halve: a scheme that holds another one and tries a step that fails again with half its length.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include <escapement/executor.hpp>
#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/scheme.hpp>

namespace esc {

// What it holds unless told otherwise.
inline constexpr std::string_view default_inner_scheme = "combined-projection";

struct HalveOptions {
  SchemeChoice inner{std::string(default_inner_scheme), {}};
  int max_halvings = 10;  // [0, 40]
};

template <>
struct Fields<HalveOptions> {
  using O = HalveOptions;
  static constexpr std::string_view owner = "halve";
  static constexpr auto table = std::tuple{scheme("inner", &O::inner, "the scheme whose failed steps are tried again"),
                                           number("max_halvings", &O::max_halvings, "1", Range{0.0, 40.0},
                                                  "how often a failed step is halved before the run fails")};
};

ESC_API SchemeTraits traits_of(const HalveOptions& options);
ESC_API std::unique_ptr<Method> make_method(const System& system, const HalveOptions& options, Executor& executor);
using Halve = Configured<HalveOptions>;

// The same around a scheme that is not in the registry.
[[nodiscard]] ESC_API std::unique_ptr<Scheme> halving(std::unique_ptr<Scheme> inner, int max_halvings = 10);

}  // namespace esc
