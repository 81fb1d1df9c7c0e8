#include <algorithm>
#include <functional>
#include <iterator>

#include <escapement/io/export.hpp>

#include "src/io/export_file.hpp"
#include "src/io/joint_columns.hpp"
#include "src/io/results_layout.hpp"
#include "src/io/velocity_time.hpp"
#include "src/math/text.hpp"

namespace esc::io {

namespace {

constexpr std::int64_t rows_at_once = 1024;

// One column of the file: its header, and its text in row i of the rows in memory.
struct CsvColumn {
  std::string header;
  std::function<std::string(std::size_t)> text;
};

class CsvRows {
 public:
  explicit CsvRows(std::ostream& out) : out_(out) {}

  template <class T>
  void add(const NamedUnit& head, const std::vector<T>& column, int width = 1, int part = 0) {
    const auto text = [&column, width, part](std::size_t i) {
      const T value = column[i * static_cast<std::size_t>(width) + static_cast<std::size_t>(part)];
      if constexpr (std::is_floating_point_v<T>)
        return to_text(value);
      else
        return std::to_string(value);
    };
    columns_.push_back({csv_header(head.name, head.unit), text});
  }
  void add_text(const std::string& name, std::function<std::string(std::size_t)> text) {
    columns_.push_back({csv_header(name, ""), [text](std::size_t i) { return csv_field(text(i)); }});
  }
  // Entries of vectors: "<name>_<suffix>".
  void add_parts(const std::string& name, const std::string& unit, const std::vector<double>& column,
                 const std::array<const char*, 3>& suffixes) {
    for (int i = 0; i < 3; ++i) add({name + "_" + suffixes[static_cast<std::size_t>(i)], unit}, column, 3, i);
  }

  void write_header() {
    for (std::size_t i = 0; i < columns_.size(); ++i) out_ << (i ? "," : "") << columns_[i].header;
    out_ << '\n';
  }
  void write_rows(std::size_t count) {
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t i = 0; i < columns_.size(); ++i)
        out_ << columns_[i].text(row) << (i + 1 < columns_.size() ? ',' : '\n');
  }

 private:
  std::ostream& out_;
  std::vector<CsvColumn> columns_;
};

// read(first, count) fills the tables that the columns look at.
template <class Read>
void write_all(CsvRows& csv, std::int64_t rows, Read read) {
  csv.write_header();
  for (std::int64_t first = 0; first < rows; first += rows_at_once) {
    const std::int64_t count = std::min(rows_at_once, rows - first);
    read(first, count);
    csv.write_rows(static_cast<std::size_t>(count));
  }
}

constexpr std::array<const char*, 3> world{"x", "y", "z"}, own{"n", "t1", "t2"};

template <class T>
void add_each(CsvRows& csv, const std::string& prefix, const T& names, const std::vector<double>& column) {
  const auto width = static_cast<int>(names.size());
  for (int i = 0; i < width; ++i) {
    const auto& name = names[static_cast<std::size_t>(i)];
    if constexpr (requires { name.unit; })
      csv.add({prefix + name.name, name.unit}, column, width, i);
    else
      csv.add({prefix + name, ""}, column, width, i);
  }
}

// By joint rows, of files whose equations have smooth reactions beside impulses, bruels (33): lambda~ in N, what is
// left of the impulse over the step without h lambda~, and the multipliers of the positions.
struct JointMultipliers {
  std::size_t history = 0;  // the column of lambda~
  bool known = false;
  std::vector<double> smooth, impulsive;

  explicit JointMultipliers(const Widths& widths) {
    while (history < widths.histories.size() && !widths.histories[history].name.ends_with(".lambda")) ++history;
    known = widths.joint_rows > 0 && history < widths.histories.size();
  }
  void read(const FrameTable& f) {
    if (!known) return;
    smooth = f.histories[history];
    impulsive = f.joint_impulse;
    const std::size_t rows = f.t.empty() ? 0 : smooth.size() / f.t.size();
    for (std::size_t i = 0; i < smooth.size(); ++i) impulsive[i] -= f.impulse_time[i / rows] * smooth[i];
  }
};

void export_frames(const ResultsReader& results, std::ostream& out, const System* system) {
  const Names& names = results.names();
  const std::vector<JointColumn> joints = system ? joint_columns(*system) : std::vector<JointColumn>{};
  JointValues of_joints;
  JointMultipliers multipliers(Widths(names, results.promises()));
  FrameTable f;
  StepTable s;
  std::vector<double> total;
  CsvRows csv(out);
  csv.add({"t", "s"}, f.t);
  add_each(csv, "q.", names.coordinates, f.q);
  if (velocities_are_behind(results.promises())) csv.add({"t of v", "s"}, f.before_t);
  add_each(csv, "v.", names.velocities, f.v);
  add_each(csv, "u.", names.inputs, f.u);
  add_each(csv, "y.", names.outputs, f.outputs);
  csv.add({"energy.kinetic", "J"}, f.kinetic);
  csv.add({"energy.potential", "J"}, f.potential);
  csv.add({"energy.total", "J"}, total);
  for (std::size_t i = 0; i < work_lines.size(); ++i)
    csv.add({"work." + std::string(work_lines[i].name), "J"}, f.works[i]);
  const auto width = static_cast<int>(6 * names.joints.size());
  for (std::size_t j = 0; j < names.joints.size(); ++j)
    for (int k = 0; k < 6; ++k)
      csv.add({names.joints[j] + (k < 3 ? ".force_" : ".moment_") + world[static_cast<std::size_t>(k % 3)],
               k < 3 ? "N" : "N m"},
              f.reaction, width, 6 * static_cast<int>(j) + k);
  for (std::size_t j = 0; j < names.joints.size(); ++j)
    csv.add({names.joints[j] + ".impact", ""}, f.joint_impact, static_cast<int>(names.joints.size()),
            static_cast<int>(j));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    csv.add(joints[i].position, of_joints.position, static_cast<int>(joints.size()), static_cast<int>(i));
    csv.add(joints[i].rate, of_joints.rate, static_cast<int>(joints.size()), static_cast<int>(i));
  }
  const auto rows = static_cast<int>(names.joint_rows.size());
  for (int i = 0; i < rows && multipliers.known; ++i) {
    const std::string& row = names.joint_rows[static_cast<std::size_t>(i)];
    csv.add({row + ".smooth", "N or N m"}, multipliers.smooth, rows, i);
    csv.add({row + ".impulsive", "N s or N m s"}, multipliers.impulsive, rows, i);
    csv.add({row + ".tau", ""}, f.joint_tau, rows, i);
  }
  csv.add({"contacts", ""}, f.contact_count);
  csv.add({"steps", ""}, s.steps);
  csv.add({"impacts", ""}, s.impacts);
  each_figure(s, [&](const auto& column, const auto& field) {
    csv.add({std::string(field.name), field.unit == "1" ? "" : std::string(field.unit)}, column);
  });
  csv.add({"penetration", "m"}, s.penetration);
  csv.add({"joint_drift", "m"}, s.joint_drift);
  csv.add({"certificate_ratio", ""}, s.certificate_ratio);
  csv.add({"certificate_failed", ""}, s.certificate_failed);
  write_all(csv, results.frame_count(), [&](std::int64_t first, std::int64_t count) {
    f = results.frames(first, count);
    s = results.steps(first, count);
    if (system) of_joints = joint_values(*system, joints, f);
    multipliers.read(f);
    total.resize(f.t.size());
    for (std::size_t i = 0; i < total.size(); ++i) total[i] = f.kinetic[i] + f.potential[i];
  });
}

