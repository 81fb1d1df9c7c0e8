// Scenes as text that tests change, and what is expected of the errors.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>

namespace esc::testing {

// Line and column, from 1, of the first character of `part` in the text.
struct LineAndColumn {
  int line = 1, column = 1;
  bool operator==(const LineAndColumn&) const = default;
};

inline LineAndColumn place_of(const std::string& text, const std::string& part, std::size_t from = 0) {
  LineAndColumn place;
  const std::size_t end = text.find(part, from);
  EXPECT_NE(end, std::string::npos) << "'" << part << "' is not in\n" << text;
  for (std::size_t i = 0; i < end && i < text.size(); ++i) {
    ++place.column;
    if (text[i] == '\n') place = {place.line + 1, 1};
  }
  return place;
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "'" << from << "' is not in\n" << text;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// Reading or compiling the text fails at the place where `at` stands, with a message that has all the parts.
inline void expect_scene_refused(const std::string& text, const std::string& at,
                                 std::initializer_list<std::string> parts,
                                 const std::vector<io::Override>& overrides = {}) {
  try {
    const io::Scene scene = io::parse_scene(text, "scene.toml", overrides);
    static_cast<void>(io::compile_scene(scene));
    ADD_FAILURE() << "was accepted:\n" << text;
  } catch (const io::SceneError& error) {
    const std::string what = error.what();
    const LineAndColumn place = place_of(text, at);
    EXPECT_EQ(error.line(), place.line) << what << "\n" << text;
    EXPECT_EQ(error.column(), place.column) << what << "\n" << text;
    const std::string prefix =
        error.file() + ":" + std::to_string(error.line()) + ":" + std::to_string(error.column()) + ": ";
    EXPECT_EQ(what.rfind(prefix, 0), 0U) << what;
    for (const std::string& part : parts) EXPECT_NE(what.find(part), std::string::npos) << what << "\nlacks " << part;
  }
}

}  // namespace esc::testing
