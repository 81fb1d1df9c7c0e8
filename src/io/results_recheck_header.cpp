// Recheck of what the header of a file says of its model and its run.
#include <algorithm>
#include <array>

#include <escapement/schemes/registry.hpp>

#include "src/io/results_info.hpp"
#include "src/io/results_recheck.hpp"
#include "src/math/text.hpp"

namespace esc::io {

namespace {

// The first difference in each dataset.
class Differences {
 public:
  // The last word of `what` is the dataset.
  void see(const std::string& what, const std::string& stored, const std::string& right) {
    const std::string dataset = what.substr(what.rfind(' ') + 1);
    if (stored == right || std::ranges::find(datasets_, dataset) != datasets_.end()) return;
    datasets_.push_back(dataset);
    found_.push_back(what + " is " + in_quotes(stored) + ", and " + in_quotes(right) + " of the scene");
  }
  template <class Numbers>
  void see(const std::string& what, const Numbers& stored, const Numbers& right) {
    for (std::size_t i = 0; i < stored.size(); ++i)
      if (!(stored[i] == right[i])) return see(what, to_text(stored[i]), to_text(right[i]));
  }
  // False: lists of different lengths are not compared.
  template <class List>
  bool same_length(const std::string& what, const List& stored, const List& right) {
    see("the number of " + what, std::to_string(stored.size()), std::to_string(right.size()));
    return stored.size() == right.size();
  }
  std::vector<std::string> found() && { return std::move(found_); }

 private:
  static std::string in_quotes(const std::string& text) { return "'" + text.substr(0, 60) + "'"; }
  std::vector<std::string> found_, datasets_;
};

void compare_names(const Names& stored, const Names& right, Differences& differences) {
  const auto compare = [&](const std::string& what, const auto& a, const auto& b) {
    if (!differences.same_length(what, a, b)) return;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if constexpr (requires { a[i].unit; })
        differences.see("the unit of " + a[i].name + " in " + what, a[i].unit, b[i].unit);
      else
        differences.see("a name in " + what, a[i], b[i]);
    }
  };
  compare("model/coordinates", stored.coordinates, right.coordinates);
  compare("model/velocities", stored.velocities, right.velocities);
  compare("model/pairs", stored.pairs, right.pairs);
  compare("model/outputs", stored.outputs, right.outputs);
  compare("model/joint_rows", stored.joint_rows, right.joint_rows);
}

void compare_drawings(const Drawing& stored, const Drawing& right, Differences& differences) {
  if (differences.same_length("model/bodies", stored.bodies, right.bodies))
    for (std::size_t i = 0; i < stored.bodies.size(); ++i) {
      const BodyInfo &a = stored.bodies[i], &b = right.bodies[i];
      const auto places = [](const BodyInfo& body) {
        return std::array<double, 3>{static_cast<double>(body.kind), static_cast<double>(body.q0),
                                     static_cast<double>(body.v0)};
      };
      differences.see("a name in model/bodies", a.name, b.name);
      differences.see("the row of " + b.name + " in model/body_places", places(a), places(b));
    }
  if (differences.same_length("model/shapes", stored.shapes, right.shapes))
    for (std::size_t i = 0; i < stored.shapes.size(); ++i) {
      const ShapeInfo &a = stored.shapes[i], &b = right.shapes[i];
      differences.see("a name in model/shapes", a.name, b.name);
      differences.see("the geometry of " + b.name + " in model/shape_geometries", a.geometry, b.geometry);
      differences.see("the body of " + b.name + " in model/shape_bodies", std::to_string(a.body),
                      std::to_string(b.body));
      differences.see("the position of " + b.name + " in model/shape_frames", a.position, b.position);
      differences.see("the rotation of " + b.name + " in model/shape_frames", a.rotation, b.rotation);
      differences.see("a size of " + b.name + " in model/shape_sizes", a.sizes, b.sizes);
    }
}

// Options are stored as the program writes their values. A file of another version may have fewer.
void compare_options(const RunInfo& info, Differences& differences) {
  const std::vector<OptionText> right = option_values(info.scheme, info.scheme_options);
  std::vector<std::string> seen;
  for (const OptionText& option : info.scheme_options) {
    if (std::ranges::find(seen, option.name) != seen.end())
      differences.see("an option in run/option_names", option.name + " twice", option.name + " once");
    seen.push_back(option.name);
    const auto same = std::ranges::find(right, option.name, &OptionText::name);
    differences.see("the option " + option.name + " in run/option_values", option.value,
                    same == right.end() ? "" : same->value);
  }
}

}  // namespace

std::vector<std::string> header_differences(const ResultsReader& results, const Scene& scene, const System& system) {
  Differences differences;
  const RunInfo& info = results.info();
  compare_names(results.names(), names_of(system), differences);
  compare_drawings(info.drawing, drawing_of(scene.model, system), differences);
  compare_options(info, differences);
  if (differences.same_length("run/parameter_names", info.parameters, scene.parameters))
    for (std::size_t i = 0; i < info.parameters.size(); ++i)
      differences.see("the parameter " + scene.parameters[i].name + " in run/parameter_values",
                      to_text(info.parameters[i].value), to_text(scene.parameters[i].value));
  return std::move(differences).found();
}

}  // namespace esc::io
