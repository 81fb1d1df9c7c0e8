// Results of a run as an HDF5 file: docs/results.md has the layout, which is the one of the tables here. A file can be
// read at any moment, also while it grows and after its run was killed: it then holds every block that was flushed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <escapement/certify.hpp>
#include <escapement/io/scene.hpp>
#include <escapement/scheme.hpp>
#include <escapement/simulate.hpp>
#include <escapement/state.hpp>
#include <escapement/system.hpp>

namespace esc::io {

// what() reads "<file>: <what is wrong>".
class ResultsError : public std::runtime_error {
 public:
  ResultsError(std::string file, const std::string& message);
  const std::string& file() const { return file_; }
  const std::string& reason() const { return reason_; }  // what() without the file

 private:
  std::string file_, reason_;
};

constexpr int results_version = 4;  // of the layout

// What there is to draw. The geometries are those of models/shapes.hpp: `sizes` are their lengths in the order there, 0
// where there are fewer than three; a height field has none.
struct BodyInfo {
  std::string name;
  BodyKind kind = BodyKind::rigid;
  int q0 = 0;  // where its coordinates stand in q
  int v0 = 0;
};
struct ShapeInfo {
  std::string name;
  int body = -1;  // number in bodies; -1: fixed to ground
  std::array<double, 3> position{0, 0, 0};
  std::array<double, 4> rotation{1, 0, 0, 0};
  std::string geometry;
  std::array<double, 3> sizes{0, 0, 0};
};
struct Drawing {
  std::vector<BodyInfo> bodies;
  std::vector<ShapeInfo> shapes;
};
Drawing drawing_of(const Model& model, const System& system);

// What the file says about its run. All of it is copied into the file as it stands here.
struct RunInfo {
  std::string scene;       // name, for people
  std::string scene_text;  // with its includes put in; empty if the model was not read from a scene
  std::vector<Parameter> parameters;
  std::string scheme;
  std::vector<OptionText> scheme_options;
  SimulateOptions run;       // without its functions
  std::string program, git;  // version of this program; of its source, or "unknown"
  std::int64_t every = 1;    // a frame is recorded at every so many steps of the grid, and at the ends of the run
  Drawing drawing;
};

struct NamedUnit {
  std::string name, unit;
};

// How wide the columns are, and what they are called.
struct Names {
  std::vector<NamedUnit> coordinates, velocities, pairs;  // the unit of a pair is that of its gap
  std::vector<std::string> inputs, outputs, joints;
  std::vector<std::string> joint_rows;  // "<joint>[i]"
};

// One row for each recorded state. Vectors stand one after the other: q of row i starts at i * nq.
struct FrameTable {
  std::vector<std::int64_t> grid;  // how many steps of the grid t0 + k h lie before
  std::vector<double> t, h, impulse_time;
  std::vector<std::uint8_t> kind;     // StepKind of the last step
  std::vector<std::int32_t> promise;  // which of the promises it obeys
  std::vector<double> q, v, u, outputs;
  std::vector<double> kinetic, potential;
  std::array<std::vector<double>, work_lines.size()> works;  // since the start, by Work
  std::vector<double> joint_impulse, joint_tau, reaction, reaction_impulse;
  std::vector<std::uint8_t> joint_impact;
  std::vector<std::vector<double>> histories;  // that the certificate needs, a column each
  // The state before the last step, which need not be a frame.
  std::vector<double> before_t, before_q, before_v, before_u;
  std::vector<std::vector<double>> before_histories;
  std::vector<std::int64_t> contact_begin, contact_count;
};

// A column for each row of a table of figures: sums of integers are long.
template <class Table>
struct FigureColumns;
template <class... Field>
struct FigureColumns<std::tuple<Field...>> {
  template <class F>
  using Value = std::conditional_t<std::is_integral_v<typename F::Value>,
                                   std::conditional_t<F::kept == Kept::sum, std::int64_t, std::int32_t>, double>;
  using type = std::tuple<std::vector<Value<Field>>...>;
};

// One row for each frame: what the steps since the frame before it reported.
struct StepTable {
  using Figures = decltype(Fields<StepReport>::table);

  std::vector<std::int64_t> steps, impacts;
  FigureColumns<std::remove_const_t<Figures>>::type figures;  // in the order of Fields<StepReport>
  std::vector<double> certificate_ratio;
  std::vector<std::uint8_t> certificate_check;
  std::vector<std::int64_t> certificate_failed;
  std::vector<double> penetration, joint_drift;

  // The column of a figure: of<&StepReport::residual>().
  template <auto member>
  auto& of() {
    return std::get<number_of<member>()>(figures);
  }
  template <auto member>
  const auto& of() const {
    return std::get<number_of<member>()>(figures);
  }

