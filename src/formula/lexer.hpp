// A formula as a list of words, one at a time from the left.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace esc::formula {

enum class TokenKind { number, name, symbol, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t begin = 0;
  std::string_view text;
  double number = 0.0;

  std::size_t end() const { return begin + text.size(); }
  bool is(std::string_view word) const { return kind != TokenKind::end && text == word; }
};

class Lexer {
 public:
  explicit Lexer(std::string_view text);  // throws FormulaError if it is too long
  Token next();                           // throws FormulaError on what is no word of a formula

 private:
  Token number();
  Token name();
  Token symbol();
  [[noreturn]] void refuse_character() const;

  std::string_view text_;
  std::size_t at_ = 0;
};

struct Function {
  std::string_view name;
  int least, most;  // arguments; most = -1: any number
};

// All functions, and the words that cannot be names: functions, pi, t, and, or, not.
std::span<const Function> functions();
const Function* find_function(std::string_view name);
bool is_reserved(std::string_view word);

// For messages: in quotation marks, long ones cut.
std::string quoted(std::string_view text);

}  // namespace esc::formula
