#include <escapement/io/scene.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "src/io/scene_builder.hpp"
#include "src/io/scene_tables.hpp"
#include "src/math/text.hpp"

namespace esc::io {

namespace {

// Parameters as written, with the overrides; each remembers where it stands.
class Parameters {
 public:
  Parameters(const Map& root, const std::vector<Override>& overrides) {
    if (const Node* table = find(root, "parameters")) read(*table);
    for (const Override& change : overrides) replace(change);
  }

  void resolve(Constants& constants, Scene& scene) const {
    std::vector<esc::Parameter> table;
    for (const Written& p : written_) table.push_back({p.name, p.text});
    try {
      for (const auto& [name, value] : resolve_parameters(table)) constants.add(name, value);
    } catch (const FormulaError& error) {
      for (const Written& p : written_)
        if (p.name == error.formula)
          refuse(place_of(p, error.position), "parameter " + in_quotes(p.name) + ": " + error.message);
      throw;
    }
    for (const Written& p : written_) scene.parameters.push_back({p.name, constants.values().at(p.name), p.text});
  }

 private:
  struct Written {
    std::string name, text;
    TextPlace at;
  };

  void read(const Node& table) {
    const Map* map = std::get_if<Map>(&table.value);
    if (map == nullptr) refuse(table.at, "parameters is " + described(table) + "; it takes a table [parameters]");
    for (const Entry& entry : *map) {
      const std::string item = "parameter " + in_quotes(entry.key);
      if (names_in(entry.key) != std::vector<std::string>{entry.key})
        refuse(entry.at, item + ": formulas cannot use this name; a name begins with a letter, has letters, " +
                             "digits and '_', and means nothing else in formulas");
      std::string text;
      if (const auto* formula = std::get_if<std::string>(&entry.value.value))
        text = *formula;
      else if (const auto* number = std::get_if<double>(&entry.value.value))
        text = to_text(*number);
      else if (const auto* whole = std::get_if<std::int64_t>(&entry.value.value))
        text = std::to_string(*whole);
      else
        refuse(entry.value.at, item + " is " + described(entry.value) + "; it takes a number or a formula");
      if (const auto* number = std::get_if<double>(&entry.value.value); number != nullptr && !std::isfinite(*number))
        refuse(entry.value.at, item + " is " + text + "; it must be a finite number");
      written_.push_back({entry.key, std::move(text), entry.value.at});
    }
  }

  void replace(const Override& change) {
    std::vector<std::string_view> names;
    for (Written& p : written_) {
      names.push_back(p.name);
      if (p.name != change.name) continue;
      p.text = change.text;
      p.at = {&command_line, 1, 1};
      return;
    }
    refuse({&command_line, 1, 1},
           "the scene has no parameter " + in_quotes(change.name) + did_you_mean(change.name, names));
  }

  static TextPlace place_of(const Written& p, std::size_t position) {
    if (p.at.source != &command_line) return place_inside(p.at, position);
    return {&command_line, 1, static_cast<int>(position) + 1};
  }

