// The scenes of the folder scenes/, built into the tool.
#pragma once

#include <span>
#include <string_view>

namespace esc::cli {

struct ExampleScene {
  std::string_view name, text;
};

std::span<const ExampleScene> example_scenes();

}  // namespace esc::cli
