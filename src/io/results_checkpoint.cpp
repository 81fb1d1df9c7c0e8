#include "src/io/results_checkpoint.hpp"

#include <sstream>

#include "src/io/results_bytes.hpp"
#include "src/io/results_layout.hpp"
#include "src/io/results_rows.hpp"

namespace esc::io {

namespace {

constexpr std::uint32_t version = 1;

}  // namespace

std::string checkpoint_bytes(const State& x, const Continuation& so_far, const StepTable& since) {
  std::string bytes;
  ByteWriter put{bytes};
  put(version);
  put(so_far.start);
  put(so_far.grid);
  for_each_field(so_far.report, [&](const auto& value, const FieldRow&) { put(value); });
  each_column(since, {}, [&](const auto& values, auto&&...) { put(values[0]); });
  std::ostringstream state;
  save(x, state);
  const std::string text = std::move(state).str();
  bytes += text;
  return bytes;
}

bool read_checkpoint(const std::vector<std::uint8_t>& bytes, Checkpoint& to) {
  const char* first = reinterpret_cast<const char*>(bytes.data());
  ByteReader get{first, first + bytes.size()};
  std::uint32_t found = 0;
  get(found);
  if (found != version) return false;
  get(to.continued.start);
  get(to.continued.grid);
  for_each_field(to.continued.report, [&](auto& value, const FieldRow& row) { get(value, row); });
  to.since = empty_steps();
  each_column(to.since, {}, [&](auto& values, auto&&...) { get(values[0]); });
  if (!get.ok) return false;
  std::istringstream state(std::string(get.at, get.end));
  try {
    to.state = load(state);
  } catch (const ModelError&) {
    return false;
  }
  return true;
}

}  // namespace esc::io
