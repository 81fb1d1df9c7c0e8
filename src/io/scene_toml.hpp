// One TOML file as a tree.
#pragma once

#include "src/io/scene_document.hpp"

namespace esc::io {

// Throws SceneError where the text is no TOML, or has dates.
Map parse_toml(const Source& source);

}  // namespace esc::io
