// What check() finds in scenes given as text.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/study/check.hpp>

namespace esc::testing {

inline std::vector<study::Finding> findings(const std::string& text) {
  const io::Scene scene = io::parse_scene(text, "scene.toml");
  return study::check(scene, io::compile_scene(scene));
}

// The one warning of the scene is of this topic and item and has these words.
inline void expect_warning(const std::string& text, const std::string& topic, const std::string& item,
                           const std::string& words) {
  int warnings = 0;
  for (const study::Finding& finding : findings(text)) {
    if (finding.severity == study::Severity::fact) {
      EXPECT_EQ(warnings, 0) << "a fact after a warning: " << finding.text;
      continue;
    }
    ++warnings;
    EXPECT_EQ(finding.topic, topic) << finding.text;
    EXPECT_EQ(finding.item, item) << finding.text;
    EXPECT_NE(finding.text.find(words), std::string::npos) << finding.text;
  }
  EXPECT_EQ(warnings, 1) << text;
}

inline void expect_clean(const std::string& text) {
  for (const study::Finding& finding : findings(text))
    EXPECT_EQ(finding.severity, study::Severity::fact) << finding.text << "\n" << text;
}

inline void expect_fact(const std::string& text, const std::string& words) {
  const auto found = findings(text);
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const study::Finding& d) {
    return d.severity == study::Severity::fact && d.text.find(words) != std::string::npos;
  })) << words;
}

inline void expect_no_word(const std::string& text, const std::string& word) {
  for (const study::Finding& finding : findings(text))
    EXPECT_EQ(finding.text.find(word), std::string::npos) << finding.text;
}

}  // namespace esc::testing
