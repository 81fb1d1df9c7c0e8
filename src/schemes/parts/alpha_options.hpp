// What the options of the generalized-alpha schemes say to their parts, and what these schemes promise.
#pragma once

#include <escapement/promise.hpp>

#include "src/schemes/parts/alpha_corrections.hpp"
#include "src/schemes/parts/alpha_parameters.hpp"

namespace esc {

template <class Options>
Levels levels_of(const Options& o) {
  if constexpr (requires { o.levels; })
    return o.levels;
  else
    return Levels::both;
}

template <class Options>
GapLaw gap_law_of(const Options& o) {
  if constexpr (requires { o.gap_law; })
    return o.gap_law;
  else
    return GapLaw::nu;
}

template <class Options>
AlphaEquations alpha_equations(const Options& o) {
  AlphaEquations equations;
  set_chung_hulbert(equations, o.rho_inf);
  equations.levels = levels_of(o);
  equations.prediction = o.prediction;
  equations.activation_tolerance = o.tol_p;
  equations.friction_cone = o.friction_cone;
  equations.friction_directions = o.friction_directions;
  equations.gap_law = gap_law_of(o);
  return equations;
}

template <class Options>
CorrectionOptions correction_options(const Options& o) {
  ImpulseOptions impulses = impulse_options(o);
  impulses.promised = true;
  impulses.slow = slip_of(o.tol_v);
  impulses.friction_tol = friction_of(o.tol_s);
  return {.contacts = {impulses},
          .levels = levels_of(o),
          .prediction = o.prediction,
          .gap_law = gap_law_of(o),
          .tol_s = o.tol_s,
          .tol_p = o.tol_p,
          .tol_v = o.tol_v,
          .impact_velocity = o.impact_velocity};
}

template <class Options>
Promise alpha_promise(const Options& o) {
  Promise promise;
  promise.equations = alpha_equations(o);
  const bool both = levels_of(o) == Levels::both;
  promise.gap = both ? GapPromise::nonnegative : GapPromise::measured;
  promise.joints = both ? JointPromise::position_and_velocity : JointPromise::velocity;
  promise.tol = {.gap = 2.0 * o.tol_p,
                 .joint = 2.0 * o.tol_p,
                 .momentum = 10.0 * o.tol_s,
                 .velocity = 10.0 * o.tol_v,
                 .position = 10.0 * o.tol_p};
  return promise;
}

}  // namespace esc
