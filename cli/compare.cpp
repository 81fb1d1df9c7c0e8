#include <algorithm>
#include <array>
#include <cstdio>

#include <escapement/study/compare.hpp>

#include "cli/commands.hpp"
#include "cli/example_scenes.hpp"
#include "cli/json.hpp"
#include "cli/output_files.hpp"
#include "cli/print.hpp"
#include "cli/run_scene.hpp"
#include "examples/exact_motions.hpp"
#include "src/math/text.hpp"
#include "src/model/gap_unit.hpp"
#include "src/study/gnuplot.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {
    {"--schemes", "A,B,...", "schemes to compare; default: every one that takes the model"},
    {"--steps", "H1,H2,...", "steps in s; default: the scene's, and 2 and 4 times as much and as little"},
    {"--until", "T", "end of the runs in s"},
    {"--target", "PART", "wanted mean position error, as part of the largest motion (default 0.01)"},
    {"--refine", "N",
     "reference: the scene's scheme with the smallest step divided by N (default: the exact solution where an "
     "example has one, else 16)"},
    {"-p", "NAME=VALUE", "a parameter of the scene: a number or a formula", true},
    {"--svg", "FILE", "draw error over computing time, .svg or .png (needs gnuplot)"},
    {"--json", "", "print one JSON object and nothing else"},
    {"--force", "", "overwrite files that exist"},
};

// The motion of the built-in example that the scene is, if it is one whose motion is known exactly.
std::optional<study::ExactSolution> exact_of(const io::Scene& scene, double until) {
  const auto parameter = [&](std::string_view name) {
    for (const io::Parameter& entry : scene.parameters)
      if (entry.name == name) return entry.value;
    throw UsageError("the example has no parameter '" + std::string(name) + "'");
  };
  for (const ExampleScene& example : example_scenes())
    if (example.text == scene.text)
      if (study::MotionAt motion = examples::exact_motion(example.name, parameter, until))
        return study::ExactSolution{std::string(example.name), std::move(motion)};
  return std::nullopt;
}

// A scheme that holds another one would repeat its rows.
bool holds_another(const SchemeEntry& entry) {
  return std::ranges::any_of(entry.options(), [](const FieldInfo& row) { return row.type == "scheme"; });
}

std::vector<std::string> names_of_schemes(const Arguments& arguments, const io::Scene& scene) {
  std::vector<std::string> names;
  if (arguments.has("--schemes"))
    for (const std::string& name : parts_of(arguments.text("--schemes"))) names.emplace_back(scheme_entry(name).name);
  else
    for (const SchemeEntry& entry : schemes())
      if (!holds_another(entry) || entry.name == scene.scheme) names.emplace_back(entry.name);
  return names;
}

study::CompareOptions options_of(const Arguments& arguments, const io::Scene& scene, double start) {
  study::CompareOptions options;
  options.until = number_of(arguments, "--until", scene, scene.run.until);
  options.target = arguments.number("--target", options.target);
  options.refine = arguments.whole_number("--refine", options.refine, 2);
  options.reference = {scene.scheme, scene.scheme_options};
  for (const std::string& name : names_of_schemes(arguments, scene))
    options.schemes.push_back(name == scene.scheme ? options.reference : study::ComparedScheme{name, {}});
  if (arguments.has("--steps"))
    options.steps = arguments.positive_numbers("--steps");
  else
    for (const double factor : {4.0, 2.0, 1.0, 0.5, 0.25})
      if (const double step = factor * scene.run.step;
          factor <= 1.0 || steps_until_end({.step = step, .until = options.until}, start) >= 1.0)
        options.steps.push_back(step);
  if (!arguments.has("--refine")) options.exact = exact_of(scene, options.until);
  return options;
}

std::string described(const study::UnitMotion& motion) {
  const auto with_unit = [&](double value) {
    return short_text(value) + (motion.unit.empty() ? "" : " ") + motion.unit;
  };
  return with_unit(motion.range) +
         (motion.scale > motion.range ? ", errors are measured against " + with_unit(motion.scale) : "");
}

