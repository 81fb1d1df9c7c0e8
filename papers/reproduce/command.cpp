#include "papers/reproduce/command.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <stdexcept>

namespace esc::papers {

namespace {

struct Request : Selection {
  std::string folder = "results";
  bool markdown = false, list = false;
};

constexpr std::string_view usage =
    "usage: reproduce --list\n"
    "       reproduce PAPER (NAME... | all) [--out DIR] [--markdown]\n";

const Reproduction* find(const Paper& paper, std::string_view name) {
  const auto found = std::find_if(paper.items.begin(), paper.items.end(),
                                  [name](const Reproduction& item) { return item.name == name; });
  return found == paper.items.end() ? nullptr : &*found;
}

Request parse(std::span<const Paper> papers, std::span<const std::string> arguments) {
  Request request;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "--list") {
      request.list = true;
    } else if (word == "--markdown") {
      request.markdown = true;
    } else if (word == "--out") {
      if (++i == arguments.size()) throw std::invalid_argument("--out needs a folder");
      request.folder = arguments[i];
    } else if (word.starts_with("-")) {
      throw std::invalid_argument("there is no option '" + word + "'");
    } else {
      take_name(request, papers, word);
    }
  }
  if (!request.list && request.items.empty()) throw std::invalid_argument("nothing to reproduce is named");
  return request;
}

void print_list(std::span<const Paper> papers, std::ostream& out) {
  for (const Paper& paper : papers) {
    out << paper.name << ": " << paper.title << '\n';
    std::size_t width = 0;
    for (const Reproduction& item : paper.items) width = std::max(width, item.name.size());
    for (const Reproduction& item : paper.items)
      out << "  " << item.name << std::string(width - item.name.size() + 2, ' ') << item.title
          << (item.slow ? " (slow)" : "") << '\n';
  }
}

// Lines of one item by verdict.
struct Tally {
  const Reproduction* item;
  int agrees = 0, deviates = 0, shown = 0, fails = 0;
};

Tally tally(const Reproduction& item, const Report& report) {
  const auto count = [&](Verdict verdict) {
    return static_cast<int>(std::count_if(report.lines.begin(), report.lines.end(),
                                          [verdict](const Line& line) { return line.verdict == verdict; }));
  };
  return {&item, count(Verdict::agrees), count(Verdict::deviates), count(Verdict::shown), count(Verdict::fails)};
}

Tally reproduce_one(const Request& request, const Reproduction& item, std::ostream& out) {
  out << (request.markdown ? "### " : "") << item.name << ": " << item.title << "\n\n"
      << (request.markdown ? "" : "The paper: ") << item.says << "\n\n"
      << std::flush;
  const Report report = run(item);
  if (request.markdown) {
    print_markdown(report, out);
  } else {
    print_text(report, out);
    out << '\n' << write_files(report, request.folder + "/" + std::string(request.paper->name)) << '\n';
  }
  out << '\n';
  return tally(item, report);
}

void print_summary(const std::vector<Tally>& tallies, bool markdown, std::ostream& out) {
  Tally sum{nullptr};
  if (markdown) out << "### Summary\n\n| item | agrees | deviates | shown | fails |\n|---|---|---|---|---|\n";
  for (const Tally& t : tallies) {
    if (markdown)
      out << "| " << t.item->name << " | " << t.agrees << " | " << t.deviates << " | " << t.shown << " | " << t.fails
          << " |\n";
    sum.agrees += t.agrees;
    sum.deviates += t.deviates;
    sum.shown += t.shown;
    sum.fails += t.fails;
  }
  if (markdown)
    out << "| all | " << sum.agrees << " | " << sum.deviates << " | " << sum.shown << " | " << sum.fails << " |\n";
  else
    out << tallies.size() << " reproduced: " << sum.agrees << " lines agree, " << sum.deviates << " deviate, "
        << sum.shown << " are shown, " << sum.fails << " fail\n";
}

}  // namespace

void take_name(Selection& selection, std::span<const Paper> papers, const std::string& word) {
  if (selection.paper == nullptr) {
    for (const Paper& paper : papers)
      if (paper.name == word) selection.paper = &paper;
    if (selection.paper == nullptr) throw std::invalid_argument("there is no paper '" + word + "'; see --list");
  } else if (word == "all") {
    for (const Reproduction& item : selection.paper->items) selection.items.push_back(&item);
  } else {
    const Reproduction* item = find(*selection.paper, word);
    if (item == nullptr)
      throw std::invalid_argument(std::string(selection.paper->name) + " has no '" + word + "'; see --list");
    selection.items.push_back(item);
  }
}

Report run(const Reproduction& item) {
  Report report;
  try {
    item.run(report);
  } catch (const std::exception& error) {
    report.lines.push_back({"the run", "ends", error.what(), Verdict::fails, {}});
  }
  return report;
}

std::string write_files(const Report& report, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return "nothing written: " + folder + ": " + failed.message();
  std::string written;
  for (const Table& table : report.tables) {
    std::ofstream file(folder + "/" + table.name + ".csv");
    write_csv(table, file);
    if (!file.flush()) return "cannot write " + folder + "/" + table.name + ".csv";
    written += " " + table.name + ".csv";
  }
  const bool pictures = !report.plots.empty() && gnuplot_present();
  for (const Plot& plot : report.plots) {
    std::ofstream(folder + "/" + plot.name + ".gp") << gnuplot_script(plot, report.tables);
    written += " " + plot.name + ".gp";
    if (pictures) written += draw(folder, plot) ? " " + plot.name + ".svg" : " (gnuplot fails on it)";
  }
  if (!report.plots.empty() && !pictures) written += "; no pictures: gnuplot is not installed";
  return "written to " + folder + ":" + (written.empty() ? " nothing" : written);
}

int reproduce(std::span<const Paper> papers, std::span<const std::string> arguments, std::ostream& out,
              std::ostream& messages) {
  Request request;
  try {
    request = parse(papers, arguments);
  } catch (const std::invalid_argument& error) {
    messages << "reproduce: " << error.what() << '\n' << usage;
    return 2;
  }
  if (request.list) {
    print_list(papers, out);
    return 0;
  }
  std::vector<Tally> tallies;
  for (const Reproduction* item : request.items) tallies.push_back(reproduce_one(request, *item, out));
  print_summary(tallies, request.markdown, out);
  return std::all_of(tallies.begin(), tallies.end(), [](const Tally& t) { return t.fails == 0; }) ? 0 : 1;
}

}  // namespace esc::papers
