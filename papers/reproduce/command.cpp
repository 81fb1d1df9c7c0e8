#include "papers/reproduce/command.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <stdexcept>

#include "src/study/gnuplot.hpp"

namespace esc::papers {

namespace {

const Reproduction* find(const Paper& paper, std::string_view name) {
  const auto found = std::find_if(paper.items.begin(), paper.items.end(),
                                  [name](const Reproduction& item) { return item.name == name; });
  return found == paper.items.end() ? nullptr : &*found;
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

Tally reproduce_one(const Paper& paper, const Reproduction& item, const Output& output, std::ostream& out) {
  out << (output.markdown ? "### " : "") << item.name << ": " << item.title << "\n\n"
      << (output.markdown ? "" : "The paper: ") << item.says << "\n\n"
      << std::flush;
  const Report report = run(item);
  if (output.markdown) {
    print_markdown(report, out);
  } else {
    print_text(report, out);
    out << '\n' << write_files(report, output.folder + "/" + std::string(paper.name), output.overwrite) << '\n';
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

// What to say of a picture.
std::string drawn(const study::Figure& figure, const std::string& folder, const std::string& name) {
  try {
    study::draw(figure, folder + "/" + name, folder);
    return " " + name;
  } catch (const study::FigureError& error) {
    return std::string(" (") + error.what() + ")";
  }
}

}  // namespace

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

Selection select(std::span<const Paper> papers, std::span<const std::string> words) {
  Selection selection;
  for (const Paper& paper : papers)
    if (!words.empty() && paper.name == words[0]) selection.paper = &paper;
  if (selection.paper == nullptr)
    throw std::invalid_argument("there is no paper '" + (words.empty() ? "" : words[0]) +
                                "' (escapement reproduce lists them)");
  const Paper& paper = *selection.paper;
  for (const std::string& word : words.subspan(1)) {
    selection.items.push_back(find(paper, word));
    if (selection.items.back() == nullptr)
      throw std::invalid_argument(std::string(paper.name) + " has no '" + word + "' (escapement reproduce lists them)");
  }
  if (words.size() == 1)
    for (const Reproduction& item : paper.items) selection.items.push_back(&item);
  return selection;
}

void require_new_files(const Selection& selection, const std::string& folder) {
  const auto owner_of = [&](const std::string& file) -> const Reproduction* {
    const Reproduction* owner = nullptr;
    for (const Reproduction& item : selection.paper->items) {
      const bool fits = file == item.name || file.starts_with(std::string(item.name) + "-");
      if (fits && (owner == nullptr || item.name.size() > owner->name.size())) owner = &item;
    }
    return owner;
  };
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    const std::string ending = entry.path().extension().string();
    if (ending != ".csv" && ending != ".gp" && ending != ".svg") continue;
    if (std::ranges::find(selection.items, owner_of(entry.path().stem().string())) != selection.items.end())
      throw std::runtime_error(entry.path().string() + " exists; give --force to overwrite it");
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

std::string write_files(const Report& report, const std::string& folder, bool overwrite) {
  const auto refuse = [](const std::string& path, const std::string& why) { throw std::runtime_error(path + why); };
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) refuse(folder, " cannot be made: " + failed.message());
  const auto path_of = [&](const std::string& name, const char* ending) { return folder + "/" + name + ending; };
  const auto require_new = [&](const std::string& path) {
    if (!overwrite && std::filesystem::exists(path)) refuse(path, " exists; give --force to overwrite it");
  };
  for (const Table& table : report.tables) require_new(path_of(table.name, ".csv"));
  for (const Plot& plot : report.plots)
    for (const char* ending : {".gp", ".svg"}) require_new(path_of(plot.name, ending));
  std::string written;
  for (const Table& table : report.tables) {
    std::ofstream file(path_of(table.name, ".csv"));
    write_csv(table, file);
    if (!file.flush()) refuse(path_of(table.name, ".csv"), " cannot be written");
    written += " " + table.name + ".csv";
  }
  const bool pictures = !report.plots.empty() && study::gnuplot_installed();
  for (const Plot& plot : report.plots) {
    const study::Figure figure = figure_of(plot, report.tables);
    std::ofstream script(path_of(plot.name, ".gp"));
    write_script(figure, study::Picture::svg, plot.name + ".svg", [&](std::string_view text) { script << text; });
    if (!script.flush()) refuse(path_of(plot.name, ".gp"), " cannot be written");
    written += " " + plot.name + ".gp";
    if (pictures) written += drawn(figure, folder, plot.name + ".svg");
  }
  if (!report.plots.empty() && !pictures) written += "; no pictures: gnuplot is not installed";
  return "written to " + folder + ":" + (written.empty() ? " nothing" : written);
}

bool reproduce(const Selection& selection, const Output& output, std::ostream& out) {
  if (!output.markdown && !output.overwrite)
    require_new_files(selection, output.folder + "/" + std::string(selection.paper->name));
  std::vector<Tally> tallies;
  for (const Reproduction* item : selection.items)
    tallies.push_back(reproduce_one(*selection.paper, *item, output, out));
  print_summary(tallies, output.markdown, out);
  return std::all_of(tallies.begin(), tallies.end(), [](const Tally& t) { return t.fails == 0; });
}

}  // namespace esc::papers
