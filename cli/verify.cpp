#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <escapement/certify.hpp>
#include <escapement/io/results.hpp>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/print.hpp"
#include "cli/results_file.hpp"
#include "cli/tolerances.hpp"
#include "src/io/results_recheck.hpp"
#include "src/math/printable.hpp"
#include "src/math/text.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {{"--json", "", "print one JSON object and nothing else"}};

struct Failure {
  double t;
  Check check;
  Finding finding;
};

struct Verdict {
  long long checked = 0;
  long long unrecorded = 0;  // steps between the frames: what the file says of them is believed
  std::vector<Failure> failures;
  std::vector<io::Contradiction> contradictions;
  std::string promise;                   // how the one in the file differs from that of the scheme
  std::vector<std::string> differences;  // of the header from the scene
  std::vector<LooseTolerance> loose;     // beside the verdict: the promise was made so
  std::string incomplete;                // why the run did not reach its end; empty: it did
  bool unchanged() const { return contradictions.empty() && promise.empty() && differences.empty(); }
  bool ok() const { return checked > 0 && failures.empty() && unchanged(); }
};

// A file may be sound and its run unfinished.
std::string why_incomplete(const io::ResultsReader& results) {
  if (results.frame_count() == 0) return "the run was killed before it had written a frame, or has only begun";
  const double last = results.frames(results.frame_count() - 1, 1).t[0];
  const auto stopped_at = [&](const std::string& how) {
    return how + " at t = " + short_text(last) + " s, before its end at " + short_text(results.info().run.until) + " s";
  };
  if (!results.finished()) return stopped_at("the run was killed or is still going on: the file ends");
  const RunReport totals = results.totals();
  if (totals.status == RunStatus::failed) return stopped_at("the run failed");
  return totals.status == RunStatus::stopped ? stopped_at("the run was stopped") : "";
}

// From states, impulses and the scene in the file alone: the scheme says what it promises, and takes no step.
Verdict judge(const io::ResultsReader& results, const io::Scene& scene, const System& system) {
  Verdict verdict;
  verdict.incomplete = why_incomplete(results);
  const auto scheme = scheme_of(results, system);
  verdict.differences = io::header_differences(results, scene, system);
  const std::vector<const Promise*> promises = scheme->promises();
  verdict.promise = promises.size() == results.promises().size() ? "" : "their number";
  for (std::size_t i = 0; i < promises.size() && verdict.promise.empty(); ++i)
    verdict.promise = io::promise_difference(results.promises()[i], *promises[i]);
  verdict.loose = loose_tolerances(*scheme, results.info().scheme_options);
  const std::vector<std::int32_t> obeyed = results.frames(0, results.frame_count()).promise;
  Certifier certifier(system);
  io::Recheck recheck(results, *scheme);
  constexpr std::int64_t block = 256;  // frames in memory at a time
  for (std::int64_t first = 0; first < results.frame_count(); first += block) {
    const std::int64_t count = std::min(block, results.frame_count() - first);
    const std::int64_t without = first == 0 ? 1 : 0;  // the first frame has no step before it
    const std::vector<State> after = results.states(first, count);
    std::vector<State> before = results.states_before(first + without, count - without);
    if (without > 0) before.insert(before.begin(), after.front());
    const auto promise_of = [&](std::size_t i) {
      return std::min(static_cast<std::size_t>(obeyed[static_cast<std::size_t>(first) + i]), promises.size() - 1);
    };
    std::vector<Certificate> certificates(after.size());
    for (auto i = static_cast<std::size_t>(without); i < after.size(); ++i) {
      const Certificate& certificate = certificates[i] =
          certifier.certify(before[i], after[i], *promises[promise_of(i)]);
      const Check worst = certificate.worst();
      if (!certificate.ok()) verdict.failures.push_back({after[i].t, worst, certificate[worst]});
    }
    recheck.add(before, after, certificates);
    verdict.checked += count - without;
  }
  recheck.end();
  verdict.contradictions = recheck.found();
  verdict.unrecorded = recheck.unrecorded();
  return verdict;
}

