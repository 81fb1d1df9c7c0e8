// Reads one table of a scene by its field table: every key and value is checked when the reader is made, and only keys
// of the table can be asked for.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <escapement/ad/expr.hpp>
#include <escapement/formula.hpp>

#include "src/io/scene_document.hpp"
#include "src/io/scene_fields.hpp"

namespace esc::io {

// The parameters of a scene, for every number that is written as a formula.
class Constants {
 public:
  void add(const std::string& name, double value);
  double evaluate(const TextPlace& at, const std::string& text, const std::string& item);
  void use(const std::string& text);  // notes which parameters stand in a formula
  const ParameterValues& values() const { return values_; }
  const std::set<std::string>& used() const { return used_; }

 private:
  ad::Tape tape_;
  FormulaNames names_{tape_};
  ParameterValues values_;
  std::set<std::string> used_;
};

// A formula as written.
struct FormulaText {
  std::string text;
  TextPlace at;  // of the value
};

struct Definition {
  std::string name;
  FormulaText formula;
};

class Reader {
 public:
  // item: how messages call it, "body 'crank'".
  Reader(Constants& constants, const Table& table, const Node& node, std::string item);

  const std::string& item() const { return item_; }
  std::string_view kind() const { return kind_ == nullptr ? std::string_view{} : kind_->name; }
  bool has(std::string_view key) const { return value_of(field(key)) != nullptr; }
  TextPlace place() const { return at_; }
  TextPlace place(std::string_view key) const;  // of the value, or of the table

  // The value, or what stands in the field table for a key that is not there.
  double number(std::string_view key);
  int integer(std::string_view key);
  bool boolean(std::string_view key);
  std::string text(std::string_view key);
  int choice(std::string_view key);  // which of the words
  std::vector<double> numbers(std::string_view key);
  template <std::size_t N>
  std::array<double, N> array(std::string_view key) {  // a shorter list is filled up with zeros
    std::array<double, N> result{};
    const std::vector<double> list = numbers(key);
    for (std::size_t i = 0; i < N && i < list.size(); ++i) result[i] = list[i];
    return result;
  }
  std::vector<std::string> texts(std::string_view key);
  FormulaText formula(std::string_view key);
  std::vector<FormulaText> formulas(std::string_view key);                   // one alone is a list of one
  std::vector<std::vector<FormulaText>> formula_rows(std::string_view key);  // a plain list is one row
  std::vector<std::vector<double>> matrix(std::string_view key);             // the same
  std::vector<Definition> definitions(std::string_view key);
  Reader table(std::string_view key);
  std::vector<Reader> tables(std::string_view key);

  // Throws SceneError "<item>: <message>" at the value, or at the table.
  [[noreturn]] void refuse(std::string_view key, const std::string& message) const;
  [[noreturn]] void refuse(const std::string& message) const;
  // Refuses keys that nobody has asked for: they would have no effect.
  void finish() const;

 private:
  const Field& field(std::string_view key) const;
  const Field* find_field(std::string_view key) const;
  const Node* value_of(const Field& field) const;
  const Node* read(const Field& field);
  void choose_kind(const Map& map);
  void check_keys(const Map& map) const;
  void check(const Field& field, const Node& node) const;
  void check_count(const Field& field, const Node& node) const;
  void check_matrix(const Field& field, const Node& node) const;
  void check_formulas(const Field& field, const List& list) const;
  void check_definitions(const Field& field, const Node& node) const;
  void check_choice(const Field& field, const Node& node) const;
  double number_of(const Field& field, const Node& node) const;
  FormulaText formula_of(const Node& node) const;
  [[noreturn]] void refuse_type(const Field& field, const Node& node) const;

  Constants* constants_;
  const Table* table_;
  const Kind* kind_ = nullptr;
  const Map* map_;
  TextPlace at_;
  std::string item_;
  std::set<std::string, std::less<>> read_;
};

// "body 'crank'": the name of the table and of the item, where it has one.
std::string item_of(const Table& table, const Node& node);

}  // namespace esc::io
