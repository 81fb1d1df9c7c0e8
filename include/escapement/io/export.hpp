// Results for other programs: CSV for spreadsheets, VTK for ParaView. Names and units of the columns are documented in
// docs/results.md and stay.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include <escapement/io/results.hpp>

namespace esc::io {

enum class CsvTable : std::uint8_t {
  frames,    // a row for each frame: time, coordinates, velocities, energies, works, outputs, reactions, steps
  contacts,  // a row for each contact of each frame
  events,    // a row for each impact and each opening
};

// One header line "name [unit]", shortest digits that read back exactly, no locale.
// With the system of the file, frames get the angles and slides of joints.
void export_csv(const ResultsReader& results, CsvTable table, std::ostream& out, const System* system = nullptr);

struct CsvOptions {
  Overwrite overwrite = Overwrite::refuse;
  const System* system = nullptr;
};
// The same to a file. Throws ResultsError, also if the file exists and may not be overwritten.
void export_csv(const ResultsReader& results, CsvTable table, const std::string& path, const CsvOptions& options);

struct VtkReport {
  std::int64_t files = 0;
  std::int64_t placeless_contacts = 0;  // contacts of gap functions, which have no place and are left out
  std::int64_t undrawn_shapes = 0;      // half-planes and other shapes without an end, and height fields
};

// folder/NAME.pvd, and for each frame NAME_bodies_N.vtp, NAME_shapes_N.vtp and NAME_contacts_N.vtp. Makes the folder.
VtkReport export_vtk(const ResultsReader& results, const std::string& folder, const std::string& name,
                     Overwrite overwrite);

}  // namespace esc::io
