#include <escapement/schemes/registry.hpp>

#include <array>

#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/schemes/position_theta.hpp>
#include <escapement/schemes/schatzman_paoli.hpp>

#include "src/math/spelling.hpp"

namespace esc {

namespace {

template <class Options>
Options options_from(std::span<const OptionText> texts) {
  Options options;
  for (const auto& [name, value] : texts) set_option(options, name, value);
  return options;
}

template <class S>
std::unique_ptr<Scheme> make(const System& system, std::span<const OptionText> texts, Executor& executor) {
  return std::make_unique<S>(system, options_from<typename S::Options>(texts), executor);
}

template <class Options>
std::vector<OptionText> values(std::span<const OptionText> given) {
  const auto options = options_from<Options>(given);
  std::vector<OptionText> texts;
  const auto add = [&](const auto& field) {
    texts.push_back({std::string(field.name), detail::info(options, field).fallback});
  };
  std::apply([&](const auto&... field) { (add(field), ...); }, Fields<Options>::table);
  return texts;
}

template <class S>
constexpr SchemeEntry entry(std::string_view what, std::string_view type) {
  using Options = typename S::Options;
  return {Fields<Options>::owner, what, type, make<S>, describe<Options>, values<Options>};
}

constexpr auto list = std::to_array<SchemeEntry>({
    entry<MoreauJean>("contact and joints at velocity level; penetrates by O(h), robust", "MoreauJeanOptions"),
    entry<DirectProjected>("Moreau-Jean with projected positions: no penetration, chatters at rest",
                           "DirectProjectedOptions"),
    entry<CombinedProjection>("gaps, impact law and joints at both levels, comes to rest", "CombinedProjectionOptions"),
    entry<SchatzmanPaoli>("contact at position level over two steps, joints do not drift; no friction",
                          "SchatzmanPaoliOptions"),
    entry<PositionTheta>("gaps and joints at position level without an impact law; contact velocities oscillate",
                         "PositionThetaOptions"),
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

std::unique_ptr<Scheme> make_scheme(std::string_view name, const System& system, std::span<const OptionText> options,
                                    Executor& executor) {
  return scheme_entry(name).make(system, options, executor);
}

}  // namespace esc
