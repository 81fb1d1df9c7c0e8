#include "src/math/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace esc {

namespace {

struct Character {
  std::uint32_t code;
  std::size_t bytes;
  bool valid;  // false: one byte that is no UTF-8
};

// Shortest form only, no surrogates, nothing beyond U+10FFFF: RFC 3629.
Character character_at(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(i);
  if (first < 0x80) return {first, 1, true};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (first < 0xC0 || first > 0xF4 || bytes > text.size() - i) return {first, 1, false};
  std::uint32_t code = first & (0x7FU >> bytes);
  for (std::size_t k = 1; k < bytes; ++k) {
    if ((byte(i + k) & 0xC0U) != 0x80U) return {first, 1, false};
    code = code << 6U | (byte(i + k) & 0x3FU);
  }
  const bool valid = code >= least[bytes] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  return valid ? Character{code, bytes, true} : Character{first, 1, false};
}

// Control characters, marks and embeddings of direction, separators, and characters without width.
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 9> unprintable{{{0x00, 0x1F},
                                                                              {0x7F, 0x9F},
                                                                              {0x061C, 0x061C},
                                                                              {0x200B, 0x200B},
                                                                              {0x200E, 0x200F},
                                                                              {0x2028, 0x202E},
                                                                              {0x2060, 0x206F},
                                                                              {0xFEFF, 0xFEFF},
                                                                              {0xFFF9, 0xFFFB}}};

bool plain(const Character& one, std::string_view allowed) {
  if (!one.valid) return false;
  if (one.code < 0x80 && allowed.find(static_cast<char>(one.code)) != std::string_view::npos) return true;
  return std::ranges::none_of(unprintable,
                              [&](const auto& range) { return one.code >= range.first && one.code <= range.second; });
}

std::string hex(std::uint32_t code, std::size_t digits) {
  std::string text;
  for (; code > 0 || text.size() < digits; code >>= 4U) text.insert(text.begin(), "0123456789abcdef"[code & 15U]);
  return text;
}

// Calls write(character, its bytes) for all of a text.
template <class Write>
void each_character(std::string_view text, const Write& write) {
  for (std::size_t i = 0; i < text.size();) {
    const Character one = character_at(text, i);
    write(one, text.substr(i, one.bytes));
    i += one.bytes;
  }
}

}  // namespace

std::size_t find_unprintable(std::string_view text, std::string_view allowed) {
  for (std::size_t i = 0; i < text.size();) {
    const Character one = character_at(text, i);
    if (!plain(one, allowed)) return i;
    i += one.bytes;
  }
  return std::string_view::npos;
}

std::string printable(std::string_view text, std::string_view allowed) {
  std::string out;
  each_character(text, [&](const Character& one, std::string_view bytes) {
    if (plain(one, allowed))
      out += bytes;
    else
      out += one.code < 0x100 ? "\\x" + hex(one.code, 2) : "\\u{" + hex(one.code, 4) + "}";
  });
  return out;
}

std::string json_escaped(std::string_view text) {
  std::string out;
  each_character(text, [&](const Character& one, std::string_view bytes) {
    if (!one.valid)
      out += "\\ufffd";
    else if (one.code == '"' || one.code == '\\')
      (out += '\\') += bytes;
    else if (one.code == '\n')
      out += "\\n";
    else if (plain(one, ""))
      out += bytes;
    else
      out += "\\u" + hex(one.code, 4);
  });
  return out;
}

}  // namespace esc
