// Contacts as data: law, key, and the set of contacts that a scheme works on within a step.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <escapement/export.hpp>

namespace esc {

// How it is used (Newton's or Poisson's impact law, which friction cone) is the scheme's matter.
struct ContactLaw {
  double e = 0.0;   // restitution, [0, 1]
  double mu = 0.0;  // Coulomb friction, >= 0
};

// (pair, feature): stable over a run, so that warm starts survive a changing contact set.
struct ContactKey {
  std::uint32_t pair = 0;
  std::uint32_t feature = 0;
  auto operator<=>(const ContactKey&) const = default;
};

enum class ContactMode : std::uint8_t { open, sticking, sliding };

// Columns [first, first + length) of a row of G.
struct Segment {
  int first = 0;
  int length = 0;
};

// Some rows of G over the same columns. The segments belong to the System and outlive every set.
struct RowBlock {
  int first_row = 0;    // into g_t and every vector over rows
  int first_value = 0;  // into G, row_count x width, row-major
  int width = 0;        // sum of the segments' lengths
  std::uint16_t row_count = 1;
  std::span<const Segment> segments;  // the same for all rows
};

// The point of a contact of which only a gap function is known.
constexpr std::array<double, 3> nowhere{std::numeric_limits<double>::quiet_NaN(),
                                        std::numeric_limits<double>::quiet_NaN(),
                                        std::numeric_limits<double>::quiet_NaN()};

// Where a contact is and how its rows point. Only a gap function is known: nowhere, (1,0,0), (0,1,0).
struct ContactFrame {
  std::array<double, 3> point = nowhere;   // m, world frame, midway between the two surfaces
  std::array<double, 3> normal{1, 0, 0};   // N, world frame
  std::array<double, 3> tangent{0, 1, 0};  // T1; the second one is T2 = N x T1

  ESC_API bool operator==(const ContactFrame& other) const;  // two points are equal, too, where both are nowhere
};

// One contact of a ContactSet. Its rows are N; (N, T) in the plane; or (N, T1, T2).
struct Contact : RowBlock, ContactFrame {
  std::uint16_t source = 0;  // which contact source of the System made it
  int item = 0;              // which item of that source
  ContactKey key;
  ContactLaw law;
  double gap = 0.0;  // m; negative is penetration

  bool operator==(const Contact&) const = delete;  // that of the frame would stand for it
};

struct ESC_API ContactSet {
  std::vector<Contact> contacts;  // ascending keys
  std::vector<double> G;          // G = dg/dq along retract, by rows
  std::vector<double> g_t;        // partial derivative in time: U = G v + g_t

  int size() const { return static_cast<int>(contacts.size()); }
  bool empty() const { return contacts.empty(); }
  int rows() const { return static_cast<int>(g_t.size()); }
  void clear() {
    contacts.clear();
    G.clear();
    g_t.clear();
  }
  void layout();  // after contacts were added or removed: sizes G and g_t, sets first_row and first_value
};

constexpr double any_gap = std::numeric_limits<double>::infinity();  // as a reach: every pair is kept

// sum + a x. The lengths of a ball and of a body in the plane are unrolled: a loop of few turns is mostly its own
// counting.
inline double plus_dot(double sum, const double* a, const double* x, int n) {
  if (n == 1) return sum + a[0] * x[0];
  if (n == 3) return sum + a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
  for (int j = 0; j < n; ++j) sum += a[j] * x[j];
  return sum;
}

// out = G x over the rows of one contact or joint, without g_t: what a change x of v or q does to U or g. Set is a
// ContactSet or a JointSet.
template <class Set>
void times(const Set& set, const RowBlock& block, std::span<const double> x, double* out) {
  const double* G = set.G.data() + block.first_value;
  for (int row = 0; row < block.row_count; ++row) {
    double sum = 0.0;
    for (const Segment& segment : block.segments) {
      sum = plus_dot(sum, G, x.data() + segment.first, segment.length);
      G += segment.length;
    }
    out[row] = sum;
  }
}

// U = G v + g_t over the rows of one contact or joint.
template <class Set>
void velocity(const Set& set, const RowBlock& block, std::span<const double> v, double* U) {
  const double* G = set.G.data() + block.first_value;
  for (int row = 0; row < block.row_count; ++row) {
    double sum = set.g_t[block.first_row + row];
    for (const Segment& segment : block.segments) {
      sum = plus_dot(sum, G, v.data() + segment.first, segment.length);
      G += segment.length;
    }
    U[row] = sum;
  }
}

// f += G^T P over the rows of one contact or joint.
template <class Set>
void add_impulse(const Set& set, const RowBlock& block, const double* P, std::span<double> f) {
  const double* G = set.G.data() + block.first_value;
  for (int row = 0; row < block.row_count; ++row) {
    for (const Segment& segment : block.segments) {
      double* y = f.data() + segment.first;
      const double p = P[row];
      if (segment.length == 3) {
        y[0] += G[0] * p;
        y[1] += G[1] * p;
        y[2] += G[2] * p;
      } else {
        for (int j = 0; j < segment.length; ++j) y[j] += G[j] * p;
      }
      G += segment.length;
    }
  }
}

// Between the rows (N, T1, T2) of a contact and the world frame; missing rows count as zero.
ESC_API std::array<double, 3> to_world(const ContactFrame& frame, int rows, const double* P);
inline std::array<double, 3> to_world(const Contact& contact, const double* P) {
  return to_world(contact, contact.row_count, P);
}
ESC_API void to_rows(const Contact& contact, const std::array<double, 3>& world, double* P);

}  // namespace esc
