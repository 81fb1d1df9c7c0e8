// Files of the repository that tests read: scenes and pages.
#pragma once

#include <string>
#include <string_view>

namespace esc::testing {

std::string scene_path(std::string_view name);

// The text of docs/NAME, byte by byte.
std::string page(std::string_view name);

}  // namespace esc::testing
