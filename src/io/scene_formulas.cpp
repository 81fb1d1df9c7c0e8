// What formulas describe: coordinates, gaps, joints and forces.
#include <algorithm>
#include <numeric>
#include <set>

#include <escapement/formula/points.hpp>

#include "src/formula/lexer.hpp"
#include "src/io/scene_builder.hpp"
#include "src/io/scene_tables.hpp"

namespace esc::io {

namespace {

std::string indexed(const std::string& label, std::size_t i) { return label + "[" + std::to_string(i) + "]"; }

// Where a name stands in a formula that has it.
std::size_t position_of(const std::string& text, std::string_view name) {
  formula::Lexer lexer(text);
  formula::Token token = lexer.next();
  while (token.kind != formula::TokenKind::end && !token.is(name)) token = lexer.next();
  return token.begin;
}

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

std::string message_of(const ModelError& error) {
  const std::string text = error.what(), prefix = error.item() + ": ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

void refuse_formula(const Reader& item, const FormulaError& error, const std::map<std::string, FormulaText>& labels) {
  const auto exact = labels.find(error.formula);
  if (exact != labels.end()) refuse(place_inside(exact->second.at, error.position), item.item() + ": " + error.message);
  const auto about = labels.lower_bound(error.formula);
  if (about != labels.end() && about->first.starts_with(error.formula))
    refuse(about->second.at, item.item() + ": " + error.message);
  item.refuse(error.message);
}

std::string Builder::labelled(Labels& labels, const std::string& label, const FormulaText& formula) {
  if (formula.text.empty() && formula.at.source == nullptr) return "";
  constants_.use(formula.text);
  labels[label] = formula;
  if (formula.text.empty()) refuse(formula.at, "the formula is empty");
  return formula.text;
}

std::vector<std::string> Builder::labelled(Labels& labels, const std::string& label,
                                           const std::vector<FormulaText>& list) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < list.size(); ++i) texts.push_back(labelled(labels, indexed(label, i), list[i]));
  return texts;
}

FormulaScope Builder::scope(Reader& item, Labels& labels) {
  FormulaScope scope;
  scope.inputs = inputs_;
  scope.parameters = constants_.values();
  for (Definition& definition : item.definitions("let")) {
    labelled(labels, "definitions." + definition.name, definition.formula);
    scope.definitions.push_back({definition.name, definition.formula.text});
  }
  return scope;
}

void Builder::index_coordinates() {
  for (int i = 0; i < static_cast<int>(coordinates_.size()); ++i) {
    const std::string_view name = coordinates_[i].name;
    meanings_[name].push_back(i);
    if (last_part(name) != name) meanings_[last_part(name)].push_back(i);
  }
}

// Which coordinate a name of a formula stands for; -1: none, it is a parameter, an input or a definition.
int Builder::meaning(const FormulaScope& scope, const std::string& name) const {
  for (const FormulaDefinition& definition : scope.definitions)
    if (definition.name == name) return -1;
  const bool parameter = scope.parameters.contains(name);
  const bool input = std::any_of(inputs_.begin(), inputs_.end(), [&](const FormulaInput& i) { return i.name == name; });
  const auto found = meanings_.find(name);
  if (found == meanings_.end()) {
    if (parameter || input) return -1;
    std::vector<std::string_view> known = names_of(meanings_);
    for (const auto& [other, value] : scope.parameters) known.push_back(other);
    for (const FormulaInput& other : inputs_) known.push_back(other.name);
    for (const FormulaDefinition& other : scope.definitions) known.push_back(other.name);
    throw FormulaError(0, 0, "unknown name " + in_quotes(name) + did_you_mean(name, known));
  }
  const std::string& full = coordinates_[found->second[0]].name;
  if (parameter || input)
    throw FormulaError(0, 0,
                       in_quotes(name) + " is " + (parameter ? "a parameter" : "an input") +
                           " and a coordinate; write " + in_quotes(full) + " for that, or rename the other");
  if (found->second.size() > 1)
    throw FormulaError(0, 0,
                       in_quotes(name) + " is a coordinate of several items; write " + in_quotes(full) + " or " +
                           in_quotes(coordinates_[found->second[1]].name));
  return found->second[0];
}

// The coordinates that the formulas use, ascending; the scope gets their names.
std::vector<int> Builder::used_coordinates(const Reader& item, FormulaScope& scope, const Labels& labels) const {
  std::set<int> used;
  std::set<std::string> seen;
  for (const auto& [label, formula] : labels)
    for (const std::string& name : names_in(formula.text)) {
      seen.insert(name);
      try {
        if (const int i = meaning(scope, name); i >= 0) used.insert(i);
      } catch (const FormulaError& error) {
        refuse(place_inside(formula.at, position_of(formula.text, name)), item.item() + ": " + error.message);
      }
    }
  for (const FormulaDefinition& definition : scope.definitions)
    if (!seen.contains(definition.name))
      refuse(labels.at("definitions." + definition.name).at,
             item.item() + ": " + in_quotes(definition.name) + " has no effect here; no formula uses it");
  for (const int i : used) scope.coordinates.push_back(coordinates_[i].name);
  return {used.begin(), used.end()};
}

// A formula that cannot be read has no names either: say that first.
void Builder::check_syntax(const Reader& item, const FormulaScope& scope, const Labels& labels) const {
  ad::Tape tape;
  FormulaNames names(tape);
  names.set_time(tape.input());
  for (const auto& [name, value] : scope.parameters) names.add_parameter(name, value);
  for (const FormulaInput& input : scope.inputs) names.add_parameter(input.name, 0.0);
  for (const auto& [label, formula] : labels) try {
      static_cast<void>(parse(formula.text, names));
    } catch (const FormulaError& error) {
      refuse(place_inside(formula.at, error.position), item.item() + ": " + error.message);
    }
}

std::vector<Coordinates> Builder::narrow(const Reader& item, FormulaScope& scope, const Labels& labels) const {
  const std::vector<int> used = used_coordinates(item, scope, labels);
  if (used.empty()) {
    check_syntax(item, scope, labels);
    refuse(labels.begin()->second.at, item.item() + ": the formulas contain no coordinate");
  }
  return grouped(used);
}

// Neighbours within a block become one range.
std::vector<Coordinates> Builder::grouped(const std::vector<int>& coordinates) const {
  std::vector<Coordinates> groups;
  for (const int i : coordinates) {
    const NamedCoordinate& c = coordinates_[i];
    const bool next =
        !groups.empty() && groups.back().block == c.block && groups.back().first + groups.back().count == c.index;
    if (next)
      ++groups.back().count;
    else
      groups.emplace_back(c.block, c.index, 1);
  }
  return groups;
}

BlockId Builder::keep_block(const std::string& name, BlockId id, const std::vector<std::string>& coordinates) {
  for (int i = 0; i < static_cast<int>(coordinates.size()); ++i)
    coordinates_.push_back({name + "." + coordinates[i], id, i});
  return id;
}

void Builder::check_coordinate_names(const Reader& item, const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    const bool plain = names_in(name) == std::vector<std::string>{name} && name.find('.') == std::string::npos;
    if (!plain || formula::is_reserved(name))
      item.refuse("names", in_quotes(name) +
                               " cannot be a coordinate: a name begins with a letter, has letters, digits " +
                               "and '_' only, and means nothing else in formulas");
    if (constants_.values().contains(name))
      item.refuse("names", in_quotes(name) + " is a parameter and a coordinate; rename one of them");
    if (std::count(names.begin(), names.end(), name) > 1)
      item.refuse("names", "two coordinates are called " + in_quotes(name) + "; names must differ");
  }
}

