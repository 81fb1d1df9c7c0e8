// Which solver gets a contact problem, and who is asked next where it fails.
#pragma once

#include <escapement/contact.hpp>
#include <escapement/solvers/cone_solver.hpp>
#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/lemke.hpp>
#include <escapement/solvers/nsgs.hpp>

namespace esc {

struct ImpulseOptions {
  ConeSolver solver = ConeSolver::automatic;
  double tol = 1e-12;
  double large_tol = 1e-4;  // for islands of more than 50 contacts, and where more than 24 do not reach tol
  int max_iterations = 10000;
};

// The cone of a contact's law, by its rows.
inline ConeKind cone_of(const Rows& contact) {
  return contact.rows == 1 ? ConeKind::positive : contact.rows == 2 ? ConeKind::coulomb2 : ConeKind::coulomb3;
}

inline constexpr int dense_contacts = 24;  // beyond, W is stored by blocks

class ConeSolvers {
 public:
  explicit ConeSolvers(const ImpulseOptions& options);
  [[nodiscard]] SolveReport solve(ConeProblem& problem);

 private:
  ConeSolver solver_;
  Enumerate enumerate_;
  Lemke lemke_;
  Nsgs nsgs_;
  Nsgs large_;  // the same with its own tolerance
};

}  // namespace esc