  static inline const Source command_line{"command line", ""};
  std::vector<Written> written_;
};

// A parameter counts as used where another one that is used needs it.
void mark_used(Scene& scene, const std::set<std::string>& used) {
  std::map<std::string, Parameter*> by_name;
  for (Parameter& p : scene.parameters) by_name[p.name] = &p;
  std::vector<std::string> queue(used.begin(), used.end());
  while (!queue.empty()) {
    const auto found = by_name.find(queue.back());
    queue.pop_back();
    if (found == by_name.end() || std::exchange(found->second->used, true)) continue;
    for (std::string& needed : names_in(found->second->text)) queue.push_back(std::move(needed));
  }
}

// The table of a scheme's options, in the scene.
struct SchemeText {
  const Node& node;
  std::string prefix;    // of the names of its options
  std::string fallback;  // the scheme, where the table does not name one
};

void read_scheme(Constants& constants, const SchemeText& scheme, Scene& scene);

// The options of a scheme; those of one that it holds are "inner.scheme", "inner.theta".
void read_options(Reader& options, const Table& table, const SchemeText& scheme, Constants& constants, Scene& scene) {
  for (const Field& field : table.fields) {
    if (!options.has(field.key)) continue;
    const std::string name = scheme.prefix + std::string(field.key);
    if (field.type == Type::scheme)
      read_scheme(constants,
                  {*find(std::get<Map>(scheme.node.value), field.key), name + ".", std::string(field.fallback)}, scene);
    else
      scene.scheme_options.push_back(
          {name, field.type == Type::choice ? options.text(field.key) : to_text(options.number(field.key))});
  }
}

// A scheme that another one holds. Its name comes first: the options that follow are its own.
void read_scheme(Constants& constants, const SchemeText& scheme, Scene& scene) {
  const std::string item = "simulation.options." + scheme.prefix.substr(0, scheme.prefix.size() - 1);
  const Map* map = std::get_if<Map>(&scheme.node.value);
  const Node* given = map == nullptr ? nullptr : find(*map, "scheme");
  const std::string* name = given == nullptr ? nullptr : std::get_if<std::string>(&given->value);
  // An unknown name is refused by the reader, with those that there are.
  const bool known =
      name != nullptr && std::ranges::any_of(schemes(), [&](auto& entry) { return entry.name == *name; });
  const Table& table = inner_scheme_table(known ? *name : scheme.fallback);
  Reader options(constants, table, scheme.node, item);
  read_options(options, table, scheme, constants, scene);
}

// Options of the scheme that the default one holds, written as if they were its own.
void refuse_options_of_held(const Table& table, const Node& given, const std::string& scheme) {
  const Map* map = std::get_if<Map>(&given.value);
  const auto has = [](const Table& of, const std::string& key) {
    return std::ranges::any_of(of.fields, [&](const Field& field) { return field.key == key; });
  };
  for (const Field& field : table.fields) {
    if (field.type != Type::scheme || map == nullptr) continue;
    for (const Entry& entry : *map)
      if (!has(table, entry.key) && entry.key != "scheme" && has(inner_scheme_table(field.fallback), entry.key))
        refuse(entry.at, "simulation.options of " + scheme + ": " + in_quotes(entry.key) + " is an option of " +
                             std::string(field.fallback) + ", which " + scheme + " holds; write " +
                             std::string(field.key) + " = { " + entry.key +
                             " = ... }, or name the scheme that it is for: scheme = \"moreau-jean\"");
  }
}

void read_simulation(Constants& constants, Scene& scene, const Node& node) {
  const Table& table = simulation_table();
  Reader simulation(constants, table, node, "simulation");
  scene.scheme = simulation.text("scheme");
  scene.frames = simulation.integer("frames");
  for (const FieldInfo& info : describe<SimulateOptions>()) {
    const bool word = info.type == "choice";
    if (simulation.has(info.name))
      set_option(scene.run, info.name, word ? simulation.text(info.name) : to_text(simulation.number(info.name)));
  }
  const TextPlace until = simulation.place("until");
  scene.until_at = {"simulation", until.source->file, until.line, until.column};
  if (!simulation.has("options")) return;
  const Node& given = *find(std::get<Map>(node.value), "options");
  const Table& options = scheme_table(scene.scheme);
  refuse_options_of_held(options, given, scene.scheme);
  Reader reader(constants, options, given, "simulation.options of " + scene.scheme);
  read_options(reader, options, {given, "", scene.scheme}, constants, scene);
}

}  // namespace

void Builder::build(Reader& scene) {
  if (scene.has("world")) add_world(scene.table("world"));
  for (Reader& item : scene.tables("input")) add_input(std::move(item));
  for (Reader& item : scene.tables("material")) add_material(std::move(item));
  for (Reader& item : scene.tables("body")) add_body(std::move(item));
  for (Reader& item : scene.tables("coordinates")) add_coordinates(std::move(item));
  for (Reader& item : scene.tables("bar")) add_bar(std::move(item));
  index_coordinates();
  for (Reader& item : scene.tables("shape")) add_shape(std::move(item), "");
  for (Reader& body : scene.tables("body"))
    for (Reader& item : body.tables("shape")) add_shape(std::move(item), body.text("name"));
  for (Reader& item : scene.tables("joint")) add_joint(std::move(item));
  for (Reader& item : scene.tables("contact")) add_contact(std::move(item));
  for (Reader& item : scene.tables("force")) add_force(std::move(item));
}

void Builder::add_world(Reader world) {
  scene_.model.set_assembly(static_cast<Assembly>(world.choice("assembly")));
  scene_.model.set_joint_tolerance(world.number("joint_tolerance"));
  scene_.model.set_penetration_tolerance(world.number("penetration_tolerance"));
  world.finish();
}

void Builder::add_input(Reader input) {
  const std::string name = name_of(input);
  keep_place(name, input);
  const double value = input.number("value");
  input.finish();
  const InputId id = added(input, [&] { return scene_.model.add_input(name, value); });
  inputs_.push_back({name, id.index});
}

Scene parse_scene(std::string_view text, const std::string& file, const std::vector<Override>& overrides,
                  Includes includes) {
  Document document;
  read_document(document, file, std::string(text), includes);
  const Node root{{&document.sources.front(), 1, 1}, std::move(document.root)};
  document.root.clear();

  Scene scene;
  scene.name = std::filesystem::path(file).stem().string();
  for (auto source = std::next(document.sources.begin()); source != document.sources.end(); ++source)
    scene.files.push_back(source->file);
  Constants constants;
  Parameters(std::get<Map>(root.value), overrides).resolve(constants, scene);
  Reader reader(constants, scene_table, root, "scene");
  scene.title = reader.text("title");
  Builder(constants, scene).build(reader);
  read_simulation(constants, scene, *find(std::get<Map>(root.value), "simulation"));
  mark_used(scene, constants.used());
  for (const Parameter& p : scene.parameters)
    if (!p.used) scene.warnings.push_back("parameter " + in_quotes(p.name) + " is not used");
  scene.text = document.included ? to_toml(std::get<Map>(root.value)) : std::string(text);
  return scene;
}

// "crank.phi" and "floor[1]" are of the items "crank" and "floor"; the longest name that fits.
static SceneError at_its_item(const Scene& scene, const ModelError& error) {
  const ItemPlace* best = nullptr;
  for (const ItemPlace& place : scene.places)
    if (error.item().starts_with(place.item) && (best == nullptr || place.item.size() > best->item.size()))
      best = &place;
  if (best == nullptr) return {scene.files.empty() ? scene.name + ".toml" : scene.files.back(), 1, 1, error.what()};
  return {best->file, best->line, best->column, error.what()};
}

System compile_scene(const Scene& scene) try { return compile(scene.model); } catch (const ModelError& error) {
  throw at_its_item(scene, error);
}

std::unique_ptr<Scheme> make_scheme(const Scene& scene, const System& system) try {
  return esc::make_scheme(scene.scheme, system, scene.scheme_options);
} catch (const ModelError& error) {
  throw at_its_item(scene, error);
}

double evaluate(const Scene& scene, const std::string& formula) {
  ad::Tape tape;
  FormulaNames names(tape);
  for (const Parameter& parameter : scene.parameters) names.add_parameter(parameter.name, parameter.value);
  return parse(formula, names, {"a number", {}}).value.constant();
}

Scene read_scene(const std::string& path, const std::vector<Override>& overrides) {
  Scene scene = parse_scene(read_file(path), path, overrides);
  scene.files.push_back(path);
  return scene;
}

}  // namespace esc::io
