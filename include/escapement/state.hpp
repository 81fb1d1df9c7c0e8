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

struct ContactRecord {
  ContactKey key;
  std::array<double, 3> impulse{};  // N s over the last step, world frame (rows N, T1, T2 for a gap function)
  double tau = 0.0;                 // position-level multiplier of schemes that have one
  ContactMode mode = ContactMode::open;

  bool operator==(const ContactRecord&) const = default;
};

struct State {
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

}  // namespace esc