void Builder::add_coordinates(Reader item) {
  const std::string name = name_of(item);
  keep_place(name, item);
  const std::vector<std::string> names = item.texts("names");
  check_coordinate_names(item, names);
  const auto values = [&](std::string_view key) {
    std::vector<double> list(names.size(), 0.0);
    if (!item.has(key)) return list;
    list = item.numbers(key);
    if (list.size() != names.size())
      item.refuse(key, std::string(key) + " has " + std::to_string(list.size()) + " entries, but there are " +
                           std::to_string(names.size()) + " coordinates; give one for each");
    return list;
  };
  std::vector<double> q = values("start"), v = values("rates");

  Labels labels;
  FormulaScope own = scope(item, labels);
  own.coordinates = names;
  const std::vector<std::string> force = labelled(labels, "force", item.formulas("force"));
  const std::string potential = labelled(labels, "potential", item.formula("potential"));
  std::unique_ptr<BlockLeaf> leaf;
  if (item.kind() == "energies") {
    const FormulaEnergies energies{labelled(labels, "kinetic", item.formula("kinetic")), potential, force};
    leaf = made(item, labels, [&] { return formula_block(own, energies); });
    if (linear_in_rates(own, energies))
      scene_.doubts.push_back(
          {name,
           "the kinetic energy of '" + name +
               "' has terms that are linear in the rates, as in a frame that moves: the energy audit "
               "does not know what moves it, and the judgement of the energy of a run does not hold",
           "energy"});
  } else {
    FormulaEquations equations{.force = force, .potential = potential};
    const auto rows = item.formula_rows("mass");
    if (rows.size() == 1)
      equations.diagonal = labelled(labels, "mass", rows[0]);
    else
      for (std::size_t i = 0; i < rows.size(); ++i)
        equations.mass.push_back(labelled(labels, indexed("mass", i), rows[i]));
    leaf = made(item, labels, [&] { return formula_block(own, equations); });
  }
  item.finish();
  keep_block(
      name,
      added(item,
            [&] { return scene_.model.add_coordinates(name, names, std::move(leaf), std::move(q), std::move(v)); }),
      names);
}

