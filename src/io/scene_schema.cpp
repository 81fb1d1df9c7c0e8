// The JSON Schema of a scene, from its field tables.
#include <cmath>
#include <set>
#include <utility>

#include <escapement/io/scene.hpp>
#include <escapement/schemes/halve.hpp>
#include <escapement/schemes/registry.hpp>

#include "src/io/scene_tables.hpp"
#include "src/math/text.hpp"

namespace esc::io {

namespace {

// JSON as text, members in the order given.
using Members = std::vector<std::pair<std::string, std::string>>;

std::string text_of(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "\"";
}

std::string object(const Members& members) {
  std::string result = "{";
  for (const auto& [key, value] : members) result += (result.size() > 1 ? ", " : "") + text_of(key) + ": " + value;
  return result + "}";
}

std::string array(const std::vector<std::string>& values) {
  std::string result = "[";
  for (const std::string& value : values) result += (result.size() > 1 ? ", " : "") + value;
  return result + "]";
}

std::string any_of(const std::vector<std::string>& schemas) { return object({{"anyOf", array(schemas)}}); }
std::string type(std::string_view name) { return object({{"type", text_of(name)}}); }

std::string number(const Range& range, std::string_view name) {
  Members members{{"type", text_of(name)}};
  if (std::isfinite(range.low))
    members.emplace_back(range.low_excluded ? "exclusiveMinimum" : "minimum", to_text(range.low));
  if (std::isfinite(range.high)) members.emplace_back("maximum", to_text(range.high));
  return object(members);
}

// A number, or a text that is a formula of parameters.
std::string number_or_formula(const Field& field, std::string_view name) {
  return any_of({number(field.range, name), type("string")});
}

std::string list(const std::string& items, const Field& field) {
  Members members{{"type", text_of("array")}, {"items", items}};
  if (field.least > 0) members.emplace_back("minItems", std::to_string(field.least));
  if (field.most > 0) members.emplace_back("maxItems", std::to_string(field.most));
  return object(members);
}

std::string reference(const Table& table) { return object({{"$ref", text_of("#/$defs/" + std::string(table.name))}}); }

std::string words(std::span<const std::string_view> names) {
  std::vector<std::string> list;
  for (const std::string_view name : names) list.push_back(text_of(name));
  return object({{"enum", array(list)}});
}

std::string schema_of(const Field& field) {
  const std::string formula = any_of({type("string"), type("number")});
  switch (field.type) {
    case Type::number:
      return number_or_formula(field, "number");
    case Type::integer:
      return field.is_switch() ? any_of({type("boolean"), number_or_formula(field, "integer")})
                               : number_or_formula(field, "integer");
    case Type::boolean:
      return type("boolean");
    case Type::text:
      return type("string");
    case Type::choice:
      return words(field.choices);
    case Type::formula:
      return formula;
    case Type::numbers:
      return list(number_or_formula(field, "number"), field);
    case Type::integers:
      return list(number_or_formula(field, "integer"), field);
    case Type::texts:
      return list(type("string"), field);
    case Type::formulas:
      return field.least > 1 ? list(formula, field) : any_of({formula, list(formula, field)});
    case Type::matrix:
      return any_of({list(number_or_formula(field, "number"), field),
                     list(list(number_or_formula(field, "number"), field), field)});
    case Type::formula_matrix:
    case Type::formula_rows: {
      const std::string row = object({{"type", text_of("array")}, {"items", formula}});
      return any_of({formula, list(any_of({formula, row}), field)});
    }
    case Type::definitions:
      return object({{"type", text_of("object")}, {"additionalProperties", formula}});
    case Type::table:
      return field.inner == nullptr ? reference(simulation_table()) : reference(*field.inner);
    case Type::tables:
      return object({{"type", text_of("array")}, {"items", reference(*field.inner)}});
    case Type::scheme:
      return object({{"$ref", text_of("#/$defs/scheme")}});
  }
  return "{}";
}

std::string described(const Field& field, const std::string& schema) {
  const std::string unit = field.unit.empty() || field.unit == "1" ? "" : " [" + std::string(field.unit) + "]";
  const std::string fallback = field.fallback.empty() ? "" : "; default " + std::string(field.fallback);
  return schema.substr(0, schema.size() - 1) + (schema.size() > 2 ? ", " : "") +
         "\"description\": " + text_of(std::string(field.doc) + unit + fallback) + "}";
}

struct Properties {
  Members members;
  std::vector<std::string> required;

  void add(std::span<const Field> fields) {
    for (const Field& field : fields) {
      const bool options = field.key == "options" && field.inner == nullptr;
      members.emplace_back(field.key, described(field, options ? type("object") : schema_of(field)));
      if (field.required) required.push_back(text_of(field.key));
    }
  }
  std::string schema() const {
    Members result{{"type", text_of("object")}, {"properties", object(members)}};
    if (!required.empty()) result.emplace_back("required", array(required));
    result.emplace_back("additionalProperties", "false");
    return object(result);
  }
};

std::string schema_of(const Table& table) {
  if (table.kinds.empty()) {
    Properties all;
    all.add(table.fields);
    return all.schema();
  }
  std::vector<std::string> kinds;
  for (const Kind& kind : table.kinds) {
    Properties own;
    if (!table.kind_by_key) {
      own.members.emplace_back("kind", object({{"const", text_of(kind.name)}, {"description", text_of(kind.doc)}}));
      own.required.push_back(text_of("kind"));
    }
    own.add(table.fields);
    own.add(kind.fields);
    kinds.push_back(own.schema());
  }
  return object({{"description", text_of(table.doc)}, {"oneOf", array(kinds)}});
}

// [simulation], and a scheme that another one holds, have the options of their scheme: one alternative for each.
template <class FieldsOf>
std::string one_of_schemes(std::string_view fallback, FieldsOf fields_of) {
  std::vector<std::string> alternatives;
  for (const SchemeEntry& entry : schemes()) {
    Properties own;
    own.add(fields_of(entry.name));
    for (auto& [key, value] : own.members) {
      if (key == "scheme") value = object({{"const", text_of(entry.name)}, {"description", text_of(entry.what)}});
      if (key == "options") value = schema_of(scheme_table(entry.name));
    }
    if (entry.name != fallback) own.required.push_back(text_of("scheme"));
    alternatives.push_back(own.schema());
  }
  return object({{"oneOf", array(alternatives)}});
}

}  // namespace

std::string scene_schema() {
  Members definitions;
  for (const Table* table : all_tables()) {
    if (table == &scene_table) continue;
    const bool simulation = table == &simulation_table();
    definitions.emplace_back(table->name, simulation
                                              ? one_of_schemes(default_scheme, [&](auto) { return table->fields; })
                                              : schema_of(*table));
  }
  definitions.emplace_back(
      "scheme", one_of_schemes(default_inner_scheme, [](auto name) { return inner_scheme_table(name).fields; }));
  std::string scene = schema_of(scene_table);
  scene = "{\n\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n\"title\": \"Escapement scene\",\n" +
          scene.substr(1, scene.size() - 2) + ",\n\"$defs\": {";
  for (std::size_t i = 0; i < definitions.size(); ++i)
    scene += (i == 0 ? "\n" : ",\n") + text_of(definitions[i].first) + ": " + definitions[i].second;
  return scene + "\n}\n}\n";
}

}  // namespace esc::io
