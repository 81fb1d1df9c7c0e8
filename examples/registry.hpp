// Every example once, by name: the tests, the benchmarks and the tool walk this list.
#pragma once

#include <span>
#include <string_view>

#include <escapement/model.hpp>

namespace esc::examples {

struct Example {
  std::string_view name;
  std::string_view what;
  Model (*model)();
  double step;           // s, a sensible one
  double until;          // s, until something has happened
  bool contacts = true;  // false: nothing can touch
};

std::span<const Example> all();

}  // namespace esc::examples