void Builder::add_gap(Reader& item) {
  const std::string name = name_of(item);
  keep_place(name, item);
  Labels labels;
  FormulaScope all = scope(item, labels);
  const std::vector<FormulaText> gaps = item.formulas("gap");
  std::vector<std::vector<FormulaText>> slips = item.formula_rows("slip");
  // A plain list of slips is one row: of several gaps it has one for each.
  if (slips.size() == 1 && gaps.size() > 1 && slips[0].size() == gaps.size()) {
    const std::vector<FormulaText> row = slips[0];
    slips.clear();
    for (const FormulaText& slip : row) slips.push_back({slip});
  }
  if (!slips.empty() && slips.size() != gaps.size())
    item.refuse("slip", "there are " + std::to_string(gaps.size()) + " gaps, but slips for " +
                            std::to_string(slips.size()) + " of them; give slips for each gap, or none");

  std::vector<FormulaContact> contacts;
  for (std::size_t k = 0; k < gaps.size(); ++k) {
    const bool alone = gaps.size() == 1;
    contacts.push_back({labelled(labels, alone ? "gap" : indexed("gap", k), gaps[k])});
    if (!slips.empty()) contacts.back().slip = labelled(labels, alone ? "slip" : indexed("slip", k), slips[k]);
  }
  const ContactLaw law = law_of(item);
  if (item.has("a") || item.has("b")) {
    const std::vector<Frame> frames = points(item);
    item.finish();
    auto leaf = made(item, labels, [&] { return formula_point_gap(all, static_cast<int>(frames.size()), contacts); });
    added(item, [&] { return scene_.model.add_contact(name, frames, std::move(leaf), law); });
    return;
  }
  item.finish();
  const std::vector<Coordinates> coordinates = narrow(item, all, labels);
  auto leaf = made(item, labels, [&] { return formula_gap(all, contacts); });
  added(item, [&] { return scene_.model.add_contact(name, coordinates, std::move(leaf), law); });
}

JointId Builder::add_formula_joint(Reader& item, const std::string& name) {
  Labels labels;
  FormulaScope all = scope(item, labels);
  const std::vector<std::string> rows = labelled(labels, "joint", item.formulas("equations"));
  const std::vector<Coordinates> coordinates = narrow(item, all, labels);
  auto leaf = made(item, labels, [&] { return formula_joint(all, rows); });
  return added(item, [&] { return scene_.model.add_joint(name, coordinates, std::move(leaf)); });
}

// The frames whose places formulas use.
std::vector<Frame> Builder::points(Reader& item) {
  if (!item.has("a")) item.refuse("'a' is missing; with one frame it is a");
  std::vector<Frame> frames{frame(item.table("a"))};
  if (item.has("b")) frames.push_back(frame(item.table("b")));
  return frames;
}

JointId Builder::add_point_joint(Reader& item, const std::string& name) {
  Labels labels;
  const FormulaScope all = scope(item, labels);
  const std::vector<std::string> rows = labelled(labels, "joint", item.formulas("equations"));
  const std::vector<Frame> frames = points(item);
  auto leaf = made(item, labels, [&] { return formula_point_joint(all, static_cast<int>(frames.size()), rows); });
  return added(item, [&] { return scene_.model.add_joint(name, frames, std::move(leaf)); });
}

// In the order of the file, since the forces are.
std::vector<int> Builder::chosen_coordinates(Reader& item) const {
  std::vector<int> chosen;
  for (const std::string& name : item.texts("coordinates")) {
    const auto found = meanings_.find(name);
    if (found == meanings_.end())
      item.refuse("coordinates", "there is no coordinate " + in_quotes(name) + did_you_mean(name, names_of(meanings_)) +
                                     "; bodies in space have none that formulas can use");
    if (found->second.size() > 1)
      item.refuse("coordinates", "several items have a coordinate " + in_quotes(name) + "; write <item>." + name);
    chosen.push_back(found->second[0]);
  }
  return chosen;
}

void Builder::add_formula_force(Reader& item, const std::string& name) {
  Labels labels;
  FormulaScope all = scope(item, labels);
  const std::vector<int> chosen = chosen_coordinates(item);
  const std::vector<std::string> texts = labelled(labels, "force", item.formulas("force"));
  const FormulaForce force{
      texts,
      labelled(labels, "potential", item.formula("potential")),
      {static_cast<ForceKind>(item.choice("audit")), static_cast<Tangents>(item.choice("tangents"))}};
  if (texts.empty() && force.potential.empty()) item.refuse("'force' is missing; give force, or potential, or both");
  if (!texts.empty() && texts.size() != chosen.size())
    item.refuse("force", "there are " + std::to_string(chosen.size()) + " coordinates, but " +
                             std::to_string(texts.size()) + " forces; give one for each");
  for (const int i : used_coordinates(item, all, labels))
    if (std::find(chosen.begin(), chosen.end(), i) == chosen.end())
      item.refuse("coordinates", "the formulas use " + in_quotes(coordinates_[i].name) +
                                     ", which is not among the coordinates; add it, with the force 0 if need be");
  all.coordinates.clear();
  for (const int i : chosen) all.coordinates.push_back(coordinates_[i].name);
  auto leaf = made(item, labels, [&] { return formula_force(all, force); });
  added(item, [&] { return scene_.model.add_force(name, grouped(chosen), std::move(leaf)); });
}

}  // namespace esc::io
