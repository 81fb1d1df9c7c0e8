#include <escapement/io/results.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "src/io/results_checkpoint.hpp"
#include "src/io/results_info.hpp"
#include "src/io/results_tables.hpp"
#include "src/model/layout.hpp"

namespace esc::io {

ResultsError::ResultsError(std::string file, const std::string& message)
    : std::runtime_error(file + ": " + message), file_(std::move(file)), reason_(message) {}

namespace {

// As compile() makes it of the system's names.
std::uint64_t layout_of(const Names& names) {
  LayoutHash hash;
  hash.named(names.coordinates);
  hash.named(names.velocities);
  hash.texts(names.inputs);
  hash.texts(names.joint_rows);
  hash.named(names.pairs);
  return hash.value();
}

}  // namespace

struct ResultsReader::Work {
  Store store;
  File file;
  Header header;
  Widths widths;
  std::uint64_t layout = 0;  // of its states
  std::int64_t frames = 0, contacts = 0, events = 0, checkpoints = 0;

  explicit Work(const std::string& path)
      : store(path, Store::Mode::read),
        file(store),
        header(read_header(file)),
        widths(header.names, header.promises),
        layout(layout_of(header.names)),
        frames(stored_rows<FrameTable>(file, widths)),
        contacts(stored_rows<ContactTable>(file, widths)),
        events(stored_rows<EventTable>(file, widths)),
        checkpoints(stored_rows<CheckpointTable>(file, widths)) {
    if (stored_rows<StepTable>(file, widths) != frames) file.fail("the tables frames and steps differ in length");
  }

