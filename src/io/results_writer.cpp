#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <escapement/io/results.hpp>

#include "src/io/results_checkpoint.hpp"
#include "src/io/results_info.hpp"
#include "src/io/results_recheck.hpp"
#include "src/io/results_rows.hpp"
#include "src/io/results_tables.hpp"
#include "src/math/text.hpp"

namespace esc::io {

namespace {

constexpr std::size_t slots = 16;                   // frames that may wait for the writing thread
constexpr std::size_t batch = slots / 2;            // the threads wake each other for so many, not for each
constexpr std::chrono::milliseconds patience{100};  // how long a single frame may wait
constexpr std::size_t block_bytes = 4 << 20;        // a block is written when it is this large

const ColumnShape state_shape{"checkpoints/state", 1, 1 << 16, "", "the bytes of the checkpoints, one after the other"};

std::size_t bytes_of(Block& block, const Widths& widths) {
  std::size_t sum = 0;
  const auto add = [&](auto& values, auto&&...) { sum += values.size() * sizeof(values[0]); };
  each_column(block.frames, widths, add);
  each_column(block.contacts, widths, add);
  each_column(block.events, widths, add);
  return sum;
}

// The file as the writing thread sees it.
class BlockWriter {
 public:
  BlockWriter(const System& system, const Header& header, const std::string& path, const FileOptions& options)
      : header_(header),
        widths_(header.names, header.promises),
        store_(path, options.overwrite == Overwrite::allow ? Store::Mode::overwrite : Store::Mode::create),
        file_(store_),
        rows_(system, widths_, spread_impacts(header_.promises)),
        flush_after_(options.flush_after) {
    write_header(file_, header_);
    frames_.create(file_, widths_, 1024);
    steps_.create(file_, widths_, 1024);
    contacts_.create(file_, widths_, 1024);
    events_.create(file_, widths_, 1024);
    checkpoints_.create(file_, widths_, 64);
    states_ = file_.make_column<std::uint8_t>(state_shape);
    commit();
  }

  BlockWriter(const System& system, const std::string& path, double until, Checkpoint& from)
      : header_(read_for_resume(system, path, until, from)),
        widths_(header_.names, header_.promises),
        store_(path, Store::Mode::append),
        file_(store_),
        rows_(system, widths_, spread_impacts(header_.promises)),
        resumed_from_(from) {
    header_.info.run.until = until;
    flushed_ = from.frames;
    flushed_t_ = from.state.t;
  }

  const RunInfo& info() const { return header_.info; }
  const std::vector<Promise>& promises() const { return header_.promises; }
  const std::string& path() const { return store_.path(); }
  std::int64_t flushed() const { return flushed_; }
  // For the message of a failure.
  std::string what_is_there() const {
    if (flushed_ == 0) return "the file holds no frame";
    return "the file holds " + std::to_string(flushed_) + " frames, up to t = " + short_text(flushed_t_) + " s";
  }

  void add(const Frame& frame) {
    if (resumed_from_) drop_what_follows(*std::exchange(resumed_from_, std::nullopt));
    const std::int64_t number = frames_.rows() + rows_of(block_.frames);
    const std::int64_t contact = contacts_.rows() + rows_of(block_.contacts);
    rows_.add(frame, number, contact, block_);
    if (frame.on_grid) {
      last_.state = frame.after;
      last_.continued = frame.so_far;
      last_.since = frame.regular ? empty_steps() : frame.since;
      last_.frames = frame.regular ? number + 1 : number;
      last_.contacts = frame.regular ? contacts_.rows() + rows_of(block_.contacts) : contact;
      last_.events = events_.rows() + rows_of(block_.events);
      resumable_ = true;
    }
    flush_if_due();
  }

  void flush_if_due() {
    if (bytes_of(block_, widths_) >= block_bytes || age() >= flush_after_) write_block();
  }

  void finish(const RunReport* report) {
    write_block();
    if (report) {
      file_.set_number("run", "until", header_.info.run.until);
      write_totals(file_, *report);
    }
    frames_.close();
    steps_.close();
    contacts_.close();
    events_.close();
    checkpoints_.close();
    states_ = {};
    file_.flush();
    file_.close();
    store_.commit();
  }

 private:
  static Header read_for_resume(const System& system, const std::string& path, double until, Checkpoint& from);
  void drop_what_follows(const Checkpoint& from);

  double age() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - committed_).count(); }

  void commit() {
    file_.flush();
    store_.commit();
    committed_ = std::chrono::steady_clock::now();
  }