void print_json(const io::ResultsReader& results, const System& system, const Verdict& verdict) {
  Json json;
  json.object().value("ok", verdict.ok()).value("checked", verdict.checked);
  json.value("unrecorded", verdict.unrecorded).value("scheme", results.info().scheme);
  json.value("failed", static_cast<long long>(verdict.failures.size())).array("failures");
  for (const auto& [t, check, finding] : verdict.failures) {
    json.object().value("t", t).value("check", to_string(check)).value("value", finding.value);
    json.value("allowed", finding.allowed);
    if (const auto [kind, name] = found_at(system, check, finding); !name.empty()) json.value(kind, name);
    json.end();
  }
  json.end().array("contradictions");
  for (const auto& [t, what, where, stored, computed] : verdict.contradictions) {
    json.object().value("t", t).value("what", what).value("stored", stored).value("computed", computed);
    if (!where.empty()) json.value("contact", where);
    json.end();
  }
  json.end();
  json.array("differences");
  for (const std::string& difference : verdict.differences) json.value("", difference);
  json.end().value("complete", verdict.incomplete.empty());
  if (!verdict.incomplete.empty()) json.value("incomplete", verdict.incomplete);
  add_loose(verdict.loose, json);
  if (!verdict.promise.empty()) json.value("promise", verdict.promise);
  print(stdout, "%s\n", json.end().text().c_str());
}

void print_text(const io::ResultsReader& results, const System& system, const Verdict& verdict) {
  if (!verdict.promise.empty())
    print(stdout, "the promise in the file is not that of the scheme: %s\n", verdict.promise.c_str());
  for (const std::string& difference : verdict.differences) print(stdout, "%s\n", difference.c_str());
  for (const auto& [t, what, where, stored, computed] : verdict.contradictions)
    print(stdout, "t = %s s: %s is %.9g%s, computed again %.9g\n", to_text(t).c_str(), what.c_str(), stored,
          where.empty() ? "" : (" at contact " + where).c_str(), computed);
  for (const auto& [t, check, finding] : verdict.failures) {
    const auto [kind, name] = found_at(system, check, finding);
    const std::string place = name.empty() ? "" : " at " + std::string(kind) + " " + name;
    print(stdout, "t = %s s: %s is %.6g, allowed %.6g%s\n", to_text(t).c_str(), std::string(to_string(check)).c_str(),
          finding.value, finding.allowed, place.c_str());
  }
  print(stdout, "%lld recorded steps checked against the promise of %s, %zu fail%s\n", verdict.checked,
        results.info().scheme.c_str(), verdict.failures.size(),
        verdict.unrecorded == 0 ? ""
                                : ("; " + std::to_string(verdict.unrecorded) + " between them are believed").c_str());
  print(stdout, "%s", said_of(verdict.loose).c_str());
  if (!verdict.incomplete.empty()) print(stdout, "incomplete: %s\n", verdict.incomplete.c_str());
  if (verdict.ok()) return;
  const char* reason = verdict.checked == 0        ? "it holds no step that could be checked"
                       : !verdict.failures.empty() ? "its steps do not hold what the scheme promises"
                                                   : "it contradicts itself: it was changed after the run";
  print(stderr, "%s: %s\n", printable(results.path()).c_str(), reason);
}

}  // namespace

const std::span<const OptionRow> verify_options = rows;

int verify_command(const Arguments& arguments) {
  const io::ResultsReader results(arguments.operands()[0]);
  const io::Scene scene = scene_of(results);
  const System system = system_of(results, scene);
  const Verdict verdict = judge(results, scene, system);
  arguments.has("--json") ? print_json(results, system, verdict) : print_text(results, system, verdict);
  return verdict.ok() ? 0 : 1;
}

}  // namespace esc::cli
