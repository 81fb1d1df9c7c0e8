// Scenes: a model, its parameters and how to run it, as TOML text. docs/scene.md is generated from the tables that the
// reader uses.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <escapement/model.hpp>
#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>
#include <escapement/system.hpp>

namespace esc::io {

// what() reads "file:line:column: what is wrong; what was expected".
class SceneError : public std::runtime_error {
 public:
  SceneError(std::string file, int line, int column, const std::string& message);
  const std::string& file() const { return file_; }
  int line() const { return line_; }
  int column() const { return column_; }

 private:
  std::string file_;
  int line_, column_;
};

struct Parameter {
  std::string name;
  double value = 0.0;
  std::string text;   // as written: a number or a formula
  bool used = false;  // by anything in the scene
};

// `-p name=value`: the value is a number or a formula of other parameters.
struct Override {
  std::string name, text;
};

// Where an item of the model stands.
struct ItemPlace {
  std::string item, file;
  int line = 1, column = 1;
};

// What can be run, but is most often a mistake.
struct Doubt {
  std::string item, text;
  const char* topic = "units";
};

struct Scene {
  Model model;
  std::string name;    // of the file, without folder and ending
  std::string title;   // may be empty
  std::string text;    // of the file with its includes put in, for results files
  std::string scheme;  // name in the registry
  std::vector<OptionText> scheme_options;
  SimulateOptions run;
  int frames = 2000;  // at most so many states are kept; 0: every step
  std::vector<Parameter> parameters;
  std::vector<std::string> warnings;
  std::vector<Doubt> doubts;  // for check
  std::vector<ItemPlace> places;
  ItemPlace until_at;  // of the end of the run; without a file: the scene does not say it, or no longer has the word
  std::vector<std::string> files;  // that were read: the scene, unless it is from text, and its includes
};

// Whether a scene may name files that are read with it. The scene of a results file has them put in.
enum class Includes : std::uint8_t { open, refuse };

[[nodiscard]] Scene read_scene(const std::string& path, const std::vector<Override>& overrides = {});
// The same from text; `file` is only for messages, and the folder of includes.
[[nodiscard]] Scene parse_scene(std::string_view text, const std::string& file,
                                const std::vector<Override>& overrides = {}, Includes includes = Includes::open);

// compile(scene.model), with errors as SceneError at the item.
[[nodiscard]] System compile_scene(const Scene& scene);
// The scheme of the scene. What it refuses of the model is a SceneError at the item.
[[nodiscard]] std::unique_ptr<Scheme> make_scheme(const Scene& scene, const System& system);
// A number as the scene would read it: a formula of its parameters. Throws FormulaError.
[[nodiscard]] double evaluate(const Scene& scene, const std::string& formula);

std::string scene_schema();     // JSON Schema of a scene
std::string scene_reference();  // docs/scene.md

}  // namespace esc::io
