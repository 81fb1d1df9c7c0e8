#include <cstdio>
#include <filesystem>

#include <escapement/io/export.hpp>

#include "cli/commands.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {
    {"--csv", "FILE", "frames: time, coordinates, velocities, energies, reactions"},
    {"--contacts", "FILE", "contacts of every frame as CSV"},
    {"--events", "FILE", "impacts and openings as CSV"},
    {"--vtk", "FOLDER", "bodies, shapes and contacts for ParaView (.pvd, .vtp)"},
    {"--force", "", "overwrite files that exist"},
};

}  // namespace

const std::span<const OptionRow> export_options = rows;

int export_command(const Arguments& arguments) {
  const io::ResultsReader results(arguments.operands()[0]);
  const auto overwrite = arguments.has("--force") ? io::Overwrite::allow : io::Overwrite::refuse;
  bool any = false;
  const auto table = [&](const char* option, io::CsvTable which) {
    if (!arguments.has(option)) return;
    io::export_csv(results, which, arguments.text(option), overwrite);
    any = true;
  };
  table("--csv", io::CsvTable::frames);
  table("--contacts", io::CsvTable::contacts);
  table("--events", io::CsvTable::events);
  if (arguments.has("--vtk")) {
    const std::string name = std::filesystem::path(arguments.operands()[0]).stem().string();
    const io::VtkReport report = io::export_vtk(results, arguments.text("--vtk"), name, overwrite);
    std::fprintf(stderr, "%lld files\n", static_cast<long long>(report.files));
    if (report.placeless_contacts > 0)
      std::fprintf(stderr, "note: contacts given by a gap formula have no place in space and are left out\n");
    if (report.undrawn_shapes > 0)
      std::fprintf(stderr, "note: shapes without an end and height fields are not drawn\n");
    any = true;
  }
  if (!any) throw UsageError("say what to export: --csv FILE, --contacts FILE, --events FILE or --vtk FOLDER");
  return 0;
}

}  // namespace esc::cli
