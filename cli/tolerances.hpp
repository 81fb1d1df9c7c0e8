// What a promise allows beyond the default: a verdict says so.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <escapement/scheme.hpp>

#include "cli/json.hpp"

namespace esc::cli {

// A tolerance of a promise that is looser than that of the scheme with its default options.
struct LooseTolerance {
  std::string name;
  double value, usual;
};

// `options` are those it was made with.
std::vector<LooseTolerance> loose_tolerances(const Scheme& scheme, std::span<const OptionText> options);
std::string said_of(const std::vector<LooseTolerance>& loose);         // a line, or nothing
void add_loose(const std::vector<LooseTolerance>& loose, Json& json);  // the array loose_tolerances

}  // namespace esc::cli
