// Velocities and positions of one Newton iteration in one problem, acary (53) as corrected in docs/errata.md:
//   v^{n+1} = v_b + X P + Z tau,   U^{n+1} = U_0 + Y tau,
//   X = S^-1 G^T,   Y = N G_N^T,   Z = -h theta S^-1 K_F Y   with the stiffness K_F = -dF/dq,
// where v_b and U_0 already hold the joints. One dense problem over all contacts: cubic in their number.
#pragma once

#include <vector>

#include <escapement/contact.hpp>
#include <escapement/system.hpp>

#include "src/schemes/parts/coupled_rows.hpp"
#include "src/schemes/parts/theta_step.hpp"

namespace esc {

class CoupledProblem {
  Scratch& memory_;

 public:
  CoupledProblem(const System& system, const ImpulseOptions& options, Scratch& scratch)
      : memory_(scratch), system_(system), rows_(options, scratch) {}

  struct Step {
    double h = 0.0, theta = 0.0;
    VelocityContacts& contacts;        // I, with G at the iterate, its law and P
    std::span<const char> held;        // by contact of J
    const std::vector<double>& delta;  // from the iterate to the free position of motion.v, linearised at v^n
  };
  // Moves motion.v, motion.Lambda and motion.shift on; P of the contacts and the multipliers of the positions are first
  // guess and solution.
  [[nodiscard]] SolveReport solve(const Step& step, ThetaStep& motion, PositionProblem& positions);
  bool finite() const { return rows_.finite(); }  // whether what the solver was given is

 private:
  struct Column {  // of X, Y or Z: velocities, then joint rows
    double* v;
    double* rows;
  };
  Column column(std::vector<double>& values, int i) const;
  void find_columns(const Step& step, ThetaStep& motion, const PositionProblem& positions, SystemFactor& N);
  SolveReport solve_rows(const Step& step, const ThetaStep& motion, const PositionProblem& positions);

  const System& system_;
  CoupledRows rows_;
  std::vector<double>&X_ = memory_.vector(), &Y_ = memory_.vector(), &Z_ = memory_.vector(), &U_0_ = memory_.vector(),
  &way_ = memory_.vector(), &work_ = memory_.vector();
};

}  // namespace esc
