#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <escapement/certify.hpp>
#include <escapement/io/results.hpp>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/results_file.hpp"
#include "src/math/text.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {{"--json", "", "print one JSON object and nothing else"}};

struct Failure {
  double t;
  Check check;
  Finding finding;
};

}  // namespace

const std::span<const OptionRow> verify_options = rows;

// From states, impulses and the scene in the file alone: neither the scheme nor its solver is asked.
int verify_command(const Arguments& arguments) {
  const io::ResultsReader results(arguments.operands()[0]);
  const io::Scene scene = scene_of(results);
  const System system = system_of(results, scene);
  Certifier certifier(system);
  std::vector<Failure> failures;
  long long checked = 0;
  constexpr std::int64_t block = 256;  // frames in memory at a time; the first frame has no step before it
  for (std::int64_t first = 1; first < results.frame_count(); first += block) {
    const std::int64_t count = std::min(block, results.frame_count() - first);
    const std::vector<State> before = results.states_before(first, count), after = results.states(first, count);
    for (std::size_t i = 0; i < after.size(); ++i) {
      const Certificate certificate = certifier.certify(before[i], after[i], results.promise());
      const Check worst = certificate.worst();
      if (!certificate.ok()) failures.push_back({after[i].t, worst, certificate[worst]});
    }
    checked += count;
  }
  const bool ok = failures.empty() && checked > 0;
  if (arguments.has("--json")) {
    Json json;
    json.object().value("ok", ok).value("checked", checked).value("scheme", results.info().scheme);
    json.value("failed", static_cast<long long>(failures.size())).array("failures");
    for (const auto& [t, check, finding] : failures) {
      json.object().value("t", t).value("check", to_string(check)).value("value", finding.value);
      json.value("allowed", finding.allowed);
      if (const auto [kind, name] = found_at(system, check, finding); !name.empty()) json.value(kind, name);
      json.end();
    }
    std::printf("%s\n", json.end().end().text().c_str());
    return ok ? 0 : 1;
  }
  for (const auto& [t, check, finding] : failures) {
    const auto [kind, name] = found_at(system, check, finding);
    const std::string place = name.empty() ? "" : " at " + std::string(kind) + " " + name;
    std::printf("t = %s s: %s is %.6g, allowed %.6g%s\n", to_text(t).c_str(), std::string(to_string(check)).c_str(),
                finding.value, finding.allowed, place.c_str());
  }
  std::printf("%lld recorded steps checked against the promise of %s, %zu fail\n", checked,
              results.info().scheme.c_str(), failures.size());
  if (!ok)
    std::fprintf(
        stderr, "%s: %s\n", results.path().c_str(),
        checked > 0 ? "its steps do not hold what the scheme promises" : "it holds no step that could be checked");
  return ok ? 0 : 1;
}

}  // namespace esc::cli