  void write_block() {
    if (rows_of(block_.frames) == 0) return;
    if (resumable_) add_checkpoint();
    const double t = block_.frames.t.back();
    frames_.append(file_, block_.frames, widths_);
    steps_.append(file_, block_.steps, widths_);
    contacts_.append(file_, block_.contacts, widths_);
    events_.append(file_, block_.events, widths_);
    commit();
    flushed_ = frames_.rows();
    flushed_t_ = t;
  }

  void add_checkpoint() {
    const auto bytes = checkpoint_bytes(last_.state, last_.continued, last_.since);
    const std::vector<std::uint8_t> state(bytes.begin(), bytes.end());
    CheckpointTable row{{last_.state.t},
                        {last_.continued.grid},
                        {last_.frames},
                        {last_.contacts},
                        {last_.events},
                        {state_rows_},
                        {static_cast<std::int64_t>(state.size())}};
    checkpoints_.append(file_, row, widths_);
    file_.append(states_, state_rows_, state);
    state_rows_ += static_cast<std::int64_t>(state.size());
    resumable_ = false;
  }

  Header header_;
  Widths widths_;
  Store store_;
  File file_;
  FrameRows rows_;
  TableWriter<FrameTable> frames_;
  TableWriter<StepTable> steps_;
  TableWriter<ContactTable> contacts_;
  TableWriter<EventTable> events_;
  TableWriter<CheckpointTable> checkpoints_;
  Column states_;
  std::int64_t state_rows_ = 0;
  double flush_after_ = FileOptions{}.flush_after;
  std::atomic<std::int64_t> flushed_ = 0;  // frames that are safe, and their last time
  double flushed_t_ = 0.0;
  std::optional<Checkpoint> resumed_from_;  // until there is a frame to follow it: a run without a step drops nothing
  Block block_;
  Checkpoint last_;
  bool resumable_ = false;  // last_ has not been written yet
  std::chrono::steady_clock::time_point committed_ = std::chrono::steady_clock::now();
};

void BlockWriter::drop_what_follows(const Checkpoint& from) {
  file_.set_number("run", "until", header_.info.run.until);
  if (file_.has("totals")) file_.remove("totals");
  frames_.open(file_, widths_, from.frames);
  steps_.open(file_, widths_, from.frames);
  contacts_.open(file_, widths_, from.contacts);
  events_.open(file_, widths_, from.events);
  checkpoints_.open(file_, widths_, stored_rows<CheckpointTable>(file_, widths_));
  states_ = file_.open_column(state_shape.name, 1);
  state_rows_ = file_.rows(state_shape.name, 1);
}

Header BlockWriter::read_for_resume(const System& system, const std::string& path, double until, Checkpoint& from) {
  const ResultsReader reader(path);
  if (reader.checkpoint_count() == 0) throw ResultsError(path, "there is no checkpoint in the file to resume from");
  from = reader.checkpoint(reader.checkpoint_count() - 1);
  if (!fits(system, from.state))
    throw ResultsError(path, "its states do not fit the model; was it written by another scene?");
  SimulateOptions run = reader.info().run;
  run.until = until;
  if (!(steps_until_end(run, from.continued.start) >= static_cast<double>(from.continued.grid)))
    throw ResultsError(path, "its run has come to t = " + short_text(from.state.t) + " s, beyond " + short_text(until) +
                                 " s; give a later end");
  return {reader.info(), reader.names(), {reader.promises().begin(), reader.promises().end()}};
}

}  // namespace

// The run fills a free frame of the ring; the thread takes the filled ones in order.
struct ResultsWriter::Work {
  const System& system;
  BlockWriter file;
  std::array<Frame, slots> ring;
  std::size_t filled = 0, taken = 0;  // how many frames were handed over, and are done with; filled - taken <= slots
  bool waiting_frame = false;         // ring[filled % slots] holds a step that is not handed over yet
  StepTable since = empty_steps();
  std::vector<Event> events;
  std::optional<RunReport> totals;
  bool ended = false, failed = false;
  std::exception_ptr failure;
  mutable std::mutex mutex;
  std::condition_variable handed_over, freed;
  std::thread thread;

  template <class... Args>
  explicit Work(const System& its_system, Args&&... args) : system(its_system), file(its_system, args...) {
    thread = std::thread([this] { run(); });
  }

  Frame& free_frame() {
    std::unique_lock lock(mutex);
    if (filled - taken == slots) freed.wait(lock, [&] { return filled - taken <= batch || failed; });
    return ring[filled % slots];
  }
  int number_of(const Promise& promise) const;
  void hand_over();
  void run();
  void write_frames();
  void end();
};

