// Every key of every table of a scene, by the field tables themselves: a missing, misspelt, mistyped or out-of-range
// value is refused at its line and column, by a message that names the item and the remedy.
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>
#include <escapement/schemes/registry.hpp>

#include "src/io/scene_reader.hpp"
#include "src/io/scene_tables.hpp"
#include "src/io/scene_toml.hpp"

namespace esc::io {
namespace {

// A table with one kind of its kinds.
struct Case {
  const Table* table;
  const Kind* kind;
};

std::vector<Case> every_case() {
  std::vector<Case> cases;
  const auto add = [&](const Table& table) {
    if (table.kinds.empty()) cases.push_back({&table, nullptr});
    for (const Kind& kind : table.kinds) cases.push_back({&table, &kind});
  };
  for (const Table* table : all_tables()) add(*table);
  for (const SchemeEntry& entry : schemes()) add(scheme_table(entry.name));
  return cases;
}

std::vector<Field> fields_of(const Case& c) {
  std::vector<Field> fields(c.table->fields.begin(), c.table->fields.end());
  if (c.kind != nullptr) fields.insert(fields.end(), c.kind->fields.begin(), c.kind->fields.end());
  return fields;
}

bool is_whole(const Field& field) { return field.type == Type::integer || field.type == Type::integers; }
bool is_list(const Field& field) {
  return field.type == Type::numbers || field.type == Type::integers || field.type == Type::texts;
}

std::string written(const Field& field, double value) {
  return is_whole(field) ? std::to_string(static_cast<long long>(value)) : std::to_string(value);
}

std::string good_number(const Field& field) {
  const Range& r = field.range;
  if (std::isfinite(r.high)) return written(field, r.high);
  return written(field, std::isfinite(r.low) ? r.low + 1.0 : 1.0);
}

std::string repeated(const std::string& entry, int count) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + entry;
  return text + "]";
}

std::string good_value(const Field& field) {
  switch (field.type) {
    case Type::number:
    case Type::integer:
      return good_number(field);
    case Type::boolean:
      return "true";
    case Type::text:
      return "\"word\"";
    case Type::choice:
      return "\"" + std::string(field.choices.back()) + "\"";
    case Type::formula:
      return "\"2*x\"";
    case Type::numbers:
    case Type::integers:
      return repeated(good_number(field), std::max(1, field.least));
    case Type::texts:
      return repeated("\"word\"", std::max(1, field.least));
    case Type::formulas:
    case Type::formula_rows:
    case Type::formula_matrix:
      return repeated("\"x\"", std::max(1, field.least));
    case Type::matrix:
      return repeated("1", field.most);
    case Type::definitions:
    case Type::table:
    case Type::scheme:
      return "{}";
    case Type::tables:
      return "[]";
  }
  return "";
}

std::string value_of_wrong_type(const Field& field) {
  switch (field.type) {
    case Type::number:
    case Type::integer:
    case Type::choice:
    case Type::text:
      return "[1]";
    default:
      return field.type == Type::boolean ? "\"true\"" : "true";
  }
}

std::vector<std::string> values_out_of_range(const Field& field) {
  std::vector<std::string> values;
  const Range& r = field.range;
  const int count = is_list(field) || field.type == Type::matrix ? std::max(1, std::max(field.least, field.most)) : 0;
  const auto add = [&](const std::string& number) { values.push_back(count > 0 ? repeated(number, count) : number); };
  const bool numeric = is_whole(field) || field.type == Type::number || field.type == Type::numbers;
  if (numeric && std::isfinite(r.low)) add(written(field, r.low_excluded ? r.low : r.low - 1.0));
  if (numeric && std::isfinite(r.high)) add(written(field, r.high + 1.0));
  if (field.type == Type::number || field.type == Type::numbers) {
    add("nan");
    add("-inf");
    add("\"1/0\"");
  }
  if (is_whole(field)) add("1.5");
  if (is_list(field) && field.least > 0) values.push_back("[]");
  if (is_list(field) && field.most > 0)
    values.push_back(repeated(field.type == Type::texts ? "\"word\"" : good_number(field), field.most + 1));
  if (field.type == Type::choice) values.emplace_back("\"no such word\"");
  return values;
}

// The table as text: one key a line, in the order of the fields.
struct Lines {
  std::vector<std::string> keys, values;

