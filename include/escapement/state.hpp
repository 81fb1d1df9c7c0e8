// State: everything that a run needs to go on. Copy it to roll back, save it to restart, hash it to compare.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include <escapement/contact.hpp>
#include <escapement/export.hpp>
#include <escapement/history.hpp>

namespace esc {

// What the last step did at one contact. It means the same for gap functions and for shapes.
struct ContactRecord {
  ContactKey key{};
  std::array<double, 3> P{};  // N s over the last step, in the rows N, T1, T2 of its frame; zero beyond `rows`
  std::uint8_t rows = 1;      // 1, 2 or 3
  ContactMode mode = ContactMode::open;
  bool impact = false;   // P is that of an impact: the step has told this event
  double tau = 0.0;      // position-level multiplier of schemes that have one
  ContactFrame frame{};  // in which the law held, as the scheme used it last

  bool operator==(const ContactRecord&) const = default;
};

struct State {
  std::uint64_t layout = 0;             // System::layout() of the System that it belongs to; 0: of none
  double t = 0.0;                       // s
  double h = 0.0;                       // s, length of the last step
  double impulse_time = 0.0;            // s, over which its impulses act: impulse / impulse_time is a mean force
  std::vector<double> q;                // nq, on the manifold
  std::vector<double> v;                // nv
  std::vector<double> u;                // named inputs
  std::vector<ContactRecord> contacts;  // the contacts that the last step treated as active, ascending keys
  std::vector<double> joint_impulse;    // velocity-level multipliers by joint row
  std::vector<double> joint_tau;        // position-level multipliers by joint row
  std::vector<History> histories;       // of the scheme that started this state, and of those that it holds

  bool operator==(const State&) const = default;
};

// Versioned, little-endian, exact. load() throws ModelError on a foreign, truncated or newer file.
ESC_API void save(const State& state, std::ostream& out);
ESC_API State load(std::istream& in);

// Of the exact bits; compares two runs on one machine, never a stored constant.
ESC_API std::uint64_t hash(const State& state);

// The record with this key, or null.
ESC_API const ContactRecord* find(const State& state, ContactKey key);

// The history of this owner, or null.
ESC_API const History* find_history(const State& state, std::string_view owner);
ESC_API History* find_history(State& state, std::string_view owner);

// The impulse of a record in the world frame, and from there in the rows of the contact: its frame at another place.
// For a gap function the world frame is that of its rows.
ESC_API std::array<double, 3> to_world(const ContactRecord& record);
ESC_API void reexpress(const ContactRecord& record, const Contact& contact, double* P);

}  // namespace esc