// By value: a run that is resumed has promises of its own, equal to those in the file.
int ResultsWriter::Work::number_of(const Promise& promise) const {
  const auto& known = file.promises();
  const auto found = std::ranges::find_if(known, [&](const Promise& one) {
    return one.owner == promise.owner && promise_difference(one, promise).empty();
  });
  if (found == known.end()) throw ResultsError(file.path(), "a step obeys a promise that its scheme has not declared");
  return static_cast<int>(found - known.begin());
}

void ResultsWriter::Work::hand_over() {
  Frame& frame = ring[filled % slots];
  frame.since = since;
  std::swap(frame.events, events);
  events.clear();
  since = empty_steps();
  frame.outputs.resize(system.output_names().size());
  system.outputs(frame.after, frame.outputs);
  waiting_frame = false;
  bool enough = false;
  {
    const std::lock_guard lock(mutex);
    if (!failed) ++filled;
    enough = filled - taken >= batch;
  }
  if (enough) handed_over.notify_one();
}

void ResultsWriter::Work::write_frames() {
  while (true) {
    std::size_t available = 0;
    {
      std::unique_lock lock(mutex);
      handed_over.wait_for(lock, patience, [&] { return filled - taken >= batch || ended; });
      available = filled - taken;
      if (available == 0 && ended) return;
    }
    for (; available > 0; --available) {
      file.add(ring[taken % slots]);
      bool enough = false;
      {
        const std::lock_guard lock(mutex);
        ++taken;
        enough = filled - taken == batch;
      }
      if (enough) freed.notify_one();
    }
    file.flush_if_due();
  }
}

void ResultsWriter::Work::run() {
  const Quiet quiet;
  std::exception_ptr caught;
  try {
    write_frames();
    file.finish(totals ? &*totals : nullptr);
    return;
  } catch (const ResultsError& error) {
    caught = std::make_exception_ptr(ResultsError(error.file(), error.reason() + "; " + file.what_is_there()));
  } catch (...) {
    caught = std::current_exception();
  }
  const std::lock_guard lock(mutex);
  failed = true;
  failure = caught;
  freed.notify_one();
}

void ResultsWriter::Work::end() {
  if (!thread.joinable()) return;
  {
    const std::lock_guard lock(mutex);
    ended = true;
  }
  handed_over.notify_one();
  thread.join();
}

ResultsWriter::ResultsWriter(const Scheme& scheme, const RunInfo& info, const std::string& path,
                             const FileOptions& options) {
  const Quiet quiet;
  Header header{info, names_of(scheme.system()), {}};
  for (const Promise* promise : scheme.promises()) header.promises.push_back(*promise);
  work_ = std::make_unique<Work>(scheme.system(), header, path, options);
}

ResultsWriter::ResultsWriter(const System& system, const std::string& path, double until, Checkpoint& from) {
  const Quiet quiet;
  work_ = std::make_unique<Work>(system, path, until, from);
  work_->since = from.since;
}

ResultsWriter::~ResultsWriter() {
  if (work_) work_->end();
}

const RunInfo& ResultsWriter::info() const { return work_->file.info(); }

void ResultsWriter::start(const State& x) {
  Frame& frame = work_->free_frame();
  frame.before = frame.after = x;
  frame.so_far = beginning(work_->system, x);
  frame.on_grid = frame.regular = true;
  work_->hand_over();
}

void ResultsWriter::record(const Progress& progress) {
  Work& work = *work_;
  add_step(work.since, progress);
  work.events.insert(work.events.end(), progress.step.events.begin(), progress.step.events.end());
  Frame& frame = work.waiting_frame ? work.ring[work.filled % slots] : work.free_frame();
  work.waiting_frame = true;
  frame.before = progress.before;
  frame.after = progress.after;
  frame.so_far = progress.so_far;
  frame.kind = progress.step.kind;
  frame.promise = progress.step.promise ? work.number_of(*progress.step.promise) : 0;
  frame.on_grid = progress.on_grid;
  frame.regular = progress.on_grid && progress.so_far.grid % work.file.info().every == 0;
  if (frame.regular) work.hand_over();
}

bool ResultsWriter::ok() const {
  const std::lock_guard lock(work_->mutex);
  return !work_->failed;
}

std::int64_t ResultsWriter::flushed_frames() const { return work_->file.flushed(); }

void ResultsWriter::finish(const RunReport& report) {
  if (work_->waiting_frame) work_->hand_over();
  work_->totals = report;
  work_->end();
  if (work_->failed) std::rethrow_exception(work_->failure);
}

}  // namespace esc::io
