#include <escapement/schemes/registry.hpp>

#include <algorithm>
#include <array>
#include <type_traits>

#include <escapement/schemes/alpha_ggl.hpp>
#include <escapement/schemes/alpha_ggl_monolithic.hpp>
#include <escapement/schemes/alpha_index3.hpp>
#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>
#include <escapement/schemes/halve.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/schemes/position_theta.hpp>
#include <escapement/schemes/schatzman_paoli.hpp>

#include "src/math/spelling.hpp"

namespace esc {

namespace {

// An option that only the held scheme has needs the name of its table in front: the message says so.
template <class Options>
void refuse_option_of_held(const Options& options, std::string_view name) {
  const auto known = [&](const std::vector<FieldInfo>& rows) {
    return std::ranges::any_of(rows, [&](const FieldInfo& row) { return row.name == name; });
  };
  if (known(describe<Options>())) return;
  const auto look = [&](const auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, SchemeField<Options>>) {
      const std::string& held = (options.*field.member).scheme;
      if (known(scheme_entry(held).options()))
        throw OptionError(std::string(Fields<Options>::owner) + "." + std::string(name),
                          "it is an option of " + held + ", which " + std::string(Fields<Options>::owner) +
                              " holds: write " + std::string(field.name) + "." + std::string(name));
    }
  };
  std::apply([&](const auto&... field) { (look(field), ...); }, Fields<Options>::table);
}

// One number is not given in two ways.
template <class Options>
void refuse_both(std::span<const OptionText> texts) {
  const auto given = [&](std::string_view name) {
    return std::ranges::any_of(texts, [&](const OptionText& text) { return text.name == name; });
  };
  const auto look = [&](const auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, DerivedField<Options>>)
      if (given(field.name) && given(field.instead_of))
        throw OptionError(std::string(Fields<Options>::owner) + "." + std::string(field.name),
                          "it stands in place of " + std::string(field.instead_of) + ": give one of the two");
  };
  std::apply([&](const auto&... field) { (look(field), ...); }, Fields<Options>::table);
}

template <class Options>
Options options_from(std::span<const OptionText> texts) {
  refuse_both<Options>(texts);
  Options options;
  for (const auto& [name, value] : texts) {
    refuse_option_of_held(options, name);
    set_option(options, name, value);
  }
  return options;
}

template <class Options>
std::unique_ptr<Scheme> make(const System& system, std::span<const OptionText> texts, Executor& executor) {
  return std::make_unique<Configured<Options>>(system, options_from<Options>(texts), executor);
}

template <class Options, class Field>
void add_value(const Options& options, const Field& field, std::vector<OptionText>& texts) {
  texts.push_back({std::string(field.name), detail::info(options, field).fallback});
}
template <class Options>
void add_value(const Options&, const DerivedField<Options>&, std::vector<OptionText>&) {}  // its member is there
template <class Options>
void add_value(const Options& options, const SchemeField<Options>& field, std::vector<OptionText>& texts) {
  const SchemeChoice& choice = options.*field.member;
  const std::string prefix = std::string(field.name) + ".";
  texts.push_back({prefix + "scheme", choice.scheme});
  for (const auto& [name, value] : option_values(choice.scheme, choice.options))
    texts.push_back({prefix + name, value});
}

template <class Options>
std::vector<OptionText> values(std::span<const OptionText> given) {
  const auto options = options_from<Options>(given);
  std::vector<OptionText> texts;
  std::apply([&](const auto&... field) { (add_value(options, field, texts), ...); }, Fields<Options>::table);
  return texts;
}

template <class Options>
SchemeTraits traits(std::span<const OptionText> texts) {
  return traits_of(options_from<Options>(texts));
}

template <class Options>
constexpr SchemeEntry entry(std::string_view what, std::string_view type) {
  return {Fields<Options>::owner, what, type, make<Options>, describe<Options>, values<Options>, traits<Options>};
}

constexpr auto list = std::to_array<SchemeEntry>({
    entry<MoreauJeanOptions>("contact and joints at velocity level; penetrates by O(h), robust", "MoreauJeanOptions"),
    entry<DirectProjectedOptions>("Moreau-Jean with projected positions: no penetration, chatters at rest",
                                  "DirectProjectedOptions"),
    entry<CombinedProjectionOptions>("gaps, impact law and joints at both levels, comes to rest",
                                     "CombinedProjectionOptions"),
    entry<SchatzmanPaoliOptions>("contact at position level over two steps, joints do not drift; no friction",
                                 "SchatzmanPaoliOptions"),
    entry<PositionThetaOptions>("gaps and joints at position level without an impact law; contact velocities oscillate",
                                "PositionThetaOptions"),
    entry<AlphaGglOptions>("second order with joints too; gaps, impact law and joints at both levels, comes to rest",
                           "AlphaGglOptions"),
    entry<AlphaGglMonolithicOptions>("alpha-ggl by one sparse linear problem an iteration, for stiff or large systems",
                                     "AlphaGglMonolithicOptions"),
    entry<AlphaIndex3Options>(
        "generalized-alpha, Newmark or HHT with gaps and joints at position level; for motion without impacts",
        "AlphaIndex3Options"),
    entry<HalveOptions>("another scheme, with half the step where that fails", "HalveOptions"),
});

}  // namespace

std::span<const SchemeEntry> schemes() { return list; }

const SchemeEntry& scheme_entry(std::string_view name) {
  for (const SchemeEntry& entry : list)
    if (entry.name == name) return entry;
  std::vector<std::string_view> names;
  std::string known;
  for (const SchemeEntry& entry : list) {
    names.push_back(entry.name);
    known += (known.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw OptionError("scheme",
                    "there is no scheme '" + std::string(name) + "'; known are " + known + suggestion(name, names));
}

std::vector<OptionText> option_values(std::string_view name, std::span<const OptionText> given) {
  return scheme_entry(name).values(given);
}

SchemeTraits scheme_traits(std::string_view name, std::span<const OptionText> options) {
  return scheme_entry(name).traits(options);
}

std::unique_ptr<Scheme> make_scheme(std::string_view name, const System& system, std::span<const OptionText> options,
                                    Executor& executor) {
  return scheme_entry(name).make(system, options, executor);
}

}  // namespace esc