void print_table(const study::Comparison& comparison, const std::string& gap_unit) {
  const std::string penetration = "penetr. [" + gap_unit + "]";
  const int wide = std::max(12, static_cast<int>(penetration.size()));
  print(stdout, "reference: %s\n", comparison.reference.c_str());
  for (const study::UnitMotion& motion : comparison.motions)
    print(stdout, "largest motion: %s\n", described(motion).c_str());
  print(stdout, "\n%-20s %10s %9s %11s %11s %11s %8s %10s %*s %11s  %-11s  %s\n", "scheme", "step [s]", "error [%]",
        "q l1", "q uniform", "v l1", "newton", "time [s]", wide, penetration.c_str(), "energy [J]", "certificate",
        "worst in");
  for (const study::WorkPoint& point : comparison.points) {
    if (!point.ok) {
      print(stdout, "%-20s %10.3g failed: %s\n", point.scheme.c_str(), point.step, point.message.c_str());
      continue;
    }
    print(stdout, "%-20s %10.3g %9.3g %11.3g %11.3g %11.3g %8.0f %10.3g %*.3g %11.3g  %-11s  %s\n",
          point.scheme.c_str(), point.step, 100.0 * point.q_relative, point.q_l1, point.q_uniform, point.v_l1,
          point.newton, point.seconds, wide, point.penetration, point.energy_error, point.certified ? "holds" : "FAILS",
          point.worst.c_str());
  }
  for (const study::Refusal& refusal : comparison.refusals)
    print(stdout, "%-20s refuses: %s\n", refusal.scheme.c_str(), refusal.reason.c_str());
  print(stdout,
        "\nerror: mean over time of the worst coordinate, as part of the largest motion of its unit; newton: "
        "iterations, summed\nrecommended: %s\n",
        comparison.reason.c_str());
}

std::string as_json(const study::Comparison& comparison) {
  Json json;
  json.object().value("reference", comparison.reference).array("motions");
  for (const auto& [unit, range, scale] : comparison.motions)
    json.object().value("unit", unit).value("range", range).value("scale", scale).end();
  json.end().array("points");
  for (const study::WorkPoint& point : comparison.points) {
    json.object().value("scheme", point.scheme).value("step", point.step).value("ok", point.ok);
    json.value("certified", point.certified).value("q_relative", point.q_relative).value("worst", point.worst);
    json.value("q_l1", point.q_l1).value("q_uniform", point.q_uniform).value("v_l1", point.v_l1);
    json.value("newton", point.newton).value("seconds", point.seconds).value("penetration", point.penetration);
    json.value("energy_error", point.energy_error);
    if (!point.message.empty()) json.value("message", point.message);
    json.end();
  }
  json.end().array("refusals");
  for (const auto& [scheme, reason] : comparison.refusals)
    json.object().value("scheme", scheme).value("reason", reason).end();
  json.end().value("recommended", comparison.best).value("reason", comparison.reason).end();
  return json.text();
}

// A curve for each scheme, whose points stand together. An error of exactly zero has no place on a logarithmic axis.
study::Figure figure_of(const study::Comparison& comparison) {
  struct Series {
    std::string scheme;
    std::vector<double> seconds, errors;
  };
  std::vector<Series> all;
  for (const study::WorkPoint& point : comparison.points) {
    if (!point.ok) continue;
    if (all.empty() || all.back().scheme != point.scheme) all.push_back({point.scheme, {}, {}});
    all.back().seconds.push_back(point.seconds);
    all.back().errors.push_back(100.0 * point.q_relative);
  }
  study::Panel panel{"",
                     {.label = "time", .unit = "s", .logarithmic = true},
                     {.label = "mean position error", .unit = "%", .logarithmic = true},
                     {}};
  for (auto& [scheme, seconds, errors] : all)
    panel.curves.push_back({scheme,
                            study::Points{study::Column::of(std::move(seconds)), study::Column::of(std::move(errors))},
                            study::Style::linespoints});
  return {.width = 720, .height = 480, .panels = {std::move(panel)}};
}

}  // namespace

const std::span<const OptionRow> compare_options = rows;

int compare_command(const Arguments& arguments) {
  const std::string svg = arguments.text("--svg");
  const io::Scene scene = open_scene(arguments);
  require_writable(arguments, std::array<OutputFile, 1>{{{"--svg", svg}}}, scene.files);
  if (!svg.empty()) study::require_gnuplot();
  const System system = io::compile_scene(scene);
  const study::Comparison comparison = study::compare(system, options_of(arguments, scene, system.initial_state().t));
  if (!svg.empty()) study::draw(figure_of(comparison), svg);
  if (arguments.has("--json"))
    print(stdout, "%s\n", as_json(comparison).c_str());
  else
    print_table(comparison, gap_unit(system));
  return comparison.best < 0 ? 1 : 0;
}

}  // namespace esc::cli
