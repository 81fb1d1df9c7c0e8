// Prints docs/options.md from the field tables of the options structs.
#include <cstdio>
#include <string>

#include <escapement/options.hpp>
#include <escapement/schemes/combined_projection.hpp>
#include <escapement/schemes/direct_projected.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/schemes/position_theta.hpp>
#include <escapement/schemes/schatzman_paoli.hpp>
#include <escapement/simulate.hpp>
#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/lemke.hpp>
#include <escapement/solvers/nsgs.hpp>

namespace {

// A bar would end the cell of a table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

template <class Options>
void print_table(const char* type, const char* header) {
  std::printf("\n## %s\n\n`esc::%s`, header `%s`.\n\n", std::string(esc::Fields<Options>::owner).c_str(), type, header);
  std::printf("| option | type | unit | default | allowed | meaning |\n|---|---|---|---|---|---|\n");
  for (const esc::FieldInfo& row : esc::describe<Options>())
    std::printf("| `%s` | %s | %s | %s | %s | %s |\n", row.name.c_str(), row.type.c_str(),
                row.unit == "1" ? "" : row.unit.c_str(), row.fallback.c_str(), cell(row.allowed).c_str(),
                cell(row.doc).c_str());
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
  print_table<esc::MoreauJeanOptions>("MoreauJeanOptions", "include/escapement/schemes/moreau_jean.hpp");
  print_table<esc::DirectProjectedOptions>("DirectProjectedOptions", "include/escapement/schemes/direct_projected.hpp");
  print_table<esc::CombinedProjectionOptions>("CombinedProjectionOptions",
                                              "include/escapement/schemes/combined_projection.hpp");
  print_table<esc::SchatzmanPaoliOptions>("SchatzmanPaoliOptions", "include/escapement/schemes/schatzman_paoli.hpp");
  print_table<esc::PositionThetaOptions>("PositionThetaOptions", "include/escapement/schemes/position_theta.hpp");
  print_table<esc::EnumerateOptions>("EnumerateOptions", "include/escapement/solvers/enumerate.hpp");
  print_table<esc::NsgsOptions>("NsgsOptions", "include/escapement/solvers/nsgs.hpp");
  print_table<esc::LemkeOptions>("LemkeOptions", "include/escapement/solvers/lemke.hpp");
}
