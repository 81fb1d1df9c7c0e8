// Prints docs/options.md from the field tables of the options structs.
#include <cstdio>
#include <string>

#include <escapement/options.hpp>
#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>
#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/interior_point.hpp>
#include <escapement/solvers/lemke.hpp>
#include <escapement/solvers/newton.hpp>
#include <escapement/solvers/nsgs.hpp>
#include <escapement/solvers/polygons.hpp>
#include <escapement/solvers/proximal.hpp>
#include <escapement/solvers/smoothing.hpp>

namespace {

// A bar would end the cell of a table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

void print_table(const std::string& owner, const std::string& type, const std::string& header,
                 const std::vector<esc::FieldInfo>& rows) {
  std::printf("\n## %s\n\n`esc::%s`, header `%s`.\n\n", owner.c_str(), type.c_str(), header.c_str());
  std::printf("| option | type | unit | default | allowed | meaning |\n|---|---|---|---|---|---|\n");
  for (const esc::FieldInfo& row : rows)
    std::printf("| `%s` | %s | %s | %s | %s | %s |\n", row.name.c_str(), row.type.c_str(),
                row.unit == "1" ? "" : row.unit.c_str(), row.fallback.c_str(), cell(row.allowed).c_str(),
                cell(row.doc).c_str());
}

template <class Options>
void print_table(const char* type, const char* header) {
  print_table(std::string(esc::Fields<Options>::owner), type, header, esc::describe<Options>());
}

void print_scheme(const esc::SchemeEntry& entry) {
  std::string file(entry.name);
  for (char& c : file)
    if (c == '-') c = '_';
  print_table(std::string(entry.name), std::string(entry.type), "include/escapement/schemes/" + file + ".hpp",
              entry.options());
}

}  // namespace

int main() {
  std::printf(
      "# Options\n\n"
      "Generated from the field tables in the headers; edit those, then\n"
      "`build/release/docs/print_options > docs/options.md`. A value outside its range is refused with an "
      "`OptionError`\n"
      "that names the option. `set_option(options, name, text)` sets one from text.\n");
  print_table<esc::SimulateOptions>("SimulateOptions", "include/escapement/simulate.hpp");
  for (const esc::SchemeEntry& entry : esc::schemes()) print_scheme(entry);
  print_table<esc::EnumerateOptions>("EnumerateOptions", "include/escapement/solvers/enumerate.hpp");
  print_table<esc::NsgsOptions>("NsgsOptions", "include/escapement/solvers/nsgs.hpp");
  print_table<esc::NewtonOptions>("NewtonOptions", "include/escapement/solvers/newton.hpp");
  print_table<esc::InteriorPointOptions>("InteriorPointOptions", "include/escapement/solvers/interior_point.hpp");
  print_table<esc::ProximalOptions>("ProximalOptions", "include/escapement/solvers/proximal.hpp");
  print_table<esc::SmoothingOptions>("SmoothingOptions", "include/escapement/solvers/smoothing.hpp");
  print_table<esc::PolygonsOptions>("PolygonsOptions", "include/escapement/solvers/polygons.hpp");
  print_table<esc::LemkeOptions>("LemkeOptions", "include/escapement/solvers/lemke.hpp");
}
