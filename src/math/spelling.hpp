// Help with misspelt words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace esc {

// "; did you mean 'a' or 'b'?" of the known words, at most three, that are nearest to an unknown one; nothing if none
// is near. "phi" is near "crank.phi".
std::string suggestion(std::string_view word, std::span<const std::string_view> known);

}  // namespace esc
