#include <escapement/error.hpp>

namespace esc {

ModelError::ModelError(const std::string& item, const std::string& message)
    : std::runtime_error(item + ": " + message), item_(item) {}

OptionError::OptionError(const std::string& option, const std::string& message)
    : std::invalid_argument(option + ": " + message), option_(option) {}

}  // namespace esc
