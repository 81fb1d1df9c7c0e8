// docs/scene.md, from the field tables.
#include <cmath>
#include <utility>

#include <escapement/io/scene.hpp>
#include <escapement/schemes/registry.hpp>

#include "src/io/scene_tables.hpp"

namespace esc::io {

namespace {

constexpr std::string_view introduction = R"md(# Scenes

Generated from the field tables that the reader uses; edit those in `src/io/`, then
`build/release/docs/print_scene reference > docs/scene.md` and
`build/release/docs/print_scene schema > docs/scene.schema.json`.

A scene is a TOML file that holds a model and says how to run it. `scenes/` has one for every example.
[Joints](joints.md), [forces](forces.md) and [shapes](shapes.md) show every kind with an example. Units are SI. Where a
number is expected, a text is a [formula](formulas.md) of parameters: `mass = "rho*pi*r^2"`. The name of an item begins
with a letter and has letters, digits, `_` and `.`, 200 characters at most. It is not `ground`, which does not move. All
names differ.

- A formula calls a coordinate `<item>.<coordinate>`: `gap = "block.y - l/2*cos(block.phi)"`. The coordinate alone is
  enough where only one item has it. Planar bodies have the coordinates `x`, `y` and `phi`, bars `u0`, `u1`, ...
- Bodies in space have a quaternion and no coordinates for formulas. Joints of the kind `points`, and contacts by a
  `gap` with a frame `a`, use the places of their frames instead: `gap = "a.z - 0.1*sin(a.x)"`.
- Velocities and torques of motors, forces and moments of wrenches are numbers, or formulas of `t` and of inputs:
  `torque = "3*sin(2*pi*t)"`, `force = [0, "if(t < 0.1, 50, 0)", 0]`. A number makes an input with this value at the
  start, which a program may change.
- `-p name=value` on the command line overrides a parameter.
- `include = ["parts.toml"]` reads other files first, relative to this one. Lists of tables are joined in the order of
  the files. If both files have a key, the value of the including file holds.
- The order of the model is: bodies, coordinates, bars; shapes, those on ground first; joints, contacts, forces. Within
  each of these it is the order of the file.
- Every error says `file:line:column`, the item, what is wrong and what is allowed. A key that has no effect is an error.
- `docs/scene.schema.json` is the JSON Schema, for editors. It cannot check what depends on the whole scene.
)md";

// A bar would end the cell of a table.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string type_of(const Field& field) {
  if (field.is_switch()) return "true or false";
  Field bare = field;
  bare.range = {};
  bare.unit = "";
  std::string text = wanted(bare);
  for (const std::string_view article : {"a ", "an "})
    if (text.starts_with(article)) text.erase(0, article.size());
  if (field.inner != nullptr)
    text = field.type == Type::table
               ? "[" + std::string(field.inner->name) + "](#" + std::string(field.inner->name) + ")"
               : "list of [" + std::string(field.inner->name) + "](#" + std::string(field.inner->name) + ")";
  return field.type == Type::choice ? "one word" : text;
}

std::string allowed(const Field& field) {
  if (field.type == Type::choice) return detail::join(field.choices);
  if (field.is_switch()) return "";
  const bool bounded = std::isfinite(field.range.low) || std::isfinite(field.range.high);
  return bounded ? detail::format_range(field.range) : "";
}

std::string rows(std::span<const Field> fields) {
  std::string text = "\n| key | value | unit | default | allowed | meaning |\n|---|---|---|---|---|---|\n";
  for (const Field& field : fields) {
    const std::string fallback = field.required ? "required" : std::string(field.fallback);
    text += "| `" + std::string(field.key) + "` | " + cell(type_of(field)) + " | " +
            (field.unit == "1" ? "" : std::string(field.unit)) + " | " + cell(fallback) + " | " + cell(allowed(field)) +
            " | " + cell(field.doc) + " |\n";
  }
  return text;
}

std::string kinds(const Table& table) {
  std::string text = "\n";
  if (table.kind_by_key) {
    text += "One of these keys says what it is:";
    for (const Kind& kind : table.kinds)
      text += std::string(&kind == table.kinds.data() ? " " : ", ") + "`" + std::string(kind.fields[0].key) + "`";
    text += ".\n";
    for (const Kind& kind : table.kinds)
      text += "\n**`" + std::string(kind.fields[0].key) + "`**: " + std::string(kind.doc) + ".\n" + rows(kind.fields);
    return text;
  }
  text += "| `kind` | meaning |\n|---|---|\n";
  for (const Kind& kind : table.kinds)
    text += "| `\"" + std::string(kind.name) + "\"` | " + std::string(kind.doc) + " |\n";
  // Kinds that have the same keys share a table.
  for (const Kind& first : table.kinds) {
    if (first.fields.empty()) continue;
    std::string names;
    bool shown = false;
    for (const Kind& kind : table.kinds) {
      if (kind.fields.data() != first.fields.data()) continue;
      shown = shown || &kind < &first;
      names += (names.empty() ? "`" : ", `") + std::string(kind.name) + "`";
    }
    if (!shown) text += "\nKeys of " + names + ":\n" + rows(first.fields);
  }
  return text;
}

std::string section(const Table& table) {
  std::string text = "\n## " + std::string(table.name) + "\n\n" + std::string(table.doc) + "\n";
  if (!table.fields.empty()) text += rows(table.fields);
  if (!table.kinds.empty()) text += kinds(table);
  return text;
}

}  // namespace

std::string scene_reference() {
  std::string text(introduction);
  for (const Table* table : all_tables()) text += section(*table);
  for (const SchemeEntry& entry : schemes())
    text += "\n### Options of " + std::string(entry.name) + "\n\n`[simulation.options]` where `scheme = \"" +
            std::string(entry.name) + "\"`: " + std::string(entry.what) + ".\n" + rows(scheme_table(entry.name).fields);
  return text;
}

}  // namespace esc::io
