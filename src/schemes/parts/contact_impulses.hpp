// The contact problem of one Newton iteration: u = W p + b with W = G Mhat^-1 G^T, cut into islands, one ConeProblem
// each.
#pragma once

#include <span>
#include <vector>

#include <escapement/contact.hpp>
#include <escapement/executor.hpp>
#include <escapement/solvers/cone_solver.hpp>
#include <escapement/solvers/enumerate.hpp>
#include <escapement/solvers/lemke.hpp>
#include <escapement/solvers/nsgs.hpp>
#include <escapement/system.hpp>

#include "src/math/block_factor.hpp"

namespace esc {

struct ImpulseOptions {
  ConeSolver solver = ConeSolver::automatic;
  double tol = 1e-12;
  int max_iterations = 10000;
};

class ContactImpulses {
 public:
  ContactImpulses(const System& system, const ImpulseOptions& options, Executor& executor);

  // Which blocks the contacts touch, and the islands. The contacts of the set must stay until the next couple().
  void couple(const ContactSet& set);
  // X = Mhat^-1 G^T for every contact, with the present G.
  void assemble(const BlockFactor& factor);

  struct Outcome {
    bool solved = true;
    int iterations = 0;
    double residual = 0.0;  // worst island
  };
  // P: first guess in, solution out. b by rows: the velocity without contact impulses, plus restitution.
  Outcome solve(std::span<const double> b, std::span<double> P);

  // v += X P.
  void add_velocity(std::span<const double> P, std::span<double> v) const;

  int islands() const { return static_cast<int>(island_start_.size()) - 1; }
  void poison();

 private:
  struct Touch {  // one contact on one block
    int block = 0;
    int x0 = 0;  // first value of its columns, rows x n
  };
  struct Worker {
    ConeProblem problem;
    Enumerate enumerate;
    Lemke lemke;
    Nsgs nsgs;
  };

  void find_touches();
  void find_islands();
  int root(int block);
  std::span<const Touch> touches(int contact) const;
  void add_coupling(int row_contact, int column_contact, double* W, int stride) const;
  void fill(int island, std::span<const double> b, std::span<const double> P, ConeProblem& problem) const;
  void fill_dense(std::span<const int> members, ConeProblem& problem) const;
  void fill_sparse(std::span<const int> members, ConeProblem& problem) const;
  SolveReport solve_one(Worker& worker) const;

  const System& system_;
  ImpulseOptions options_;
  Executor& executor_;
  const ContactSet* set_ = nullptr;
  std::vector<int> touch_start_;
  std::vector<Touch> touches_;
  std::vector<double> X_;
  std::vector<int> parent_;  // union-find over blocks; entries of touched blocks only are valid
  std::vector<int> island_of_block_;
  std::vector<int> island_of_;  // by contact
  std::vector<int> island_start_;
  std::vector<int> members_;  // contacts by island, ascending
  std::vector<Worker> workers_;
  std::vector<SolveReport> reports_;
};

}  // namespace esc
