#include <escapement/state.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <istream>
#include <limits>
#include <ostream>
#include <utility>

#include <escapement/error.hpp>

namespace esc {

static_assert(std::endian::native == std::endian::little, "the file format is little-endian");
static_assert(std::numeric_limits<double>::is_iec559);

namespace {

constexpr char magic[8] = {'E', 'S', 'C', 'S', 'T', 'A', 'T', 'E'};
constexpr std::uint32_t version = 3;

// One description of the layout serves writing, reading and hashing: visit(value) for plain values and vectors.
template <class S, class Visit>
void visit_fields(S& x, Visit& visit) {
  visit.value(x.layout);
  visit.value(x.t);
  visit.value(x.h);
  visit.value(x.impulse_time);
  visit.doubles(x.q);
  visit.doubles(x.v);
  visit.doubles(x.u);
  visit.records(x.contacts);
  visit.doubles(x.joint_impulse);
  visit.doubles(x.joint_tau);
  visit.histories(x.histories);
}

template <class R, class Visit>
void visit_record(R& record, Visit& visit) {
  visit.value(record.key.pair);
  visit.value(record.key.feature);
  for (auto& component : record.P) visit.value(component);
  visit.value(record.rows);
  visit.value(record.mode);
  visit.flag(record.impact);
  visit.value(record.tau);
  for (auto* vector : {&record.frame.point, &record.frame.normal, &record.frame.tangent})
    for (auto& component : *vector) visit.value(component);
}

template <class H, class Visit>
void visit_history(H& history, Visit& visit) {
  visit.text(history.owner);
  visit.doubles(history.values);
}

template <class Sink>
struct Output {
  Sink sink;
  template <class T>
  void value(const T& x) {
    sink(reinterpret_cast<const char*>(&x), sizeof x);
  }
  void flag(bool x) { value(static_cast<std::uint8_t>(x)); }
  void size(std::size_t n) { value(static_cast<std::uint64_t>(n)); }
  void doubles(const std::vector<double>& x) {
    size(x.size());
    sink(reinterpret_cast<const char*>(x.data()), x.size() * sizeof(double));
  }
  void records(const std::vector<ContactRecord>& x) {
    size(x.size());
    for (const ContactRecord& record : x) visit_record(record, *this);
  }
  void histories(const std::vector<History>& x) {
    size(x.size());
    for (const History& history : x) visit_history(history, *this);
  }
  void text(const std::string& x) {
    size(x.size());
    sink(x.data(), x.size());
  }
};

struct Input {
  std::istream& in;
  void read(char* to, std::size_t n) {
    in.read(to, static_cast<std::streamsize>(n));
    if (in.gcount() != static_cast<std::streamsize>(n)) throw ModelError("state file", "the file is cut short");
  }
  template <class T>
  void value(T& x) {
    read(reinterpret_cast<char*>(&x), sizeof x);
  }
  void flag(bool& x) {
    std::uint8_t found = 0;
    value(found);
    if (found > 1) throw ModelError("state file", "a flag is neither 0 nor 1");
    x = found == 1;
  }
  // Grows as data arrives, so that a damaged size cannot ask for more memory than the file has.
  template <class Vector, class Read>
  void grow(Vector& x, Read read_one) {
    std::uint64_t n = 0;
    value(n);
    x.clear();
    for (std::uint64_t i = 0; i < n; ++i) {
      x.emplace_back();
      read_one(x.back());
    }
  }
  void doubles(std::vector<double>& x) {
    grow(x, [&](double& one) { value(one); });
  }
  void records(std::vector<ContactRecord>& x) {
    grow(x, [&](ContactRecord& one) { visit_record(one, *this); });
  }
  void histories(std::vector<History>& x) {
    grow(x, [&](History& one) { visit_history(one, *this); });
  }
  void text(std::string& x) {
    std::uint64_t n = 0;
    value(n);
    x.clear();
    for (std::uint64_t i = 0; i < n; ++i) {
      char c = 0;
      value(c);
      x.push_back(c);
    }
  }
};

}  // namespace

void save(const State& state, std::ostream& out) {
  out.write(magic, sizeof magic);
  const auto sink = [&](const char* from, std::size_t n) { out.write(from, static_cast<std::streamsize>(n)); };
  Output<decltype(sink)> output{sink};
  output.value(version);
  visit_fields(state, output);
  if (!out) throw ModelError("state file", "writing failed; is there room and permission?");
}

State load(std::istream& in) {
  Input input{in};
  char head[sizeof magic];
  input.read(head, sizeof head);
  if (std::memcmp(head, magic, sizeof magic) != 0) throw ModelError("state file", "this is not a state file");
  std::uint32_t found = 0;
  input.value(found);
  if (found != version)
    throw ModelError("state file", "the file has version " + std::to_string(found) + "; this program reads version " +
                                       std::to_string(version));
  State state;
  visit_fields(state, input);
  for (std::size_t i = 0; i < state.contacts.size(); ++i) {
    if (state.contacts[i].mode > ContactMode::sliding)
      throw ModelError("state file", "contact " + std::to_string(i) + " has a mode that does not exist");
    if (state.contacts[i].rows < 1 || state.contacts[i].rows > 3)
      throw ModelError("state file", "contact " + std::to_string(i) + " has neither 1, 2 nor 3 rows");
    if (i > 0 && !(state.contacts[i - 1].key < state.contacts[i].key))
      throw ModelError("state file", "contact " + std::to_string(i) + " is out of order");
  }
  return state;
}

std::uint64_t hash(const State& state) {
  std::uint64_t h = 14695981039346656037u;  // FNV-1a
  const auto sink = [&](const char* from, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) h = (h ^ static_cast<unsigned char>(from[i])) * 1099511628211u;
  };
  Output<decltype(sink)> output{sink};
  visit_fields(state, output);
  return h;
}

const ContactRecord* find(const State& state, ContactKey key) {
  const auto& list = state.contacts;
  const auto found = std::lower_bound(list.begin(), list.end(), key,
                                      [](const ContactRecord& record, ContactKey k) { return record.key < k; });
  return found != list.end() && found->key == key ? &*found : nullptr;
}

const History* find_history(const State& state, std::string_view owner) {
  for (const History& history : state.histories)
    if (history.owner == owner) return &history;
  return nullptr;
}

History* find_history(State& state, std::string_view owner) {
  return const_cast<History*>(find_history(std::as_const(state), owner));
}

}  // namespace esc
