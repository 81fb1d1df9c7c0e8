// The one way to the terminal: texts of scenes and files may hold characters that terminals obey, and none gets there.
#pragma once

#include <cstdio>

namespace esc::cli {

// As std::fprintf; control characters but line ends and tabs, and marks of direction, are written as \x1b or \u{202e}.
[[gnu::format(printf, 2, 3)]] void print(std::FILE* to, const char* format, ...);

}  // namespace esc::cli
