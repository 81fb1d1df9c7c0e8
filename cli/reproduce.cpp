#include <array>
#include <cstdio>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "papers/acary/acary.hpp"
#include "papers/reproduce/command.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {
    {"--out", "FOLDER", "where data and pictures go (default: results)"},
    {"--markdown", "", "the tables as Markdown, no files"},
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
bool verdicts(const papers::Reproduction& item, const std::string& folder, Json& json) {
  const papers::Report report = papers::run(item);
  json.object().value("name", item.name).value("title", item.title).value("ok", report.holds()).array("lines");
  for (const papers::Line& line : report.lines) {
    json.object().value("quantity", line.quantity).value("paper", line.paper).value("here", line.here);
    json.value("verdict", line.verdict == papers::Verdict::fails ? "fails" : papers::to_string(line.verdict));
    if (!line.reason.empty()) json.value("reason", line.reason);
    json.end();
  }
  json.end();
  if (!folder.empty()) json.value("files", papers::write_files(report, folder));
  json.end();
  return report.holds();
}

int reproduce_as_json(const Arguments& arguments, std::span<const papers::Paper> papers) {
  if (arguments.has("--markdown")) throw UsageError("--json and --markdown exclude each other");
  const std::vector<std::string>& words = arguments.operands();
  Json json;
  json.object();
  bool ok = true;
  if (words.empty()) {
    list(papers, json);
  } else {
    papers::Selection selection;
    for (const std::string& word : words) papers::take_name(selection, papers, word);
    if (words.size() == 1) papers::take_name(selection, papers, "all");
    const std::string paper(selection.paper->name), out = arguments.text("--out");
    json.value("paper", paper).array("items");
    for (const papers::Reproduction* item : selection.items)
      ok = verdicts(*item, out.empty() ? "" : out + "/" + paper, json) && ok;
    json.end().value("ok", ok);
  }
  std::printf("%s\n", json.end().text().c_str());
  return ok ? 0 : 1;
}

}  // namespace

const std::span<const OptionRow> reproduce_options = rows;

int reproduce_command(const Arguments& arguments) {
  const std::array<papers::Paper, 1> papers{papers::acary::paper()};
  if (arguments.has("--json")) return reproduce_as_json(arguments, papers);
  std::vector<std::string> words = arguments.operands();
  if (words.empty()) words.push_back("--list");
  if (words.size() == 1 && words[0] != "--list") words.push_back("all");
  if (arguments.has("--out")) words.insert(words.end(), {"--out", arguments.text("--out")});
  if (arguments.has("--markdown")) words.push_back("--markdown");
  return papers::reproduce(papers, words, std::cout, std::cerr);
}

}  // namespace esc::cli