 private:
  template <class A, class B>
  static constexpr bool same(A a, B b) {
    if constexpr (std::is_same_v<A, B>) return a == b;
    return false;
  }
  template <auto member, std::size_t i = 0>
  static constexpr std::size_t number_of() {
    if constexpr (same(std::get<i>(Fields<StepReport>::table).member, member))
      return i;
    else
      return number_of<member, i + 1>();
  }
};

// One row for each contact that the last step before a frame treated as active.
struct ContactTable {
  std::vector<std::int64_t> frame;
  std::vector<std::uint32_t> pair, feature;
  std::vector<std::uint8_t> rows;
  std::vector<double> point, normal, tangent;  // of the record's frame
  std::vector<double> gap;
  std::vector<double> velocity_before, velocity, impulse, force;
  std::vector<double> impulse_world, tau;
  std::vector<std::uint8_t> status, impact;  // ContactMode, ImpactMark
};

// One row for each event of any step, recorded or not.
struct EventTable {
  std::vector<double> t;
  std::vector<std::uint32_t> pair, feature;
  std::vector<std::uint8_t> kind;
  std::vector<double> normal_velocity, normal_impulse;
};

// One row for each flushed block.
struct CheckpointTable {
  std::vector<double> t;
  std::vector<std::int64_t> grid, frames, contacts, events;
  std::vector<std::int64_t> state_begin, state_count;
};

// Everything that is needed to go on as if the run had not stopped.
struct Checkpoint {
  State state;
  Continuation continued;
  StepTable since;                                    // one row: the steps since the last frame that stays
  std::int64_t frames = 0, contacts = 0, events = 0;  // rows that stay
};

enum class Overwrite : std::uint8_t { refuse, allow };

struct FileOptions {
  Overwrite overwrite = Overwrite::refuse;
  double flush_after = 0.5;  // s; a block is flushed when it is this old, or holds 4 MiB
};

// Writes a file while a run goes on. Compression and writing happen on a thread of its own, which also evaluates the
// contacts of the recorded states; the run waits only when that thread is far behind. All that is flushed survives the
// end of the process, however it comes.
class ResultsWriter {
 public:
  // The system of the scheme must outlive this. Throws ResultsError if the file cannot be made.
  ResultsWriter(const Scheme& scheme, const RunInfo& info, const std::string& path, const FileOptions& options = {});
  // Goes on with a file until another time, not before its last checkpoint, which `from` is then. What lies behind that
  // is dropped with the first new frame.
  ResultsWriter(const System& system, const std::string& path, double until, Checkpoint& from);
  ~ResultsWriter();  // flushes, but forgives failures: call finish()
  ResultsWriter(const ResultsWriter&) = delete;
  ResultsWriter& operator=(const ResultsWriter&) = delete;

  void start(const State& x);             // the first frame of a new file
  void record(const Progress& progress);  // every accepted step, as SimulateOptions::observe
  bool ok() const;                        // false: writing has failed, and finish() says why
  std::int64_t flushed_frames() const;    // that are safe in the file
  void finish(const RunReport& report);   // the last frame and the totals; throws ResultsError
  const RunInfo& info() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

// Reads a file, whole, of a killed run, or of one that goes on: then what was flushed when it was opened. Everything
// throws ResultsError, also for a file that is damaged, of another program or of a newer version.
class ResultsReader {
 public:
  explicit ResultsReader(const std::string& path);
  ~ResultsReader();
  ResultsReader(ResultsReader&&) noexcept;

  const std::string& path() const;
  const RunInfo& info() const;
  std::span<const Promise> promises() const;  // of the kinds of steps, in the order of frames/promise
  const Names& names() const;
  std::int64_t frame_count() const;
  std::int64_t contact_count() const;
  std::int64_t event_count() const;
  std::int64_t checkpoint_count() const;
  bool finished() const;     // false: the run was killed, or is still going on
  RunReport totals() const;  // of a finished run

  FrameTable frames(std::int64_t first, std::int64_t count) const;
  StepTable steps(std::int64_t first, std::int64_t count) const;
  ContactTable contacts(std::int64_t first, std::int64_t count) const;
  EventTable events(std::int64_t first, std::int64_t count) const;
  Checkpoint checkpoint(std::int64_t number) const;

  // The states at frames, and those before their last steps, as far as certify() looks at them. The first frame has no
  // step before it.
  std::vector<State> states(std::int64_t first, std::int64_t count) const;
  std::vector<State> states_before(std::int64_t first, std::int64_t count) const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

// A frame at every so many steps of the grid, such that there are at most `frames`, the start and the end among
// them; 0 frames: every step.
std::int64_t recording_interval(const SimulateOptions& options, double start, int frames);

// simulate() with its results in a file. A stop on request takes effect at the next grid time, from which the run can
// be resumed. Throws ResultsError if the file cannot be made or written; x is then where the run came to.
[[nodiscard]] RunReport record_run(Scheme& scheme, State& x, const SimulateOptions& options, ResultsWriter& writer);

// Version of this program and of its source, for RunInfo.
std::string program_version();
std::string git_version();

}  // namespace esc::io
