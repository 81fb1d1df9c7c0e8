#include "cli/print.hpp"

#include <cstdarg>
#include <string>

#include "src/math/printable.hpp"

namespace esc::cli {

void print(std::FILE* to, const char* format, ...) {
  std::va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int size = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(size > 0 ? static_cast<std::size_t>(size) + 1 : 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, again);
  va_end(again);
  text.pop_back();
  const std::string shown = printable(text, "\n\t");
  std::fwrite(shown.data(), 1, shown.size(), to);
}

}  // namespace esc::cli
