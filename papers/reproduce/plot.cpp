#include "papers/reproduce/plot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>
#include <stdexcept>

namespace esc::papers {

namespace {

constexpr int panel_width = 520, panel_height = 300;  // px

void write_axis(std::ostream& out, char name, const Axis& axis) {
  out << "set " << name << "label " << gnuplot_quoted(axis.label) << '\n';
  out << (axis.logarithmic ? "set" : "unset") << " logscale " << name << '\n';
  out << "set format " << name << (axis.logarithmic ? " '%.0e'" : " '%g'") << '\n';
  if (axis.range)
    out << "set " << name << "range [" << axis.range->low << ':' << axis.range->high << "]\n";
  else
    out << "set autoscale " << name << '\n';
}

const Table& find(const std::vector<Table>& tables, const std::string& name) {
  for (const Table& table : tables)
    if (table.name == name) return table;
  throw std::out_of_range("no table " + name);
}

void write_panel(std::ostream& out, const Panel& panel, const std::vector<Table>& tables) {
  out << "\nset title " << gnuplot_quoted(panel.title) << '\n';
  write_axis(out, 'x', panel.x);
  write_axis(out, 'y', panel.y);
  const char* before = "plot ";
  for (const Curve& curve : panel.curves) {
    const Table& table = find(tables, curve.table);
    out << before << gnuplot_quoted(curve.table + ".csv") << " using (" << panel.x.scale << "*$"
        << table.place(curve.x) + 1 << "):(" << panel.y.scale << "*$" << table.place(curve.y) + 1 << ") with "
        << curve.style << (curve.title.empty() ? " notitle" : " title " + gnuplot_quoted(curve.title));
    before = ", \\\n     ";
  }
  out << '\n';
}

// Runs gnuplot with its output thrown away; its exit code, or -1 if it cannot be started.
int run_gnuplot(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  std::string program = "gnuplot";
  argv.push_back(program.data());
  std::vector<std::string> own = arguments;
  for (std::string& argument : own) argv.push_back(argument.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "gnuplot", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

}  // namespace

std::string gnuplot_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

std::string gnuplot_script(const Plot& plot, const std::vector<Table>& tables) {
  const int count = static_cast<int>(plot.panels.size()), down = (count + plot.across - 1) / plot.across;
  std::ostringstream out;
  out << "# gnuplot " << plot.name << ".gp\n"
      << "set terminal svg size " << panel_width * plot.across << ',' << panel_height * down
      << " noenhanced font 'sans,11' background 'white'\n"
      << "set output " << gnuplot_quoted(plot.name + ".svg") << '\n'
      << "set datafile separator ','\n"
      << "set datafile columnheaders\n"
      << "set grid\n"
      << "set key outside bottom center horizontal\n"
      << "set multiplot layout " << down << ',' << plot.across << '\n';
  for (const Panel& panel : plot.panels) write_panel(out, panel, tables);
  out << "\nunset multiplot\n";
  return out.str();
}

bool gnuplot_present() { return run_gnuplot({"--version"}) == 0; }

bool draw(const std::filesystem::path& folder, const Plot& plot) {
  return run_gnuplot({"-e", "cd " + gnuplot_quoted(folder.string()), plot.name + ".gp"}) == 0;
}

}  // namespace esc::papers
