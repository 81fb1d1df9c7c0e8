// The run-time leaf interfaces: what a System calls, once per pool and evaluation. C++ leaf types reach them through
// the pools in models/; formula tapes and callbacks from other languages implement them directly.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <escapement/block_matrix.hpp>
#include <escapement/contact.hpp>
#include <escapement/export.hpp>
#include <escapement/joint.hpp>
#include <escapement/sweep.hpp>

namespace esc {

// Which tangents enter Mhat. Both lead a Newton loop to the same solution.
enum class TangentForm : std::uint8_t {
  exact,         // K = -dF/dq, C = -dF/dv
  semidefinite,  // potra (10.13), (10.14): springs and dampers without their geometric part, the gyroscopic term F(v)
};
inline constexpr std::array<std::string_view, 2> tangent_form_names{"exact", "semidefinite"};

// Where everything is evaluated; the arrays are those of the whole System.
struct Point {
  double t = 0.0;
  const double* q = nullptr;
  const double* v = nullptr;
  const double* u = nullptr;  // named inputs
  double* scratch = nullptr;  // System::scratch_size() doubles of the caller's
  TangentForm form = TangentForm::exact;
};

struct Energy {
  double kinetic = 0.0;    // J
  double potential = 0.0;  // J
};

// Power of the forces that have no potential, into the system, W.
struct Power {
  double damping = 0.0;
  double applied = 0.0;
};

struct TangentWeights {
  double q = 0.0;  // of K = -dF/dq
  double v = 0.0;  // of C = -dF/dv
  bool operator==(const TangentWeights&) const = default;
};

struct Linearised {
  double* M;
  double* F;
  double* A;  // += q K + v C
};

// Bodies and coordinates. Each item owns its velocities: mass and force write, tangent adds.
class ESC_API BlockSource {
 public:
  virtual ~BlockSource() = default;
  virtual void mass(const Point& at, double* M) const = 0;
  virtual void force(const Point& at, double* F) const = 0;
  virtual void dynamics(const Point& at, double* M, double* F) const = 0;            // mass and force together
  virtual void tangent(const Point& at, double sq, double sv, double* A) const = 0;  // A -= sq dF/dq + sv dF/dv
  // mass, force and tangent at once, for those that share work, as sines of the same angle.
  virtual bool linearises() const { return false; }
  virtual void linearise(const Point& /*at*/, const TangentWeights& /*s*/, const Linearised& /*out*/) const {}
  virtual Energy energy(const Point& at) const = 0;
  virtual Power power(const Point& at) const = 0;
  virtual int scratch_size() const { return 0; }

  // The manifold of q. The defaults are those of a vector space, over the items that compile() says it owns.
  void own(int q0, int v0, int n) { owned_.push_back({q0, v0, n}); }
  virtual bool euclidean() const { return true; }
  virtual void retract(const double* q, const double* xi, double* out) const;
  virtual void difference(const double* q1, const double* q0, double* xi) const;
  virtual void interpolate(const double* q0, const double* q1, double s, double* out) const;

 private:
  struct Owned {
    int q0, v0, n;
  };
  std::vector<Owned> owned_;
};

// Forces between or on blocks: add_force and add_tangent accumulate.
class ESC_API ForceSource {
 public:
  virtual ~ForceSource() = default;
  virtual void add_force(const Point& at, double* F) const = 0;
  virtual void add_tangent(const Point& at, double sq, double sv, double* A) const = 0;
  virtual Energy energy(const Point& at) const = 0;
  virtual Power power(const Point& at) const = 0;
};

// Joints: rows g(t, q) = 0 of the whole System, each source writing its own.
class ESC_API JointSource {
 public:
  virtual ~JointSource() = default;
  virtual void evaluate(const Point& at, JointSet& set) const = 0;
  // d/dt (G v + g_t) at constant v, by rows.
  virtual void curvature(const Point& at, double* out) const = 0;
  // out += d(G^T lambda)/dq w, lambda by rows, w and out by velocities.
  virtual void add_stiffness(const Point& at, const double* lambda, const double* w, double* out) const = 0;

  // For Newton loops, which without the next two take more iterations to the same solution.
  // As evaluate(), from rows evaluated before; lambda comes to exert the same forces by the rows as they are now.
  virtual void reexpress(const Point& at, JointSet& set, double* /*lambda*/) const { evaluate(at, set); }
  // What turning rows add to the iteration matrix of an end q = retract(q_k, s v + ...): A -= s d(G^T lambda)/dq and
  // T += s d(G v)/dq, T laid out as G. Terms that vanish with g and G v may be left out, and forces that reexpress()
  // keeps count as constant.
  virtual void add_frame_tangent(const Point& /*at*/, double /*s*/, const double* /*lambda*/, double* /*A*/,
                                 double* /*T*/) const {}
};

// Contacts. Features are chosen by detect() or collect() and frozen until the next call; within that time gaps are
// smooth.
class ESC_API ContactSource {
 public:
  virtual ~ContactSource() = default;
  // Appends every contact with gap <= reach, ascending keys.
  virtual void detect(double t, const double* q, double reach, ContactSet& set) const = 0;
  // Appends the contacts with these keys, which are of this source and ascend, whatever their gap; a key whose feature
  // detect() does not choose here at any reach is left out. The default detects all contacts and keeps some.
  virtual void collect(double t, const double* q, std::span<const ContactKey> keys, ContactSet& set) const;
  // gap, G, g_t and frame of these contacts, which are this source's part of the set.
  virtual void evaluate(double t, const double* q, std::span<Contact> mine, ContactSet& set) const = 0;
  // d/dt (G v + g_t) at constant v, by rows, into out[contact.first_row + row].
  virtual void curvature(double t, const double* q, const double* v, std::span<const Contact> mine,
                         double* out) const = 0;
  // What a motion between two states may pass unseen, and the deepest passage: `near` are this source's contacts within
  // its reach at the end. The default takes samples of the least gap of every pair.
  virtual SweepBound sweep_bound() const { return {}; }
  virtual void passage(const Sweep& sweep, std::span<const Contact> near, Passage& worst) const;
  // A pair whose start the model cannot mean although no gap shows it.
  struct BadStart {
    std::uint32_t pair;
    std::string_view why;
  };
  virtual std::optional<BadStart> bad_start(const double* /*q*/) const { return std::nullopt; }
};

}  // namespace esc
