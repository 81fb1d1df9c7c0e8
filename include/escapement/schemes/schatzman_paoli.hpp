// The Schatzman-Paoli scheme, acary Eqs (20)-(22): displacements over two steps, contact at position level between
// their ends, Newton's restitution over three of them; no friction. See docs/schemes/schatzman_paoli.md.
#pragma once

#include <memory>
#include <string_view>
#include <tuple>

#include <escapement/executor.hpp>
#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/scheme.hpp>
#include <escapement/schemes/scheme_fields.hpp>
#include <escapement/solvers/cone_solver.hpp>

namespace esc {

struct SchatzmanPaoliOptions {
  double theta = 0.5;                         // [0, 1], where in the step F is taken
  FrameAt frame = FrameAt::end;               // where M and Gb are taken; end as printed in (20a)
  TangentForm tangents = TangentForm::exact;  // in Mhat
  double tol = 1e-10;                         // on the residual of (20a) / h, N s
  double gap_tol = 1e-12;                     // m or rad, on gaps at q_c and joints at q_{k+1}
  int newton_max = 50;
  ConeSolver solver = ConeSolver::automatic;
  double solver_tol = 1e-12;
  double large_island_tol = 0.0;
  int solver_max = 10000;
  double impact_velocity = 1e-9;  // m/s
};

template <>
struct Fields<SchatzmanPaoliOptions> {
  using O = SchatzmanPaoliOptions;
  static constexpr std::string_view owner = "schatzman-paoli";
  static constexpr auto table = std::tuple_cat(
      std::tuple{number("theta", &O::theta, "1", Range{0.0, 1.0},
                        "where in the step F is taken; 0, with frame = begin, is second order between impacts"),
                 choice("frame", &O::frame, frame_names, "where in the step M and the joint rows Gb are taken")},
      tangents_field<O>(), tol_field<O>(), gap_tol_field<O>("Newton tolerance on gaps and joint positions; m or rad"),
      newton_max_field<O>(), solver_fields<O>());
};

ESC_API SchemeTraits traits_of(const SchatzmanPaoliOptions& options);
ESC_API std::unique_ptr<Method> make_method(const System& system, const SchatzmanPaoliOptions& options,
                                            Executor& executor);
// Throws ModelError if a pair of the system has friction.
using SchatzmanPaoli = Configured<SchatzmanPaoliOptions>;

}  // namespace esc
