// Bad input to a model is refused with a ModelError whose text names the item, the value and what is allowed.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>

#include <gtest/gtest.h>

#include <escapement/system.hpp>

namespace esc::testing {

// build() adds to an empty model; the error may come at once or from compile().
inline void expect_refused(const std::function<void(Model&)>& build, const std::string& item,
                           std::initializer_list<std::string> parts) {
  try {
    Model model;
    build(model);
    static_cast<void>(compile(model));
    ADD_FAILURE() << item << " was accepted";
  } catch (const ModelError& error) {
    const std::string text = error.what();
    EXPECT_EQ(error.item(), item) << text;
    EXPECT_EQ(text.rfind(item + ": ", 0), 0u) << text;
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
  }
}

}  // namespace esc::testing
