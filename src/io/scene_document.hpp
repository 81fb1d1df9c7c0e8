// The TOML of a scene as a tree of values, each with its place in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <escapement/io/scene.hpp>

namespace esc::io {

struct Source {
  std::string file;  // as messages call it
  std::string text;
};

// A line and column, from 1, of a source that outlives it.
struct TextPlace {
  const Source* source = nullptr;
  int line = 1, column = 1;
};

struct Node;
struct Entry;
using List = std::vector<Node>;
using Map = std::vector<Entry>;  // in the order of the file

struct Node {
  TextPlace at;
  std::variant<bool, std::int64_t, double, std::string, List, Map> value;
};

struct Entry {
  std::string key;
  TextPlace at;
  Node value;
};

struct Document {
  std::deque<Source> sources;  // the file and what it includes
  Map root;                    // with the includes put in
  bool included = false;       // something was
};

// Throws SceneError at the place.
[[noreturn]] void refuse(const TextPlace& at, const std::string& message);

// The file and its includes: lists of tables are joined, included files first; elsewhere the including file wins.
void read_document(Document& document, const std::string& file, std::string text, Includes includes);
std::string read_file(const std::string& path);  // throws SceneError at 1:1 of the path

const Node* find(const Map& map, std::string_view key);  // null if there is none

// The place of a character of a text, given the place of the value: the text may be of any TOML kind.
TextPlace place_inside(const TextPlace& value, std::size_t offset);

// The tree as TOML that reads back to the same values.
std::string to_toml(const Map& root);

// "a list", "the number 3", "the text 'abc'", for messages.
std::string described(const Node& node);
// "; did you mean 'a' or 'b'?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known);
std::string in_quotes(std::string_view text);

}  // namespace esc::io
