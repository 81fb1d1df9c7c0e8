// From TOML to the tree: the only file that knows toml++.
#include <algorithm>
#include <cctype>
#include <utility>

#include <toml++/toml.h>

#include "src/io/scene_toml.hpp"
#include "src/math/printable.hpp"

namespace esc::io {

namespace {

TextPlace place_of(const Source& source, const toml::source_region& region) {
  return {&source, std::max(1, static_cast<int>(region.begin.line)),
          std::max(1, static_cast<int>(region.begin.column))};
}

bool before(const Entry& a, const Entry& b) {
  return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
}

// Of a key or a value, whose escapes can write any character.
void refuse_unprintable(const TextPlace& at, std::string_view text) {
  if (find_unprintable(text, line_characters) != std::string_view::npos)
    refuse(at, "the text " + in_quotes(text) + " has a control character or a mark of direction; remove it");
}

// Of a whole file, comments too: what a person reads is what is run.
void refuse_unprintable(const Source& source) {
  const std::string_view text = source.text;
  const std::size_t found = find_unprintable(text, line_characters);
  if (found == std::string_view::npos) return;
  const std::string_view before = text.substr(0, found), line = before.substr(before.rfind('\n') + 1);
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const TextPlace at{&source, static_cast<int>(1 + std::ranges::count(before, '\n')),
                     static_cast<int>(1 + std::ranges::count_if(line, begins))};
  refuse(at, "here is a control character, a mark of direction or a byte that is no UTF-8: " +
                 in_quotes(text.substr(found, text.find('\n', found) - found)) + "; remove it");
}

// toml++ bounds how deep values nest in each other (256), so that this recursion is bounded too.
Node converted(const Source& source, const toml::node& node) {
  Node result{place_of(source, node.source()), false};
  if (const auto* table = node.as_table()) {
    Map map;
    for (const auto& [key, value] : *table) {
      refuse_unprintable(place_of(source, key.source()), key.str());
      map.push_back({std::string(key.str()), place_of(source, key.source()), converted(source, value)});
    }
    std::stable_sort(map.begin(), map.end(), before);
    result.value = std::move(map);
  } else if (const auto* array = node.as_array()) {
    List list;
    for (const toml::node& value : *array) list.push_back(converted(source, value));
    result.value = std::move(list);
  } else if (const auto* text = node.as_string()) {
    refuse_unprintable(result.at, text->get());
    result.value = text->get();
  } else if (const auto* integer = node.as_integer()) {
    result.value = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    result.value = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    result.value = boolean->get();
  } else {
    refuse(result.at, "a date or time has no meaning in a scene; times are numbers in s");
  }
  return result;
}

// How many dots one key has at most: toml++ destroys nested tables by recursion.
constexpr int most_dots = 16;

// Skips the text that begins at i; returns the first index behind it.
std::size_t skip_text(std::string_view text, std::size_t i) {
  const char quote = text[i];
  const bool escapes = quote == '"';
  const std::string three(3, quote);
  const bool long_text = text.substr(i, 3) == three;
  i += long_text ? 3 : 1;
  while (i < text.size()) {
    if (escapes && text[i] == '\\') {
      i += 2;
    } else if (long_text ? text.substr(i, 3) == three : text[i] == quote) {
      return i + (long_text ? 3 : 1);
    } else if (!long_text && text[i] == '\n') {
      return i;
    } else {
      ++i;
    }
  }
  return text.size();
}

// Numbers have one dot and stand between commas; only keys have more.
void refuse_deep_keys(const Source& source) {
  const std::string_view text = source.text;
  TextPlace at{&source, 1, 1};
  int dots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = skip_text(text, i);
      at.line +=
          static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                      text.begin() + static_cast<std::ptrdiff_t>(std::min(end, text.size())), '\n'));
      i = end;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '.') ++dots;
    if (c == '\n' || c == ',' || c == '=' || c == '[' || c == ']' || c == '{' || c == '}') dots = 0;
    if (c == '\n') ++at.line;
    if (dots > most_dots)
      refuse(at, "a key has more than " + std::to_string(most_dots) + " dots; the tables of a scene are not that deep");
    ++i;
  }
}

// toml++ begins with what it was doing, and with a capital.
std::string without_capital(std::string_view text) {
  std::string result(text);
  if (!result.empty()) result[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(result[0])));
  return result;
}

}  // namespace

Map parse_toml(const Source& source) {
  constexpr std::size_t most = std::size_t{64} << 20;
  if (source.text.size() > most) refuse({&source, 1, 1}, "the file is larger than 64 MiB; a scene is not");
  refuse_unprintable(source);
  refuse_deep_keys(source);
  try {
    const toml::table table = toml::parse(source.text);
    return std::get<Map>(converted(source, table).value);
  } catch (const toml::parse_error& error) {
    refuse(place_of(source, error.source()), "this is not TOML: " + without_capital(error.description()));
  }
}

}  // namespace esc::io
