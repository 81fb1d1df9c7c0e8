// Which solver gets a contact problem, and who is asked next where it fails.
#pragma once

#include <array>
#include <cstdint>

#include <escapement/friction_cone.hpp>
#include <escapement/scratch.hpp>
#include <escapement/solvers/cone_solver.hpp>
#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/interior_point.hpp>
#include <escapement/solvers/lemke.hpp>
#include <escapement/solvers/newton.hpp>
#include <escapement/solvers/nsgs.hpp>
#include <escapement/solvers/polygons.hpp>
#include <escapement/solvers/proximal.hpp>
#include <escapement/solvers/smoothing.hpp>

#include "src/schemes/parts/contact_graph.hpp"
#include "src/schemes/parts/friction_shape.hpp"

namespace esc {

struct ImpulseOptions {
  ConeSolver solver = ConeSolver::automatic;
  double tol = 1e-12;
  double large_tol = 0.0;  // > 0: the user's wish for islands of more than coarse_contacts
  int max_iterations = 10000;
  bool promised = false;          // whether the rows are velocities whose laws the scheme promises, to within
  double slow = 1e-8;             // m/s: where a slip in space is faster,
  double friction_tol = 5e-10;    // N s: friction opposes it to within this, if rounding permits
  const bool* hurried = nullptr;  // where true, the last resorts are not asked: another attempt follows
  FrictionCone friction_cone = FrictionCone::round;  // of contacts in space
  int friction_directions = 8;                       // of a polygon
};

// Of a scheme's tolerances: the slip from which it promises the direction of friction, and half of what that may lack.
constexpr double slip_of(double frame_tol) { return 10.0 * frame_tol; }
constexpr double friction_of(double tol) { return 5.0 * tol; }

// The options of a scheme that say how its contact problems are solved, which are the same for all of them.
template <class Options>
ImpulseOptions impulse_options(const Options& o) {
  ImpulseOptions options{
      .solver = o.solver, .tol = o.solver_tol, .large_tol = o.large_island_tol, .max_iterations = o.solver_max};
  if constexpr (requires { o.friction_cone; }) {
    options.friction_cone = o.friction_cone;
    options.friction_directions = o.friction_directions;
  }
  return options;
}

class ConeSolvers {
 public:
  explicit ConeSolvers(const ImpulseOptions& options);
  [[nodiscard]] SolveReport solve(ConeProblem& problem);
  // Whether solve() keeps to large_tol for this many contacts.
  bool coarse(std::size_t contacts) const;

 private:
  enum class Attempt : std::uint8_t {
    none,
    guess,
    enumerate,
    newton,
    short_sweeps,
    short_proximal,
    polygons,
    few_sweeps,
    interior_point,
    smoothing,
    proximal,
    sweeps,
    lemke
  };
  enum class Cones : std::uint8_t {
    flat,
    space,
    polygon
  };  // without coulomb3 and polyhedral; with coulomb3; with both
  struct Turn {
    Cones cones;
    std::size_t contacts;  // at most
    std::array<Attempt, 13> attempts;
  };
  static const std::array<Turn, 7> turns;

  static Cones cones_of(const ConeProblem& problem);
  SolveReport attempt(Attempt which, ConeProblem& problem);
  SolveReport solve_in_turn(ConeProblem& problem);
  bool accepts(const ConeProblem& problem, const SolveReport& report) const;
  bool keeps_laws(const ConeProblem& problem) const;

  ImpulseOptions options_;
  Enumerate enumerate_;
  Lemke lemke_;
  Newton newton_;
  Nsgs short_sweeps_;
  Proximal short_proximal_;
  Polygons polygons_;
  Nsgs few_sweeps_;
  InteriorPoint interior_point_;
  InteriorPoint finest_;  // as far as round-off permits
  Smoothing smoothing_;
  Proximal proximal_;
  Nsgs sweeps_;
  Nsgs coarse_;  // to large_tol
  CacheVector guess_;
};

}  // namespace esc
