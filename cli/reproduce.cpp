#include <array>
#include <cstdio>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/print.hpp"
#include "papers/acary/acary.hpp"
#include "papers/bruels/bruels.hpp"
#include "papers/reproduce/command.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {
    {"--out", "FOLDER", "where data and pictures go (default: results)"},
    {"--markdown", "", "the tables as Markdown, no files"},
    {"--force", "", "overwrite files that exist"},
    {"--json", "", "print one JSON object and nothing else; files only with --out"},
};

void list(std::span<const papers::Paper> papers, Json& json) {
  json.array("papers");
  for (const papers::Paper& paper : papers) {
    json.object().value("name", paper.name).value("title", paper.title).array("items");
    for (const papers::Reproduction& item : paper.items)
      json.object().value("name", item.name).value("title", item.title).value("slow", item.slow).end();
    json.end().end();
  }
  json.end();
}

// The verdicts of one item; whether it holds.
bool verdicts(const papers::Reproduction& item, const std::string& folder, bool overwrite, Json& json) {
  const papers::Report report = papers::run(item);
  json.object().value("name", item.name).value("title", item.title).value("ok", report.holds()).array("lines");
  for (const papers::Line& line : report.lines) {
    json.object().value("quantity", line.quantity).value("paper", line.paper).value("here", line.here);
    json.value("verdict", line.verdict == papers::Verdict::fails ? "fails" : papers::to_string(line.verdict));
    if (!line.reason.empty()) json.value("reason", line.reason);
    json.end();
  }
  json.end();
  if (!folder.empty()) json.value("files", papers::write_files(report, folder, overwrite));
  json.end();
  return report.holds();
}

bool reproduce_as_json(const Arguments& arguments, const papers::Selection& selection, Json& json) {
  const std::string paper(selection.paper->name), out = arguments.text("--out");
  if (!out.empty() && !arguments.has("--force")) papers::require_new_files(selection, out + "/" + paper);
  bool ok = true;
  json.value("paper", paper).array("items");
  for (const papers::Reproduction* item : selection.items)
    ok = verdicts(*item, out.empty() ? "" : out + "/" + paper, arguments.has("--force"), json) && ok;
  json.end().value("ok", ok);
  return ok;
}

}  // namespace

const std::span<const OptionRow> reproduce_options = rows;

int reproduce_command(const Arguments& arguments) {
  const bool as_json = arguments.has("--json"), markdown = arguments.has("--markdown");
  if (as_json && markdown) throw UsageError("--json and --markdown exclude each other");
  const std::array<papers::Paper, 2> papers{papers::acary::paper(), papers::bruels::paper()};
  bool ok = true;
  Json json;
  json.object();
  if (arguments.operands().empty()) {
    as_json ? list(papers, json) : papers::print_list(papers, std::cout);
  } else {
    const papers::Selection selection = papers::select(papers, arguments.operands());
    const papers::Output output{arguments.text("--out", "results"), markdown, arguments.has("--force")};
    ok = as_json ? reproduce_as_json(arguments, selection, json) : papers::reproduce(selection, output, std::cout);
  }
  if (as_json) print(stdout, "%s\n", json.end().text().c_str());
  return ok ? 0 : 1;
}

}  // namespace esc::cli
