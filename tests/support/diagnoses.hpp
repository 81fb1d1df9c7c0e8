// What diagnose() finds in scenes given as text.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/study/doctor.hpp>

namespace esc::testing {

inline std::vector<study::Diagnosis> diagnosed(const std::string& text) {
  const io::Scene scene = io::parse_scene(text, "scene.toml");
  return study::diagnose(scene, io::compile_scene(scene));
}

// The one warning of the scene is of this topic and item and has these words.
inline void expect_warning(const std::string& text, const std::string& topic, const std::string& item,
                           const std::string& words) {
  int warnings = 0;
  for (const study::Diagnosis& diagnosis : diagnosed(text)) {
    if (diagnosis.severity == study::Severity::fact) {
      EXPECT_EQ(warnings, 0) << "a fact after a warning: " << diagnosis.text;
      continue;
    }
    ++warnings;
    EXPECT_EQ(diagnosis.topic, topic) << diagnosis.text;
    EXPECT_EQ(diagnosis.item, item) << diagnosis.text;
    EXPECT_NE(diagnosis.text.find(words), std::string::npos) << diagnosis.text;
  }
  EXPECT_EQ(warnings, 1) << text;
}

inline void expect_clean(const std::string& text) {
  for (const study::Diagnosis& diagnosis : diagnosed(text))
    EXPECT_EQ(diagnosis.severity, study::Severity::fact) << diagnosis.text << "\n" << text;
}

inline void expect_fact(const std::string& text, const std::string& words) {
  const auto found = diagnosed(text);
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const study::Diagnosis& d) {
    return d.severity == study::Severity::fact && d.text.find(words) != std::string::npos;
  })) << words;
}

}  // namespace esc::testing
