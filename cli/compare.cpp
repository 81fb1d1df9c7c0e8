#include <cstdio>
#include <filesystem>

#include <escapement/study/compare.hpp>

#include "cli/commands.hpp"
#include "cli/gnuplot.hpp"
#include "cli/json.hpp"
#include "cli/run_scene.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {
    {"--schemes", "A,B,...", "schemes to compare; default: those that need no special model"},
    {"--steps", "H1,H2,...", "steps in s; default: the scene's, and 2 and 4 times as much and as little"},
    {"--until", "T", "end of the runs in s"},
    {"--target", "PART", "wanted position error, as part of the largest motion (default 0.01)"},
    {"--refine", "N", "the reference has the smallest step divided by N (default 16)"},
    {"-p", "NAME=VALUE", "a parameter of the scene: a number or a formula", true},
    {"--svg", "FILE", "draw error over time as SVG (needs gnuplot)"},
    {"--json", "", "print one JSON object and nothing else"},
    {"--force", "", "overwrite files that exist"},
};

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

study::CompareOptions options_of(const Arguments& arguments, const io::Scene& scene) {
  study::CompareOptions options;
  options.until = arguments.number("--until", scene.run.until);
  options.target = arguments.number("--target", options.target);
  options.refine = static_cast<int>(arguments.number("--refine", options.refine));
  options.reference = {scene.scheme, scene.scheme_options};
  for (const std::string& name : parts_of(arguments.text("--schemes", "moreau-jean,combined-projection")))
    options.schemes.push_back({name, name == scene.scheme ? scene.scheme_options : std::vector<OptionText>{}});
  for (const study::ComparedScheme& scheme : options.schemes) static_cast<void>(scheme_entry(scheme.name));
  if (!arguments.has("--steps"))
    for (const double factor : {4.0, 2.0, 1.0, 0.5, 0.25}) options.steps.push_back(factor * scene.run.step);
  else
    for (const std::string& text : parts_of(arguments.text("--steps"))) {
      char* end = nullptr;
      options.steps.push_back(std::strtod(text.c_str(), &end));
      if (text.empty() || *end != '\0') throw UsageError("--steps expects numbers, not '" + text + "'");
    }
  return options;
}

void print_table(const study::Comparison& comparison) {
  std::printf("reference: %s; largest motion %.6g\n\n", comparison.reference.c_str(), comparison.range);
  std::printf("%-20s %10s %11s %11s %11s %11s %10s %12s %11s  %s\n", "scheme", "step [s]", "q l1", "q uniform", "v l1",
              "evaluations", "time [s]", "penetr. [m]", "energy [J]", "certificate");
  for (const study::WorkPoint& point : comparison.points) {
    if (!point.ok) {
      std::printf("%-20s %10.3g failed: %s\n", point.scheme.c_str(), point.step, point.message.c_str());
      continue;
    }
    std::printf("%-20s %10.3g %11.3g %11.3g %11.3g %11.0f %10.3g %12.3g %11.3g  %s\n", point.scheme.c_str(), point.step,
                point.q_l1, point.q_uniform, point.v_l1, point.evaluations, point.seconds, point.penetration,
                point.energy_error, point.certified ? "holds" : "FAILS");
  }
  std::printf("\nrecommended: %s\n", comparison.reason.c_str());
}

std::string as_json(const study::Comparison& comparison) {
  Json json;
  json.object().value("reference", comparison.reference).value("range", comparison.range).array("points");
  for (const study::WorkPoint& point : comparison.points) {
    json.object().value("scheme", point.scheme).value("step", point.step).value("ok", point.ok);
    json.value("certified", point.certified).value("q_l1", point.q_l1).value("q_uniform", point.q_uniform);
    json.value("v_l1", point.v_l1).value("evaluations", point.evaluations).value("seconds", point.seconds);
    json.value("penetration", point.penetration).value("energy_error", point.energy_error);
    if (!point.message.empty()) json.value("message", point.message);
    json.end();
  }
  json.end().value("recommended", comparison.best).value("reason", comparison.reason).end();
  return json.text();
}

void draw(const study::Comparison& comparison, const std::string& path) {
  std::string data, plots;
  int block = 0;
  std::string before;
  for (const study::WorkPoint& point : comparison.points) {
    if (point.scheme != before) {
      data += (block > 0 ? "\n\n" : "") + std::string("# ") + point.scheme + "\n";
      plots += (block > 0 ? ", " : "plot ") + std::string("$data index ") + std::to_string(block) +
               " using 1:2 with linespoints title \"" + point.scheme + "\"";
      ++block;
      before = point.scheme;
    }
    if (point.ok) data += std::to_string(point.seconds) + " " + std::to_string(point.q_l1) + "\n";
  }
  gnuplot("set terminal svg size 720,480 background rgb 'white'\nset output '" + path +
          "'\nset logscale xy\nset xlabel 'time [s]'\nset ylabel 'mean position error'\nset grid\n$data << END\n" +
          data + "END\n" + plots + "\n");
}

}  // namespace

const std::span<const OptionRow> compare_options = rows;

int compare_command(const Arguments& arguments) {
  const std::string svg = arguments.text("--svg");
  refuse_overwriting(arguments, svg);
  if (!svg.empty()) require_gnuplot(svg);
  const io::Scene scene = io::read_scene(arguments.operands()[0], overrides_of(arguments));
  const System system = io::compile_scene(scene);
  const study::Comparison comparison = study::compare(system, options_of(arguments, scene));
  if (!svg.empty()) draw(comparison, svg);
  if (arguments.has("--json"))
    std::printf("%s\n", as_json(comparison).c_str());
  else
    print_table(comparison);
  return comparison.best < 0 ? 1 : 0;
}

}  // namespace esc::cli