std::string contact_name(const Names& names, std::uint32_t pair, std::uint32_t feature) {
  const std::string& name = names.pairs[pair].name;
  return feature == 0 ? name : name + "#" + std::to_string(feature);
}

// "m", "rad" where all gaps are limits of angles, "m or rad" where some are.
std::string unit_of(const Names& names, const std::string& of_length, const std::string& of_angle) {
  const auto angular = std::ranges::count(names.pairs, "rad", &NamedUnit::unit);
  if (angular == 0) return of_length;
  return angular == std::ssize(names.pairs) ? of_angle : of_length + " or " + of_angle;
}

void export_contacts(const ResultsReader& results, std::ostream& out) {
  const Names& names = results.names();
  const FrameTable frames = results.frames(0, results.frame_count());
  constexpr std::array<const char*, 3> statuses{"open", "stick", "slip"};
  ContactTable c;
  CsvRows csv(out);
  csv.add({"frame", ""}, c.frame);
  csv.add_text("t [s]", [&](std::size_t i) { return to_text(frames.t[static_cast<std::size_t>(c.frame[i])]); });
  csv.add_text("contact", [&](std::size_t i) { return contact_name(names, c.pair[i], c.feature[i]); });
  csv.add_text("status", [&](std::size_t i) { return statuses[c.status[i]]; });
  csv.add({"impact", ""}, c.impact);
  csv.add({"gap", unit_of(names, "m", "rad")}, c.gap);
  csv.add_parts("point", "m", c.point, world);
  csv.add_parts("normal", "", c.normal, world);
  csv.add_parts("tangent", "", c.tangent, world);
  csv.add_parts("velocity_before", unit_of(names, "m/s", "rad/s"), c.velocity_before, own);
  csv.add_parts("velocity", unit_of(names, "m/s", "rad/s"), c.velocity, own);
  csv.add_parts("impulse", unit_of(names, "N s", "N m s"), c.impulse, own);
  csv.add_parts("force", unit_of(names, "N", "N m"), c.force, own);
  csv.add({"tau", ""}, c.tau);
  write_all(csv, results.contact_count(),
            [&](std::int64_t first, std::int64_t count) { c = results.contacts(first, count); });
}

void export_events(const ResultsReader& results, std::ostream& out) {
  const Names& names = results.names();
  EventTable e;
  CsvRows csv(out);
  csv.add({"t", "s"}, e.t);
  csv.add_text("contact", [&](std::size_t i) { return contact_name(names, e.pair[i], e.feature[i]); });
  csv.add_text("event", [&](std::size_t i) { return e.kind[i] == 0 ? "impact" : "opened"; });
  csv.add({"normal_velocity", unit_of(names, "m/s", "rad/s")}, e.normal_velocity);
  csv.add({"normal_impulse", unit_of(names, "N s", "N m s")}, e.normal_impulse);
  write_all(csv, results.event_count(),
            [&](std::int64_t first, std::int64_t count) { e = results.events(first, count); });
}

}  // namespace

void export_csv(const ResultsReader& results, CsvTable table, std::ostream& out, const System* system) {
  switch (table) {
    case CsvTable::frames:
      return export_frames(results, out, system);
    case CsvTable::contacts:
      return export_contacts(results, out);
    case CsvTable::events:
      return export_events(results, out);
  }
}

void export_csv(const ResultsReader& results, CsvTable table, const std::string& path, const CsvOptions& options) {
  ExportFile file(path, options.overwrite);
  export_csv(results, table, file.stream(), options.system);
  file.close();
}

}  // namespace esc::io
