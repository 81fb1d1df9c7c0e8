// The formulas of one item on a tape, and programs compiled from it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <escapement/ad/lagrange.hpp>
#include <escapement/formula/leaves.hpp>

namespace esc::formula {

constexpr FormulaContents of_position{.time = true, .coordinates = true};
constexpr FormulaContents of_motion{.time = true, .coordinates = true, .velocities = true};
constexpr FormulaContents of_everything{true, true, true, true};

// One text of an item: the field that errors name, and what it is called in messages.
struct Field {
  std::string name;
  std::string_view noun;
  FormulaContents allowed;
};

struct OfTime {};  // there are no coordinates

class Recording {
 public:
  explicit Recording(const FormulaScope& scope);
  Recording(const FormulaScope& scope, OfTime);

  ad::Expr parse(const std::string& text, const Field& field) const;
  // field[0], field[1], ... : `count` of them, or none, which means zeros.
  std::vector<ad::Expr> parse_list(const std::vector<std::string>& texts, const Field& field) const;
  // An empty text is zero.
  ad::Expr parse_optional(const std::string& text, const Field& field) const;

  int n() const { return static_cast<int>(r.q.size()); }
  // d/dt along (1, v) at constant v.
  ad::Expr rate(const ad::Expr& f) const;
  // Inputs of programs: t, q, then v where wanted; all: t, q, v, u.
  std::vector<ad::Expr> position() const;
  std::vector<ad::Expr> motion() const;
  std::vector<ad::Expr> all() const;

  ad::LagrangeRecording r;
  std::vector<int> inputs;  // which u of the System is r.u[i]

 private:
  void name_all(const FormulaScope& scope);

  FormulaNames names_;
};

void append(std::vector<ad::Expr>& list, std::span<const ad::Expr> more);

// Whether any of these has a v in it.
bool depends_on_rates(const Recording& recording, std::span<const ad::Expr> Q);

// F = Q - dV/dq and sq K + sv C by rows, with K = -dF/dq, C = -dF/dv.
struct Tangent {
  std::vector<ad::Expr> force;
  std::vector<ad::Expr> inputs;  // t, q, v, u, sq, sv
  std::vector<ad::Expr> values;
  bool constant = true;  // K and C are
};
Tangent tangent_of(Recording& recording, std::span<const ad::Expr> Q, std::span<const ad::Expr> V_q);

// Where no scratch is given, programs run on the caller's stack.
constexpr int stack_scratch = 2048;  // doubles: inputs, outputs and registers

// Compiles a program that fits there; else FormulaError in this field. Refuses a tape that grew out of hand first.
ad::Program compile_for_stack(const Recording& recording, std::span<const ad::Expr> inputs,
                              std::span<const ad::Expr> outputs, const std::string& field);

// The inputs stand at the start of the scratch; the outputs follow them.
inline const double* run(const ad::Program& program, double* scratch) {
  double* const out = scratch + program.inputs;
  program.run(scratch, out, out + program.outputs);
  return out;
}

// Some entries of a vector one after the other; returns where the next ones go.
inline double* gather(std::span<const Segment> segments, const double* from, double* to) {
  for (const Segment& segment : segments)
    for (int i = 0; i < segment.length; ++i) *to++ = from[segment.first + i];
  return to;
}

}  // namespace esc::formula