  template <class Table>
  Table read(std::int64_t first, std::int64_t count, std::int64_t rows) const {
    const Quiet silence;
    if (first < 0 || count < 0 || first > rows || count > rows - first)
      file.fail("rows " + std::to_string(first) + " to " + std::to_string(first + count) + " of the table " +
                std::string(table_name(Table{})) + " are asked for; it has " + std::to_string(rows));
    return read_table<Table>(file, widths, {first, count});
  }
};

ResultsReader::ResultsReader(const std::string& path) {
  const Quiet quiet;
  work_ = std::make_unique<Work>(path);
}
ResultsReader::~ResultsReader() {
  const Quiet quiet;
  work_.reset();
}
ResultsReader::ResultsReader(ResultsReader&&) noexcept = default;

const std::string& ResultsReader::path() const { return work_->store.path(); }
const RunInfo& ResultsReader::info() const { return work_->header.info; }
std::span<const Promise> ResultsReader::promises() const { return work_->header.promises; }
const Names& ResultsReader::names() const { return work_->header.names; }
std::int64_t ResultsReader::frame_count() const { return work_->frames; }
std::int64_t ResultsReader::contact_count() const { return work_->contacts; }
std::int64_t ResultsReader::event_count() const { return work_->events; }
std::int64_t ResultsReader::checkpoint_count() const { return work_->checkpoints; }

bool ResultsReader::finished() const {
  const Quiet quiet;
  return work_->file.has("totals");
}

RunReport ResultsReader::totals() const {
  const Quiet quiet;
  if (!finished()) work_->file.fail("the run did not end: there are no totals");
  return read_totals(work_->file);
}

// A step that takes no time.
static bool is_impact(const FrameTable& table, std::size_t i) {
  return table.kind[i] == static_cast<int>(StepKind::impact) && table.t[i] == table.t[i - 1];
}

FrameTable ResultsReader::frames(std::int64_t first, std::int64_t count) const {
  FrameTable table = work_->read<FrameTable>(first, count, work_->frames);
  for (std::size_t i = 0; i < table.t.size(); ++i)
    if (!std::isfinite(table.t[i]) || (i > 0 && table.t[i] <= table.t[i - 1] && !is_impact(table, i)))
      work_->file.fail("the time of frame " + std::to_string(first + static_cast<std::int64_t>(i)) +
                       " is damaged: it must be finite and after the one before");
  for (std::size_t i = 0; i < table.promise.size(); ++i)
    if (table.kind[i] > static_cast<int>(StepKind::impact) || table.promise[i] < 0 ||
        table.promise[i] >= static_cast<std::int32_t>(promises().size()))
      work_->file.fail("frame " + std::to_string(first + static_cast<std::int64_t>(i)) +
                       " names a kind of step or a promise that is not there");
  for (std::size_t i = 0; i < table.contact_begin.size(); ++i) {
    const std::int64_t begin = table.contact_begin[i], rows = table.contact_count[i];
    if (begin < 0 || rows < 0 || begin > work_->contacts || rows > work_->contacts - begin)
      work_->file.fail("frame " + std::to_string(first + static_cast<std::int64_t>(i)) +
                       " names contacts that are not there");
  }
  return table;
}

StepTable ResultsReader::steps(std::int64_t first, std::int64_t count) const {
  StepTable table = work_->read<StepTable>(first, count, work_->frames);
  for (std::size_t i = 0; i < table.certificate_check.size(); ++i)
    if (table.certificate_check[i] >= check_count)
      work_->file.fail("row " + std::to_string(first + static_cast<std::int64_t>(i)) +
                       " of steps is damaged: its check is not there");
  return table;
}

ContactTable ResultsReader::contacts(std::int64_t first, std::int64_t count) const {
  ContactTable table = work_->read<ContactTable>(first, count, work_->contacts);
  for (std::size_t i = 0; i < table.frame.size(); ++i)
    if (table.frame[i] < 0 || table.frame[i] >= work_->frames || table.pair[i] >= names().pairs.size() ||
        table.rows[i] < 1 || table.rows[i] > 3 || table.status[i] > static_cast<int>(ContactMode::sliding) ||
        table.impact[i] > static_cast<int>(ImpactMark::near))
      work_->file.fail("row " + std::to_string(first + static_cast<std::int64_t>(i)) +
                       " of contacts is damaged: its frame, pair, rows, status or impact is not there");
  return table;
}

EventTable ResultsReader::events(std::int64_t first, std::int64_t count) const {
  EventTable table = work_->read<EventTable>(first, count, work_->events);
  for (std::size_t i = 0; i < table.t.size(); ++i)
    if (!std::isfinite(table.t[i]) || table.pair[i] >= names().pairs.size() || table.kind[i] >= event_names.size())
      work_->file.fail("row " + std::to_string(first + static_cast<std::int64_t>(i)) +
                       " of events is damaged: its time, pair or kind is not there");
  return table;
}

namespace {

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

// Whether the bytes of a checkpoint tell the run that its row tells, and a state that a run can go on from.
bool sound(const Checkpoint& checkpoint, const CheckpointTable& row, const Header& header) {
  const State& x = checkpoint.state;
  const Continuation& so_far = checkpoint.continued;
  return x.t == row.t[0] && so_far.grid == row.grid[0] && so_far.grid >= 0 && std::isfinite(so_far.start) &&
         so_far.start <= x.t && all_finite(x.q) && all_finite(x.v) && all_finite(x.u) &&
         (x.histories.empty() || x.histories.front().owner == header.info.scheme) &&
         std::ranges::all_of(x.contacts,
                             [&](const auto& record) { return record.key.pair < header.names.pairs.size(); });
}

}  // namespace

Checkpoint ResultsReader::checkpoint(std::int64_t number) const {
  const Quiet quiet;
  const CheckpointTable row = work_->read<CheckpointTable>(number, 1, work_->checkpoints);
  const File& file = work_->file;
  const std::string damaged = "checkpoint " + std::to_string(number) + " is damaged";
  const std::int64_t bytes = file.rows("checkpoints/state", 1), begin = row.state_begin[0], count = row.state_count[0];
  if (begin < 0 || count < 0 || begin > bytes || count > bytes - begin) file.fail(damaged);
  Checkpoint result;
  result.frames = row.frames[0];
  result.contacts = row.contacts[0];
  result.events = row.events[0];
  const bool fit = result.frames >= 0 && result.frames <= work_->frames && result.contacts >= 0 &&
                   result.contacts <= work_->contacts && result.events >= 0 && result.events <= work_->events;
  if (!fit || !read_checkpoint(file.read<std::uint8_t>("checkpoints/state", 1, {begin, count}), result) ||
      !sound(result, row, work_->header))
    file.fail(damaged);
  return result;
}

namespace {

// The histories at row i, each from its columns.
std::vector<History> histories_of(const std::vector<std::vector<double>>& columns, std::size_t i, const Widths& n) {
  std::vector<History> histories;
  for (std::size_t c = 0; c < n.histories.size(); ++c) {
    const auto width = static_cast<std::size_t>(n.histories[c].width.count);
    if (histories.empty() || histories.back().owner != n.histories[c].owner)
      histories.push_back({n.histories[c].owner, {}});
    const auto first = columns[c].begin() + static_cast<std::ptrdiff_t>(i * width);
    histories.back().values.insert(histories.back().values.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
  return histories;
}

// Row i of a column of vectors.
std::vector<double> part(const std::vector<double>& column, std::size_t i, int width) {
  const auto first = column.begin() + static_cast<std::ptrdiff_t>(i) * width;
  return {first, first + width};
}

ContactRecord record_of(const ContactTable& c, std::size_t row) {
  const auto triple = [row](const std::vector<double>& column) {
    return std::array<double, 3>{column[3 * row], column[3 * row + 1], column[3 * row + 2]};
  };
  return {.key = {c.pair[row], c.feature[row]},
          .P = triple(c.impulse),
          .rows = c.rows[row],
          .mode = static_cast<ContactMode>(c.status[row]),
          .impact = c.impact[row] == static_cast<int>(ImpactMark::own),
          .tau = c.tau[row],
          .frame = {triple(c.point), triple(c.normal), triple(c.tangent)}};
}

}  // namespace

std::vector<State> ResultsReader::states(std::int64_t first, std::int64_t count) const {
  const Widths& n = work_->widths;
  const FrameTable f = frames(first, count);
  std::vector<State> result(static_cast<std::size_t>(count));
  if (count == 0) return result;
  const std::int64_t begin = f.contact_begin.front(), end = f.contact_begin.back() + f.contact_count.back();
  const ContactTable c = contacts(begin, std::max<std::int64_t>(end - begin, 0));
  for (std::size_t i = 0; i < result.size(); ++i) {
    State& x = result[i];
    x.layout = work_->layout;
    x.t = f.t[i];
    x.h = f.h[i];
    x.q = part(f.q, i, n.q);
    x.v = part(f.v, i, n.v);
    x.u = part(f.u, i, n.u);
    x.joint_impulse = part(f.joint_impulse, i, n.joint_rows);
    x.joint_tau = part(f.joint_tau, i, n.joint_rows);
    x.impulse_time = f.impulse_time[i];
    x.histories = histories_of(f.histories, i, n);
    for (std::int64_t row = f.contact_begin[i] - begin; row < f.contact_begin[i] - begin + f.contact_count[i]; ++row) {
      const auto damaged = [&] {
        work_->file.fail("the contacts of frame " + std::to_string(first + static_cast<std::int64_t>(i)) +
                         " are damaged");
      };
      if (row < 0 || row >= end - begin) damaged();
      const ContactRecord record = record_of(c, static_cast<std::size_t>(row));
      if (!x.contacts.empty() && !(x.contacts.back().key < record.key)) damaged();
      x.contacts.push_back(record);
    }
  }
  return result;
}

std::vector<State> ResultsReader::states_before(std::int64_t first, std::int64_t count) const {
  const Widths& n = work_->widths;
  if (first < 1) work_->file.fail("there is no step before the first frame");
  const FrameTable f = frames(first, count);
  std::vector<State> result(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < result.size(); ++i) {
    State& x = result[i];
    x.layout = work_->layout;
    x.t = f.before_t[i];
    x.q = part(f.before_q, i, n.q);
    x.v = part(f.before_v, i, n.v);
    x.u = part(f.before_u, i, n.u);
    x.histories = histories_of(f.before_histories, i, n);
    x.joint_impulse.resize(static_cast<std::size_t>(n.joint_rows));
  }
  return result;
}

}  // namespace esc::io
