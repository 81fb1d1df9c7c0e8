#include "cli/tolerances.hpp"

#include <algorithm>
#include <iterator>

#include <escapement/schemes/registry.hpp>

#include "src/math/text.hpp"

namespace esc::cli {

std::vector<LooseTolerance> loose_tolerances(const Scheme& scheme, std::span<const OptionText> options) {
  std::vector<LooseTolerance> loose;
  std::vector<OptionText> held;  // which schemes it holds is no tolerance
  std::ranges::copy_if(options, std::back_inserter(held),
                       [](const OptionText& option) { return option.name.ends_with(".scheme"); });
  const std::vector<const Promise*> promises = scheme.promises();
  const auto plain = make_scheme(scheme.name(), scheme.system(), held);
  const std::vector<const Promise*> usual = plain->promises();
  for (std::size_t i = 0; i < promises.size(); ++i) {
    std::vector<LooseTolerance> list;
    for_each_field(promises[i]->tol, [&](double value, const FieldRow& row) {
      list.push_back({row.name, value, 0.0});
    });
    std::size_t k = 0;
    for_each_field(usual[std::min(i, usual.size() - 1)]->tol,
                   [&](double value, const FieldRow&) { list[k++].usual = value; });
    for (const LooseTolerance& one : list) {
      const bool known = std::ranges::find(loose, one.name, &LooseTolerance::name) != loose.end();
      if (one.value > one.usual * (1.0 + 1e-12) && !known) loose.push_back(one);
    }
  }
  return loose;
}

std::string said_of(const std::vector<LooseTolerance>& loose) {
  std::string text;
  for (const auto& [name, value, usual] : loose)
    text += (text.empty() ? "tolerances looser than the default: " : ", ") + name + " " + short_text(value) + " (" +
            short_text(usual) + ")";
  return text.empty() ? "" : text + "\n";
}

void add_loose(const std::vector<LooseTolerance>& loose, Json& json) {
  json.array("loose_tolerances");
  for (const auto& [name, value, usual] : loose)
    json.object().value("name", name).value("value", value).value("default", usual).end();
  json.end();
}

}  // namespace esc::cli
