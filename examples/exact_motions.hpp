// The exact motions of examples, with the parameters of their scenes in scenes/: what `escapement compare` measures
// against.
#pragma once

#include <functional>
#include <span>
#include <string_view>

namespace esc::examples {

using ExactMotion = std::function<void(double t, std::span<double> q, std::span<double> v)>;
using ParameterValue = std::function<double(std::string_view name)>;

// Empty if there is none for this example, these parameters and this end (s).
[[nodiscard]] ExactMotion exact_motion(std::string_view example, const ParameterValue& parameter, double until);

}  // namespace esc::examples
