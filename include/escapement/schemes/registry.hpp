// Every scheme once, by name: the tool, the papers and the docs walk this list. A new scheme is one line in
// src/schemes/registry.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <escapement/executor.hpp>
#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/scheme.hpp>

namespace esc {

struct SchemeEntry {
  std::string_view name;  // as Scheme::name()
  std::string_view what;  // one sentence
  std::string_view type;  // of its options
  std::unique_ptr<Scheme> (*make)(const System& system, std::span<const OptionText> options, Executor& executor);
  std::vector<FieldInfo> (*options)();
  std::vector<OptionText> (*values)(std::span<const OptionText> given);
  SchemeTraits (*traits)(std::span<const OptionText> options);
};

// The scheme of a scene that names none: halve around combined-projection, so that bodies do not penetrate, joints do
// not drift, impacts obey their law, and a step that fails is tried again.
inline constexpr std::string_view default_scheme = "halve";

ESC_API std::span<const SchemeEntry> schemes();
// Throws OptionError if there is none of this name.
ESC_API const SchemeEntry& scheme_entry(std::string_view name);
// Every option of a scheme with the value it has when these are given, defaults included: make_scheme with them makes
// the same scheme also where another version has other defaults. Throws OptionError as make_scheme does.
[[nodiscard]] ESC_API std::vector<OptionText> option_values(std::string_view name, std::span<const OptionText> given);
// What is known of a scheme with these options. Throws OptionError as make_scheme does.
[[nodiscard]] ESC_API SchemeTraits scheme_traits(std::string_view name, std::span<const OptionText> options = {});
// Throws OptionError for an unknown name, option or value.
[[nodiscard]] ESC_API std::unique_ptr<Scheme> make_scheme(std::string_view name, const System& system,
                                                          std::span<const OptionText> options = {},
                                                          Executor& executor = serial());

}  // namespace esc
