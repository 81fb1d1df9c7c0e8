// The pages that are generated from the field tables are those of the repository.
#include <string>

#include <gtest/gtest.h>

#include <escapement/io/scene.hpp>
#include <escapement/schemes/registry.hpp>

#include "src/io/scene_tables.hpp"
#include "tests/support/repository.hpp"

namespace esc::io {
namespace {

std::string between(char mark, std::string_view word) {
  std::string text(1, mark);
  text += word;
  text += mark;
  return text;
}

TEST(SceneReference, IsThePageOfTheRepository) {
  EXPECT_TRUE(testing::page("scene.md") == scene_reference())
      << "build/release/docs/print_scene reference > docs/scene.md";
  EXPECT_TRUE(testing::page("scene.schema.json") == scene_schema())
      << "build/release/docs/print_scene schema > docs/scene.schema.json";
}

TEST(SceneReference, HasEveryKeyAndKind) {
  const std::string reference = scene_reference(), schema = scene_schema();
  const auto has = [&](std::string_view word) {
    EXPECT_NE(reference.find(between('`', word)), std::string::npos) << word;
    EXPECT_NE(schema.find(between('"', word)), std::string::npos) << word;
  };
  for (const Table* table : all_tables()) {
    for (const Field& field : table->fields) has(field.key);
    for (const Kind& kind : table->kinds)
      for (const Field& field : kind.fields) has(field.key);
  }
  for (const SchemeEntry& entry : schemes())
    for (const FieldInfo& info : entry.options()) has(info.name);
}

// Every field says what it is for, and what a default stands for can be read.
TEST(SceneReference, DescribesEveryField) {
  const auto check = [](const Table& table, std::span<const Field> fields) {
    for (const Field& field : fields) {
      EXPECT_FALSE(field.doc.empty()) << table.name << "." << field.key;
      const bool tables = field.type == Type::table || field.type == Type::tables;
      EXPECT_EQ(field.inner != nullptr, tables && field.key != "simulation" && field.key != "options")
          << table.name << "." << field.key;
      if (field.type == Type::choice && !field.fallback.empty()) {
        EXPECT_NE(std::find(field.choices.begin(), field.choices.end(), field.fallback), field.choices.end())
            << table.name << "." << field.key;
      }
    }
  };
  for (const Table* table : all_tables()) {
    EXPECT_FALSE(table->doc.empty()) << table->name;
    check(*table, table->fields);
    for (const Kind& kind : table->kinds) check(*table, kind.fields);
  }
}

}  // namespace
}  // namespace esc::io
