#include <array>
#include <cstdio>
#include <filesystem>

#include <escapement/io/export.hpp>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/output_files.hpp"
#include "cli/print.hpp"
#include "cli/results_file.hpp"

namespace esc::cli {

namespace {

constexpr OptionRow rows[] = {
    {"--csv", "FILE", "frames: time, coordinates, velocities, energies, reactions"},
    {"--contacts", "FILE", "contacts of every frame as CSV"},
    {"--events", "FILE", "impacts and openings as CSV"},
    {"--vtk", "FOLDER", "bodies, shapes and contacts for ParaView (.pvd, .vtp)"},
    {"--force", "", "overwrite files that exist"},
    {"--json", "", "print one JSON object and nothing else"},
};

void tell(const io::VtkReport& report) {
  print(stderr, "%lld files\n", static_cast<long long>(report.files));
  if (report.placeless_contacts > 0)
    print(stderr,
          "note: contacts given by a gap formula and limits of joints have no place in space and are omitted\n");
  if (report.undrawn_shapes > 0) print(stderr, "note: shapes without an end and height fields are not drawn\n");
}

}  // namespace

const std::span<const OptionRow> export_options = rows;

int export_command(const Arguments& arguments) {
  const std::string& source = arguments.operands()[0];
  const io::ResultsReader results(source);
  require_writable(arguments,
                   std::array<OutputFile, 3>{{{"--csv", arguments.text("--csv")},
                                              {"--contacts", arguments.text("--contacts")},
                                              {"--events", arguments.text("--events")}}},
                   {source});
  const auto overwrite = arguments.has("--force") ? io::Overwrite::allow : io::Overwrite::refuse;
  std::optional<System> system;  // only it knows the angles and slides of joints
  if (arguments.has("--csv") && !results.names().joints.empty() && !results.info().scene_text.empty())
    system.emplace(system_of(results, scene_of(results)));
  Json json;
  json.object();
  bool any = false;
  const auto table = [&](const char* option, const char* key, io::CsvTable which) {
    if (!arguments.has(option)) return;
    io::export_csv(results, which, arguments.text(option), {overwrite, system ? &*system : nullptr});
    json.value(key, arguments.text(option));
    any = true;
  };
  table("--csv", "csv", io::CsvTable::frames);
  table("--contacts", "contacts", io::CsvTable::contacts);
  table("--events", "events", io::CsvTable::events);
  if (arguments.has("--vtk")) {
    const std::string name = std::filesystem::path(source).stem().string();
    const io::VtkReport report = io::export_vtk(results, arguments.text("--vtk"), name, overwrite);
    const auto files = static_cast<long long>(report.files);
    json.object("vtk").value("folder", arguments.text("--vtk")).value("files", files);
    json.value("placeless_contacts", static_cast<long long>(report.placeless_contacts));
    json.value("undrawn_shapes", static_cast<long long>(report.undrawn_shapes)).end();
    if (!arguments.has("--json")) tell(report);
    any = true;
  }
  if (!any) throw UsageError("say what to export: --csv FILE, --contacts FILE, --events FILE or --vtk FOLDER");
  if (arguments.has("--json")) print(stdout, "%s\n", json.end().text().c_str());
  return 0;
}

}  // namespace esc::cli
