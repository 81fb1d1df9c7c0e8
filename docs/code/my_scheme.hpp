// Backward Euler with contact at velocity level, the frames and the active set taken at the start of the step.
#pragma once

#include <memory>
#include <string_view>
#include <tuple>

#include <escapement/options.hpp>
#include <escapement/scheme.hpp>

namespace esc {

struct BackwardEulerOptions {
  double tol = 1e-10;   // N s, on the momentum residual
  int newton_max = 20;  // iterations
};

template <>
struct Fields<BackwardEulerOptions> {
  using O = BackwardEulerOptions;
  static constexpr std::string_view owner = "backward-euler";
  static constexpr auto table =
      std::tuple{number("tol", &O::tol, "N s", positive_range, "Newton tolerance on the momentum residual"),
                 number("newton_max", &O::newton_max, "1", Range{1.0, 10000.0}, "iterations before a step fails")};
};

SchemeTraits traits_of(const BackwardEulerOptions& options);
std::unique_ptr<Method> make_method(const System& system, const BackwardEulerOptions& options, Executor& executor);
using BackwardEuler = Configured<BackwardEulerOptions>;

}  // namespace esc
