#include "src/io/scene_document.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include <escapement/io/scene.hpp>

#include "src/io/scene_toml.hpp"
#include "src/math/printable.hpp"
#include "src/math/spelling.hpp"
#include "src/math/text.hpp"

namespace esc::io {

namespace {

namespace fs = std::filesystem;

constexpr int deepest_include = 16;
constexpr std::size_t most_files = 256;
constexpr std::size_t most_bytes = std::size_t{64} << 20;  // of a file

// One file after the other, each knowing the chain that leads to it.
class Includer {
 public:
  Includer(Document& document, Includes includes) : document_(document), includes_(includes) {}

  Map read(const std::string& file, std::string text) {
    document_.sources.push_back({file, std::move(text)});
    const Source& source = document_.sources.back();
    Map own = parse_toml(source);
    const Node* list = find(own, "include");
    if (list == nullptr) return own;
    if (includes_ == Includes::refuse) refuse(list->at, "this scene must be whole; it may not include files");

    Map all;
    for (const Node& name : names(*list)) merge(all, included(source, name));
    std::erase_if(own, [](const Entry& entry) { return entry.key == "include"; });
    merge(all, std::move(own));
    document_.included = true;
    return all;
  }

  void enter(const std::string& file) {
    if (includes_ == Includes::open) chain_.push_back(identity(file));
  }

 private:
  static fs::path identity(const fs::path& file) {
    std::error_code ignored;
    const fs::path known = fs::weakly_canonical(file, ignored);
    return known.empty() ? file : known;
  }

  static List names(const Node& list) {
    const List* found = std::get_if<List>(&list.value);
    if (found == nullptr)
      refuse(list.at, "include is " + described(list) + "; it takes a list of files, [\"parts.toml\"]");
    return *found;
  }

  Map included(const Source& from, const Node& node) {
    const std::string* name = std::get_if<std::string>(&node.value);
    if (name == nullptr) refuse(node.at, "include has " + described(node) + "; it takes names of files");
    if (name->empty() || name->find('\0') != std::string::npos || fs::path(*name).is_absolute())
      refuse(node.at, "include takes names of files relative to this one, not " + in_quotes(*name));
    const fs::path path = fs::path(from.file).parent_path() / *name;
    std::error_code failed;
    if (fs::is_directory(path, failed))
      refuse(node.at, in_quotes(path.string()) + " is a folder; include takes names of files");
    if (!fs::is_regular_file(path, failed)) refuse(node.at, "the file " + in_quotes(path.string()) + " does not exist");
    if (std::find(chain_.begin(), chain_.end(), identity(path)) != chain_.end())
      refuse(node.at, in_quotes(*name) + " includes itself, directly or through others");
    if (static_cast<int>(chain_.size()) > deepest_include)
      refuse(node.at, "more than " + std::to_string(deepest_include) + " files include each other in a chain");
    if (document_.sources.size() >= most_files)
      refuse(node.at, "more than " + std::to_string(most_files) + " files are included");
    chain_.push_back(identity(path));
    Map map = read(path.string(), read_file(path.string()));
    chain_.pop_back();
    return map;
  }

  // Lists of tables are joined; the keys of tables are joined, the later file wins.
  static void merge(Map& into, Map from) {
    for (Entry& entry : from) {
      const auto same = std::find_if(into.begin(), into.end(), [&](const Entry& e) { return e.key == entry.key; });
      if (same == into.end()) {
        into.push_back(std::move(entry));
        continue;
      }
      Map *old_map = std::get_if<Map>(&same->value.value), *new_map = std::get_if<Map>(&entry.value.value);
      List *old_list = std::get_if<List>(&same->value.value), *new_list = std::get_if<List>(&entry.value.value);
      if (old_map != nullptr && new_map != nullptr)
        merge(*old_map, std::move(*new_map));
      else if (old_list != nullptr && new_list != nullptr && holds_tables(*old_list) && holds_tables(*new_list))
        std::move(new_list->begin(), new_list->end(), std::back_inserter(*old_list));
      else
        *same = std::move(entry);
    }
  }

  static bool holds_tables(const List& list) {
    return std::all_of(list.begin(), list.end(), [](const Node& n) { return std::holds_alternative<Map>(n.value); });
  }

  Document& document_;
  Includes includes_;
  std::vector<fs::path> chain_;
};

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// A cursor in the text of a source.
struct Cursor {
  TextPlace at;
  std::size_t i = 0;