  std::string text() const {
    std::string all;
    for (std::size_t i = 0; i < keys.size(); ++i) all += keys[i] + " = " + values[i] + "\n";
    return all;
  }
};

Lines good_lines(const Case& c) {
  Lines lines;
  if (c.kind != nullptr && !c.table->kind_by_key) {
    lines.keys.emplace_back("kind");
    lines.values.push_back("\"" + std::string(c.kind->name) + "\"");
  }
  for (const Field& field : fields_of(c)) {
    lines.keys.emplace_back(field.key);
    lines.values.push_back(good_value(field));
  }
  return lines;
}

void read(const Case& c, const std::string& text) {
  const Source source{"file.toml", text};
  const Node node{{&source, 1, 1}, parse_toml(source)};
  Constants constants;
  constants.add("x", 1.0);
  static_cast<void>(Reader(constants, *c.table, node, "thing 'a'"));
}

// The line is the index of a key in the lines, from 0.
void expect_refused(const Case& c, const std::string& text, int line, int column,
                    const std::vector<std::string>& parts) {
  const std::string where = std::string(c.table->name) + (c.kind == nullptr ? "" : "/" + std::string(c.kind->name));
  try {
    read(c, text);
    ADD_FAILURE() << where << " was accepted:\n" << text;
  } catch (const SceneError& error) {
    const std::string what = error.what();
    EXPECT_EQ(error.file(), "file.toml");
    EXPECT_EQ(error.line(), line) << where << ": " << what << "\n" << text;
    EXPECT_EQ(error.column(), column) << where << ": " << what << "\n" << text;
    for (const std::string& part : parts) EXPECT_NE(what.find(part), std::string::npos) << what << "\nlacks " << part;
  }
}

void for_every_key(const std::function<void(const Case&, const Field&, const Lines&, int)>& look) {
  for (const Case& c : every_case()) {
    const Lines lines = good_lines(c);
    const std::vector<Field> fields = fields_of(c);
    const int first = static_cast<int>(lines.keys.size() - fields.size());
    for (int i = 0; i < static_cast<int>(fields.size()); ++i) look(c, fields[i], lines, first + i);
  }
}

TEST(SceneTables, AcceptWhatTheyDescribe) {
  for (const Case& c : every_case()) {
    ASSERT_FALSE(c.table->name.empty());
    EXPECT_NO_THROW(read(c, good_lines(c).text())) << good_lines(c).text();
  }
}

TEST(SceneTables, RefuseAMissingKeyAtTheTable) {
  for_every_key([](const Case& c, const Field& field, Lines lines, int i) {
    if (!field.required) return;
    lines.keys.erase(lines.keys.begin() + i);
    lines.values.erase(lines.values.begin() + i);
    expect_refused(c, lines.text(), 1, 1, {"thing 'a'", std::string(field.key)});
  });
}

TEST(SceneTables, AskWhetherAMisspeltKeyMeansAnother) {
  for_every_key([](const Case& c, const Field& field, Lines lines, int i) {
    if (field.key.size() < 4) return;  // too short to be sure
    std::string& key = lines.keys[i];
    std::swap(key[1], key[2]);
    if (key == field.key) key.insert(1, 1, key[1]);
    expect_refused(c, lines.text(), i + 1, 1,
                   {"thing 'a'", "there is no key '" + key + "'", "did you mean '" + std::string(field.key) + "'"});
  });
}

TEST(SceneTables, RefuseKeysThatMeanNothing) {
  for (const Case& c : every_case()) {
    const Lines lines = good_lines(c);
    expect_refused(c, lines.text() + "zyxwvutsrq = 1\n", static_cast<int>(lines.keys.size()) + 1, 1,
                   {"thing 'a'", "there is no key 'zyxwvutsrq'", "known are"});
  }
}

TEST(SceneTables, RefuseAWrongType) {
  for_every_key([](const Case& c, const Field& field, Lines lines, int i) {
    lines.values[i] = value_of_wrong_type(field);
    expect_refused(c, lines.text(), i + 1, static_cast<int>(field.key.size()) + 4,
                   {"thing 'a'", std::string(field.key), "it takes"});
  });
}

TEST(SceneTables, RefuseAValueOutOfRange) {
  int count = 0;
  for_every_key([&](const Case& c, const Field& field, const Lines& lines, int i) {
    for (const std::string& value : values_out_of_range(field)) {
      Lines changed = lines;
      changed.values[i] = value;
      // An entry of a list is itself the place; a wrong number of entries is the list's.
      const int commas = static_cast<int>(std::count(value.begin(), value.end(), ','));
      const bool entry = is_list(field) && value != "[]" && (field.most == 0 || commas < field.most);
      const bool formula = value.find("1/0") != std::string::npos;
      const int column = static_cast<int>(field.key.size()) + 4 + (entry ? 1 : 0);
      if (formula) continue;  // the column is that of a character: below
      expect_refused(c, changed.text(), i + 1, column, {"thing 'a'", std::string(field.key)});
      ++count;
    }
  });
  EXPECT_GT(count, 200);
}

TEST(SceneTables, RefuseFormulasThatGiveNoNumberAtTheCharacter) {
  for_every_key([](const Case& c, const Field& field, Lines lines, int i) {
    if (field.type != Type::number) return;
    lines.values[i] = "\"x + oops\"";
    expect_refused(c, lines.text(), i + 1, static_cast<int>(field.key.size()) + 4 + 5, {"thing 'a'", "'oops'"});
    lines.values[i] = "\"1/0\"";
    EXPECT_THROW(read(c, lines.text()), SceneError) << lines.text();
  });
}

TEST(SceneTables, RefuseKindsThatDoNotExist) {
  for (const Table* table : all_tables()) {
    if (table->kinds.empty()) continue;
    const Case c{table, &table->kinds.back()};
    Lines lines = good_lines(c);
    if (table->kind_by_key) {
      expect_refused(c, "e = 1", 1, 1, {"thing 'a'", "give one of the keys"});
      continue;
    }
    lines.values[0] = "\"" + std::string(c.kind->name) + "x\"";
    expect_refused(c, lines.text(), 1, 8, {"thing 'a'", "did you mean '" + std::string(c.kind->name) + "'"});
    lines.values[0] = "3";
    expect_refused(c, lines.text(), 1, 8, {"kind is the number 3"});
    lines.keys[0] = "knd";
    expect_refused(c, lines.text(), 1, 1, {"there is no key 'knd'", "did you mean 'kind'"});
    lines.keys.erase(lines.keys.begin());
    lines.values.erase(lines.values.begin());
    expect_refused(c, lines.text(), 1, 1, {"'kind' is missing"});
  }
}

// Nothing can be asked for that the field table does not describe.
TEST(SceneTables, HandOutTheirKeysOnly) {
  const Source source{"file.toml", "name = \"a\"\n"};
  const Node node{{&source, 1, 1}, parse_toml(source)};
  Constants constants;
  Reader reader(constants, material_table, node, "material 'a'");
  EXPECT_EQ(reader.number("e"), 0.0);
  EXPECT_THROW(static_cast<void>(reader.number("mass")), std::logic_error);
}

}  // namespace
}  // namespace esc::io
