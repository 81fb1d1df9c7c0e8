// Smooth motion, velocities and positions of one Newton iteration in one problem, bruels (43), (44), condensed to P and
// nu_N. With the factors of [M -Gb^T; Gb 0] every row of P gives a column of W, and with friction of shift; every nu_N
// one of shift; and v~ answers to both by y = -S^-1 (h K shift + h C W) / c. G^p, G^v and G^*s are left to the
// iteration.
#pragma once

#include <vector>

#include "src/schemes/parts/alpha_step.hpp"
#include "src/schemes/parts/coupled_rows.hpp"

namespace esc {

class AlphaCoupled {
  Scratch& memory_;

 public:
  AlphaCoupled(const System& system, const ImpulseOptions& options, Scratch& scratch)
      : memory_(scratch), system_(system), rows_(options, scratch) {}

  void note(const AlphaStep& motion);  // W and shift, at which the smooth motion is linearised
  // After AlphaStep::solve() and factor_mass(). Moves v~, v, shift, Lambda, nu; P and tau are first guess and solution.
  // delta leads from the iterate to q~.
  [[nodiscard]] SolveReport solve(AlphaStep& motion, VelocityContacts& contacts, PositionProblem& positions,
                                  const std::vector<double>& delta, Levels levels);
  bool finite() const { return rows_.finite(); }

 private:
  struct Column {  // velocities, then joint rows
    std::span<double> v, rows;
  };
  Column column(std::vector<double>& values, int i) const;
  void find_columns(AlphaStep& motion, const ContactSet& set, const ContactSet& normals);
  void find_base(AlphaStep& motion, PositionProblem& positions, const std::vector<double>& delta, Levels levels);
  void add_solution(AlphaStep& motion, VelocityContacts& contacts, PositionProblem& positions);

  const System& system_;
  CoupledRows rows_;
  std::vector<double>&W_n_ = memory_.vector(), &shift_n_ = memory_.vector(), &W_ = memory_.vector(),
  &shift_ = memory_.vector(), &base_ = memory_.vector(), &X_ = memory_.vector(), &Y_ = memory_.vector(),
  &v_ = memory_.vector(), &way_ = memory_.vector();
  std::vector<char> halved_;  // by unknown: it moves shift by h/2 of what it does to W
};

}  // namespace esc
