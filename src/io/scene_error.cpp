#include <escapement/io/scene.hpp>

namespace esc::io {

SceneError::SceneError(std::string file, int line, int column, const std::string& message)
    : std::runtime_error(file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + message),
      file_(std::move(file)),
      line_(line),
      column_(column) {}

}  // namespace esc::io
