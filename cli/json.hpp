// JSON for --json: one object, numbers that read back exactly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace esc::cli {

// Values are appended in order; objects and arrays are closed by end().
class Json {
 public:
  Json& object(std::string_view key = "") { return open(key, '{', '}'); }
  Json& array(std::string_view key = "") { return open(key, '[', ']'); }
  Json& end();
  Json& value(std::string_view key, double number);
  Json& value(std::string_view key, long long number);
  Json& value(std::string_view key, int number) { return value(key, static_cast<long long>(number)); }
  Json& value(std::string_view key, bool truth);
  Json& value(std::string_view key, std::string_view text);
  Json& value(std::string_view key, const char* text) { return value(key, std::string_view(text)); }

  const std::string& text() const { return text_; }  // complete once every object is closed

 private:
  Json& open(std::string_view key, char first, char last);
  void name(std::string_view key);

  std::string text_;
  std::vector<char> closing_;
  bool first_ = true;
};

std::string quoted(std::string_view text);

}  // namespace esc::cli
