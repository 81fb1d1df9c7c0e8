#include "src/io/results_info.hpp"

#include <algorithm>
#include <utility>

#include "src/io/results_drawing.hpp"

namespace esc::io {

namespace {

constexpr const char* format = "escapement results";
constexpr const char* rule =
    "impact = 1: the contact closed in this step with an impact, as the scheme says it in its events: it is not open "
    "after the step, was not recorded or open before it, and closed faster than the option impact_velocity of the "
    "scheme. impact = 2: an impact at another contact reaches this one, through joints, implicit forces and the "
    "contacts "
    "of this step; or one of the step before, with a scheme that spreads an impact over two steps (schatzman-paoli, "
    "position-theta). impact = 0: the impulse is that of a persistent force over the step.";

std::vector<std::string> texts(std::span<const std::string> names) { return {names.begin(), names.end()}; }

template <class T>
void put_field(File& file, const std::string& owner, const T& value, const char* name) {
  if constexpr (std::is_floating_point_v<T>)
    file.set_number(owner, name, value);
  else
    file.set_integer(owner, name, static_cast<std::int64_t>(value));
}

template <class T>
void get_field(const File& file, const std::string& owner, T& value, const FieldRow& row) {
  const char* name = row.name.c_str();
  if constexpr (std::is_floating_point_v<T>) {
    value = file.number(owner, name);
  } else {
    const std::int64_t number = file.integer(owner, name);
    bool fits = true;
    if constexpr (std::is_enum_v<T>)
      fits = number >= 0 && std::cmp_less(number, row.names.size());
    else
      fits = std::in_range<T>(number);
    if (!fits) file.fail("the attribute " + std::string(name) + " of " + owner + " is damaged");
    value = static_cast<T>(number);
  }
}

template <class T>
void put_fields(File& file, const std::string& owner, const T& object) {
  for_each_field(object,
                 [&](const auto& value, const FieldRow& row) { put_field(file, owner, value, row.name.c_str()); });
}

template <class T>
void get_fields(const File& file, const std::string& owner, T& object) {
  for_each_field(object, [&](auto& value, const FieldRow& row) { get_field(file, owner, value, row); });
}

template <class N, class Column>
void each_list(N& n, Column&& column) {
  column(n.inputs, "model/inputs");
  column(n.outputs, "model/outputs");
  column(n.joints, "model/joints");
  column(n.joint_rows, "model/joint_rows");
}

void write_units(File& file, const std::string& name, const std::vector<NamedUnit>& list) {
  std::vector<std::string> names, units;
  for (const NamedUnit& entry : list) {
    names.push_back(entry.name);
    units.push_back(entry.unit);
  }
  file.write_texts(name, names);
  file.write_texts(name + "_units", units);
}

std::vector<NamedUnit> read_units(const File& file, const std::string& name) {
  const auto names = file.read_texts(name), units = file.read_texts(name + "_units");
  if (names.size() != units.size()) file.fail("the datasets " + name + " and " + name + "_units differ in length");
  std::vector<NamedUnit> list;
  for (std::size_t i = 0; i < names.size(); ++i) list.push_back({names[i], units[i]});
  return list;
}

// The words that numbers in the tables stand for.
template <class List>
void each_word_list(List&& list) {
  list("model/checks", std::vector<std::string>{check_names.begin(), check_names.end()});
  list("model/statuses", std::vector<std::string>{"open", "stick", "slip"});
  list("model/events", std::vector<std::string>{event_names.begin(), event_names.end()});
  list("model/step_kinds", std::vector<std::string>{"motion", "impact"});
}

// A version that knew fewer words wrote fewer; none changes the meaning of a number.
void require_words(const File& file) {
  each_word_list([&](const char* name, const std::vector<std::string>& known) {
    const auto found = file.read_texts(name);
    if (found.size() > known.size() || !std::ranges::equal(found, std::span(known).first(found.size())))
      file.fail("the words of " + std::string(name) + " are not those of this program");
  });
}

void write_run(File& file, const RunInfo& info) {
  file.make_group("run");
  file.set_text("run", "scheme", info.scheme);
  file.set_number("run", "step", info.run.step);
  file.set_number("run", "until", info.run.until);
  file.set_integer("run", "certify", info.run.certify);
  file.set_integer("run", "every", info.every);
  file.set_text("run", "scene", info.scene);
  file.write_text("run/scene_text", info.scene_text);
  std::vector<std::string> names, values, formulas;
  std::vector<double> numbers;
  for (const OptionText& option : info.scheme_options) {
    names.push_back(option.name);
    values.push_back(option.value);
  }
  file.write_texts("run/option_names", names);
  file.write_texts("run/option_values", values);
  names.clear();
  for (const Parameter& parameter : info.parameters) {
    names.push_back(parameter.name);
    formulas.push_back(parameter.text);
    numbers.push_back(parameter.value);
  }
  file.write_texts("run/parameter_names", names);
  file.write_texts("run/parameter_texts", formulas);
  file.write_numbers("run/parameter_values", numbers);
}

void read_run(const File& file, RunInfo& info) {
  info.scheme = file.text("run", "scheme");
  info.run.step = file.number("run", "step");
  info.run.until = file.number("run", "until");
  const std::int64_t certify = file.integer("run", "certify");
  if (certify != 0 && certify != 1) file.fail("the attribute certify of run is damaged");
  info.run.certify = certify == 1;
  info.every = file.integer("run", "every");
  if (info.every < 1) file.fail("the attribute every of run is damaged");
  info.scene = file.text("run", "scene");
  info.scene_text = file.read_text("run/scene_text");
  const auto options = file.read_texts("run/option_names"), values = file.read_texts("run/option_values");
  const auto names = file.read_texts("run/parameter_names"), formulas = file.read_texts("run/parameter_texts");
  const auto count = file.rows("run/parameter_values", 1);
  const auto numbers = file.read<double>("run/parameter_values", 1, {0, count});
  if (options.size() != values.size() || names.size() != formulas.size() || names.size() != numbers.size())
    file.fail("the lists in run differ in length");
  for (std::size_t i = 0; i < options.size(); ++i) info.scheme_options.push_back({options[i], values[i]});
  for (std::size_t i = 0; i < names.size(); ++i) info.parameters.push_back({names[i], numbers[i], formulas[i], true});
}

}  // namespace

Names names_of(const System& system) {
  Names names;
  for (const CoordinateName& entry : system.coordinates()) names.coordinates.push_back({entry.name, entry.unit});
  for (const CoordinateName& entry : system.velocities()) names.velocities.push_back({entry.name, entry.unit});
  names.inputs = texts(system.input_names());
  names.outputs = texts(system.output_names());
  for (int pair = 0; pair < system.pairs(); ++pair)
    names.pairs.push_back({system.pair_names()[pair], system.pair_units()[pair]});
  names.joints = texts(system.joint_names());
  names.joint_rows.resize(static_cast<std::size_t>(system.joint_rows()));
  for (std::size_t i = 0; i < names.joints.size(); ++i) {
    const Joint& joint = system.joints()[i];
    for (int row = 0; row < joint.row_count; ++row)
      names.joint_rows[static_cast<std::size_t>(joint.first_row + row)] =
          names.joints[i] + "[" + std::to_string(row) + "]";
  }
  return names;
}

constexpr std::int64_t most_promises = 1000;  // more than any scheme has kinds of steps

static std::string promise_group(std::size_t i) { return "promises/" + std::to_string(i); }

void write_header(File& file, const Header& header) {
  file.set_text("/", "format", format);
  file.set_integer("/", "version", results_version);
  file.set_text("/", "program", header.info.program);
  file.set_text("/", "git", header.info.git);
  write_run(file, header.info);

  file.make_group("model");
  write_units(file, "model/coordinates", header.names.coordinates);
  write_units(file, "model/velocities", header.names.velocities);
  write_units(file, "model/pairs", header.names.pairs);
  each_list(header.names, [&](const auto& list, const char* name) { file.write_texts(name, list); });
  each_word_list([&](const char* name, const std::vector<std::string>& words) { file.write_texts(name, words); });

  write_drawing(file, header.info.drawing);

  file.make_group("promises");
  file.set_integer("promises", "count", static_cast<std::int64_t>(header.promises.size()));
  for (std::size_t i = 0; i < header.promises.size(); ++i) {
    const std::string group = promise_group(i);
    file.make_group(group);
    put_fields(file, group, header.promises[i]);
    file.set_text(group, "owner", header.promises[i].owner);
  }

  file.make_group("contacts");
  file.set_text("contacts", "impact_rule", rule);
}

Header read_header(const File& file) {
  Header header;
  std::string found;
  try {
    found = file.text("/", "format");
  } catch (const ResultsError&) {
    file.fail("this HDF5 file was not written by escapement");
  }
  if (found != format) file.fail("this HDF5 file was not written by escapement: its format is \"" + found + "\"");
  const std::int64_t version = file.integer("/", "version");
  if (version != results_version)
    file.fail("the file has version " + std::to_string(version) + "; this program reads version " +
              std::to_string(results_version));
  header.info.program = file.text("/", "program");
  header.info.git = file.text("/", "git");
  read_run(file, header.info);
  header.names.coordinates = read_units(file, "model/coordinates");
  header.names.velocities = read_units(file, "model/velocities");
  header.names.pairs = read_units(file, "model/pairs");
  each_list(header.names, [&](auto& list, const char* name) { list = file.read_texts(name); });
  require_words(file);
  static_cast<void>(file.text("contacts", "impact_rule"));  // for people: it has to be readable
  header.info.drawing = read_drawing(file, header.names);
  const std::int64_t promises = file.integer("promises", "count");
  if (promises < 1 || promises > most_promises) file.fail("the attribute count of promises is damaged");
  for (std::size_t i = 0; i < static_cast<std::size_t>(promises); ++i) {
    Promise& promise = header.promises.emplace_back();
    get_fields(file, promise_group(i), promise);
    promise.owner = file.text(promise_group(i), "owner");
  }
  return header;
}

void write_totals(File& file, const RunReport& report) {
  if (!file.has("totals")) file.make_group("totals");
  put_fields(file, "totals", report);
  file.set_text("totals", "message", report.message);
}

RunReport read_totals(const File& file) {
  RunReport report;
  get_fields(file, "totals", report);
  report.message = file.text("totals", "message");
  return report;
}

}  // namespace esc::io
