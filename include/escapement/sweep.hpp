// The motion from one state to the next, and what is passed on the way: a pair that was open at both ends of a step and
// deep in between has gone through. docs/certificate.md has the rule.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <escapement/contact.hpp>
#include <escapement/export.hpp>

namespace esc {

class System;

// The deepest passage of a step; depth 0: none.
struct Passage {
  ContactKey key;
  double depth = 0.0;  // m or rad, as the gap

  void see(ContactKey at, double found) {
    if (found > depth) *this = {at, found};
  }
};

// What a contact source knows of all its pairs. Sizes of motions are max |h v|.
struct SweepBound {
  double free = 0.0;   // motions of this size and less pass nothing
  double reach = 0.0;  // in a motion of size s only pairs with gaps up to reach s at its end can be passed; infinite:
                       // any pair
};

// Which pairs carry an impulse. An object of the caller's with a function of its pairs.
struct HeldPairs {
  const void* of = nullptr;
  bool (*holds)(const void* of, std::uint32_t pair) = nullptr;
  bool operator()(std::uint32_t pair) const { return holds && holds(of, pair); }
};

// q(s) = interpolate(q0, q1, s) and t(s), s from 0 to 1. The arrays are those of the whole System, the memory is the
// caller's.
struct ESC_API Sweep {
  // How deep a passage is at least, as a part of the size of the pair: for a sphere of this size, an approach at 1/16
  // of the speed; with an impulse, at 1/2.
  static constexpr double shallow = 1.0 / 512.0, shallow_if_held = 1.0 / 8.0;
  // Of gaps without a size: how far they fall, as a part of the largest displacement over the way down. A smooth dip
  // begins twice as steep.
  static constexpr double gentle = 1.0 / 64.0, gentle_if_held = 1.0 / 8.0;

  struct Memory {
    std::vector<double>&q, &gaps, &samples;
    ContactSet& found;
  };

  const System& system;
  double t0, t1;
  const double *q0, *q1;
  const double* way;  // h times the velocities of the step: more than half a turn shows only here
  double size;        // max |way|, and what moves the positions beside it
  double tol;         // m; gaps down to -tol count as closed
  HeldPairs held;
  Memory memory;
  std::span<const double> dv = {};  // change of the velocities over the step; empty: none

  double graze(std::uint32_t pair) const { return held(pair) ? shallow_if_held : shallow; }
  double time(double s) const { return (1.0 - s) * t0 + s * t1; }
  const double* position(double s) const;  // in memory.q, until the next call
};

// Gaps of which only values are known. Where they are at least twice their change over the ends and the middle of the
// step nothing is passed. The others are taken at eight equal parts, and the smallest inner one is followed to its
// minimum by golden section. A dip that no sample shows is not seen.
class ESC_API GapSamples {
 public:
  virtual ~GapSamples() = default;
  virtual void take(double t, const double* q, std::vector<double>& gaps) const = 0;  // as many at every place
  virtual ContactKey key(int i) const = 0;                                            // of gap i
  // A dip counts if it falls by more per part of the step than `graze`, a part of the largest displacement, and what
  // the bend of the way explains: docs/certificate.md.
  void look(const Sweep& sweep, double graze, Passage& worst) const;
};

}  // namespace esc
