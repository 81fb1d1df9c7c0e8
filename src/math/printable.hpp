// Texts of other people's files: which characters a reader refuses, and how a terminal shows them.
#pragma once

#include <string>
#include <string_view>

namespace esc {

// Where the first character stands that a terminal obeys or nobody sees: a control character, a mark that changes the
// direction of writing, a separator of lines, or bytes that are no UTF-8. npos: there is none. Those in `allowed`
// count as plain.
std::size_t find_unprintable(std::string_view text, std::string_view allowed = "");

// The same text with such characters written as \x1b or \u{202e}.
std::string printable(std::string_view text, std::string_view allowed = "");
// As a part of a JSON text, without the quotes around it.
std::string json_escaped(std::string_view text);

constexpr std::string_view line_characters = "\n\r\t";  // plain in texts of several lines

}  // namespace esc