  bool end() const { return i >= at.source->text.size(); }
  char operator*() const { return at.source->text[i]; }
  std::string_view rest() const { return std::string_view(at.source->text).substr(i); }
  void advance() {
    if (**this == '\n') {
      ++at.line;
      at.column = 0;
    }
    ++i;
    if (end() || !continues_character(**this)) ++at.column;
  }
  void advance(int count) {
    for (; count > 0 && !end(); --count) advance();
  }
};

// How many characters of TOML stand for the next one of a text with escapes.
int length_of_escape(std::string_view rest) {
  if (rest.size() < 2) return 1;
  if (rest[1] == 'u') return 6;
  if (rest[1] == 'U') return 10;
  return 2;
}

}  // namespace

void refuse(const TextPlace& at, const std::string& message) {
  throw SceneError(at.source == nullptr ? "scene" : at.source->file, at.line, at.column, message);
}

void read_document(Document& document, const std::string& file, std::string text, Includes includes) {
  Includer includer(document, includes);
  includer.enter(file);
  document.root = includer.read(file, std::move(text));
}

std::string read_file(const std::string& path) {
  const auto fail = [&](const std::string& why) { throw SceneError(path, 1, 1, why); };
  std::error_code error;
  if (!fs::exists(path, error)) fail("the file does not exist");
  if (fs::is_directory(path, error)) fail("this is a folder; give the file of a scene");
  // A pipe may never be written to, and a device may never end.
  if (!fs::is_regular_file(path, error))
    fail("this is a pipe or a device, not a file; write the scene to a file and give that");
  const auto refuse_size = [&](std::uintmax_t bytes) {
    if (bytes > most_bytes) fail("the file is larger than 64 MiB; a scene is not");
  };
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error) refuse_size(size);
  std::ifstream stream(path, std::ios::binary);
  std::string text;
  std::vector<char> part(std::size_t{1} << 16);
  while (stream && text.size() <= most_bytes) {
    stream.read(part.data(), static_cast<std::streamsize>(part.size()));
    text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
  }
  refuse_size(text.size());
  if (stream.bad() || !stream.eof()) fail("the file cannot be read: " + std::generic_category().message(errno));
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // a mark of UTF-8 that some editors write
  return text;
}

const Node* find(const Map& map, std::string_view key) {
  for (const Entry& entry : map)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

TextPlace place_inside(const TextPlace& value, std::size_t offset) {
  if (value.source == nullptr) return value;
  Cursor cursor{{value.source, 1, 1}, 0};
  while (!cursor.end() && (cursor.at.line < value.line || cursor.at.column < value.column)) cursor.advance();
  if (cursor.end() || (*cursor != '"' && *cursor != '\'')) return value;

  const bool escapes = *cursor == '"';
  const bool several_lines = cursor.rest().substr(0, 3) == std::string(3, *cursor);
  cursor.advance(several_lines ? 3 : 1);
  if (several_lines && cursor.rest().substr(0, 2) == "\r\n") cursor.advance();
  if (several_lines && !cursor.end() && *cursor == '\n') cursor.advance();
  for (std::size_t n = 0; !cursor.end(); ++n) {
    // A backslash at the end of a line hides the white space behind it.
    while (escapes && several_lines && cursor.rest().find_first_not_of(" \t\r", 1) != std::string_view::npos &&
           *cursor == '\\' && cursor.rest()[cursor.rest().find_first_not_of(" \t\r", 1)] == '\n')
      for (cursor.advance(); !cursor.end() && std::string_view(" \t\r\n").find(*cursor) != std::string_view::npos;)
        cursor.advance();
    if (n == offset || cursor.end()) break;
    cursor.advance(escapes && *cursor == '\\' ? length_of_escape(cursor.rest()) : 1);
  }
  return cursor.at;
}

std::string in_quotes(std::string_view text) {
  std::size_t most = 60;
  while (most < text.size() && continues_character(text[most])) --most;
  return "'" + printable(text.substr(0, most)) + (text.size() > most ? "...'" : "'");
}

std::string described(const Node& node) {
  struct {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return "the number " + std::to_string(value); }
    std::string operator()(double value) const { return "the number " + to_text(value); }
    std::string operator()(const std::string& value) const { return "the text " + in_quotes(value); }
    std::string operator()(const List& list) const {
      return list.empty() ? "an empty list" : "a list of " + std::to_string(list.size());
    }
    std::string operator()(const Map&) const { return "a table"; }
  } describe;
  return std::visit(describe, node.value);
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known) {
  return suggestion(word, known);
}

}  // namespace esc::io
