#include "src/formula/lexer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <escapement/formula.hpp>

namespace esc::formula {

namespace {

// <cctype> follows the locale, and takes no negative char.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_in_name(char c) { return is_letter(c) || is_digit(c) || c == '.'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr auto function_table = std::to_array<Function>({
    {"abs", 1, 1}, {"acos", 1, 1}, {"asin", 1, 1},  {"atan", 1, 1}, {"atan2", 2, 2}, {"cos", 1, 1},  {"cosh", 1, 1},
    {"dot", 1, 1}, {"exp", 1, 1},  {"hypot", 2, 2}, {"if", 3, 3},   {"log", 1, 1},   {"max", 2, -1}, {"min", 2, -1},
    {"sin", 1, 1}, {"sinh", 1, 1}, {"sqrt", 1, 1},  {"tan", 1, 1},  {"tanh", 1, 1},
});

struct Hint {
  std::string_view found, message;
};

// What people type or paste, and what it is called here.
constexpr auto symbol_hints = std::to_array<Hint>({
    {"**", "a power is written x^y"},
    {"&&", "write 'and'"},
    {"||", "write 'or'"},
    {"!", "write 'not'"},
    {"=", "to compare, write =="},
    {"[", "write parentheses ( )"},
    {"]", "write parentheses ( )"},
    {"{", "write parentheses ( )"},
    {"}", "write parentheses ( )"},
    {"'", "a time derivative is written dot(x)"},
    {";", "separate arguments by commas"},
    {"\xE2\x88\x92", "write the minus of the keyboard, -"},
    {"\xE2\x80\x93", "write the minus of the keyboard, -"},
    {"\xC2\xB7", "a product is written x*y"},
    {"\xC3\x97", "a product is written x*y"},
    {"\xC2\xB2", "a square is written x^2"},
    {"\xC2\xB3", "a cube is written x^3"},
    {"\xCF\x80", "write pi"},
    {"\xE2\x88\x9A", "write sqrt(x)"},
    {"\xE2\x89\xA4", "write <="},
    {"\xE2\x89\xA5", "write >="},
});

// The length of the UTF-8 sequence at the start of text; 0 if it is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : 2;
  if ((first >= 0x80 && first < 0xC2) || first >= 0xF5 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  return length;
}

std::string hexadecimal(char c) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  return {'0', 'x', digits[byte / 16], digits[byte % 16]};
}

}  // namespace

std::span<const Function> functions() { return function_table; }

const Function* find_function(std::string_view name) {
  const auto found = std::find_if(function_table.begin(), function_table.end(),
                                  [&](const Function& function) { return function.name == name; });
  return found == function_table.end() ? nullptr : &*found;
}

bool is_reserved(std::string_view word) {
  constexpr auto words = std::to_array<std::string_view>({"pi", "t", "and", "or", "not"});
  return std::find(words.begin(), words.end(), word) != words.end() || find_function(word) != nullptr;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  if (text.size() <= longest) return "'" + std::string(text) + "'";
  return "'" + std::string(text.substr(0, longest)) + "...'";
}

Lexer::Lexer(std::string_view text) : text_(text) {
  if (text.size() > max_formula_length)
    throw FormulaError(max_formula_length, text.size() - max_formula_length,
                       "the formula has " + std::to_string(text.size()) + " characters; at most " +
                           std::to_string(max_formula_length) + " are allowed");
}

Token Lexer::next() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  if (at_ == text_.size()) return {TokenKind::end, at_, {}, 0.0};
  const char c = text_[at_];
  const bool fraction = c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
  const Token token = is_digit(c) || fraction ? number() : is_letter(c) ? name() : symbol();
  at_ = token.end();
  return token;
}

Token Lexer::number() {
  const char* const first = text_.data() + at_;
  double value = 0.0;
  const auto [last, error] = std::from_chars(first, text_.data() + text_.size(), value);
  const auto length = static_cast<std::size_t>(last - first);
  const std::string_view digits = text_.substr(at_, length);
  if (error == std::errc::result_out_of_range)
    throw FormulaError(at_, length, "the number " + quoted(digits) + " is too large or too small for double precision");

  std::size_t end = at_ + length;
  while (end < text_.size() && is_in_name(text_[end])) ++end;
  const std::string_view all = text_.substr(at_, end - at_), rest = all.substr(length);
  if (rest.empty()) return {TokenKind::number, at_, digits, value};
  if (rest[0] == 'e' || rest[0] == 'E')
    throw FormulaError(at_, all.size(), quoted(all) + " is no number: an exponent has digits, as in 1e-3");
  if (rest[0] == '.') throw FormulaError(at_, all.size(), quoted(all) + " is no number: it has a point too many");
  throw FormulaError(at_, all.size(),
                     "a '*' is missing: write " + std::string(digits) + "*" + std::string(rest.substr(0, 40)));
}

Token Lexer::name() {
  std::size_t end = at_;
  while (end < text_.size() && is_in_name(text_[end])) ++end;
  const std::string_view word = text_.substr(at_, end - at_);
  if (word.back() == '.' || word.find("..") != std::string_view::npos)
    throw FormulaError(at_, word.size(), quoted(word) + " is no name: a dot stands between two parts, as in crank.phi");
  return {TokenKind::name, at_, word, 0.0};
}

Token Lexer::symbol() {
  const std::string_view rest = text_.substr(at_);
  for (const std::string_view two : {"<=", ">=", "==", "!="})
    if (rest.starts_with(two)) return {TokenKind::symbol, at_, rest.substr(0, 2), 0.0};
  const bool power = rest.starts_with("**");
  if (!power && std::string_view("+-*/^(),<>").find(rest[0]) != std::string_view::npos)
    return {TokenKind::symbol, at_, rest.substr(0, 1), 0.0};
  refuse_character();
}

void Lexer::refuse_character() const {
  const std::string_view rest = text_.substr(at_);
  for (const auto& [found, message] : symbol_hints)
    if (rest.starts_with(found))
      throw FormulaError(at_, found.size(), quoted(found) + " is not used in formulas: " + std::string(message));

  const std::size_t length = utf8_length(rest);
  const auto byte = static_cast<unsigned char>(rest[0]);
  if (length == 0 || byte < 0x20 || byte == 0x7F)
    throw FormulaError(at_, 1, "the character " + hexadecimal(rest[0]) + " cannot stand in a formula");
  throw FormulaError(at_, length,
                     quoted(rest.substr(0, length)) +
                         " cannot stand in a formula; names are made of the letters a-z and A-Z, digits, '_' and '.'");
}

}  // namespace esc::formula

namespace esc {

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  try {
    formula::Lexer lexer(text);
    for (formula::Token token = lexer.next(); token.kind != formula::TokenKind::end; token = lexer.next())
      if (token.kind == formula::TokenKind::name && !formula::is_reserved(token.text)) names.emplace_back(token.text);
  } catch (const FormulaError&) {  // parse() reports it
  }
  return names;
}

}  // namespace esc
