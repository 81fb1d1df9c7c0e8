// The contact problem of one Newton iteration: u = W p + b with W = Gc S^-1 Gc^T, cut into islands, one ConeProblem
// each. Joints are eliminated: S is that of the components, and an island is a set of components that contacts connect.
#pragma once

#include <span>
#include <vector>

#include <escapement/contact.hpp>
#include <escapement/executor.hpp>
#include <escapement/system.hpp>

#include "src/schemes/parts/cone_solvers.hpp"
#include "src/schemes/parts/delassus.hpp"
#include "src/schemes/parts/load_sharing.hpp"

namespace esc {

class ContactImpulses {
 public:
  ContactImpulses(const System& system, const ImpulseOptions& options, Workspace workspace);

  // Which components the contacts touch, and the islands. The contacts of the set must stay until the next couple().
  void couple(const ContactSet& set) { W_.couple(set); }
  // X = S^-1 [Gc^T; 0] for every contact, with the present G.
  void assemble(const SystemFactor& factor) { W_.assemble(factor); }

  struct Outcome {
    bool solved = true;
    int iterations = 0;
    double residual = 0.0;  // worst island
    int coarse = 0;         // islands solved to large_island_tol only
  };
  // P: first guess in, solution out. b by rows: the velocity without contact impulses, plus restitution. Where `held`
  // (by contact, all of one row) is not zero, u = 0 and P is free instead.
  Outcome solve(std::span<const double> b, std::span<double> P, std::span<const char> held = {});

  // [v; Lambda] += X P.
  void add_to(std::span<double> v, std::span<double> Lambda, std::span<const double> P) const {
    W_.add_to(v, Lambda, P);
  }

  // Where the impulses P are not the only ones: those of least norm, and the Lambda that belongs to them, for the
  // present G and factors. Islands of more than dense_contacts are left as they are. False: so are all.
  struct Loads {
    std::span<const double> u;  // by rows: what the law is about, at the solution
    double still = 0.0;         // m/s: slower rows do not move
    double closed = 0.0;        // m: such a contact may take up a load
    std::vector<double>& P;
    std::vector<double>& Lambda;
  };
  bool share(const SystemFactor& factor, const Loads& loads);

  int islands() const { return W_.graph().islands(); }

 private:
  struct Worker {
    ConeProblem problem;
    ConeSolvers solvers;
  };
  struct Solved {
    SolveReport report;
    bool coarse = false;
  };

  void fill(int island, std::span<const double> b, std::span<const double> P, std::span<const char> held,
            ConeProblem& problem) const;
  void fill_rows(int island, std::span<const double> b, std::span<const double> P, std::span<const char> held,
                 ConeProblem& problem) const;  // all but W

  LoadSharing::May may(const Contact& contact, const Loads& loads) const;
  bool may_share(int island, const Loads& loads) const;
  bool share(int island, const Loads& loads);  // the island's P of least norm, less what it was, in shared_
  bool alone(const Loads& loads);  // one island, of which W of the last solve() says that nothing can be shared
  void find_may(std::span<const int> members, const Loads& loads);

  // An island of one contact without friction, the commonest of all. False: it is left to the solvers.
  bool solve_alone(int island, std::span<const double> b, std::span<double> P);

  Executor& executor_;
  FrictionShape shape_;
  bool alone_;  // whether solve_alone() may be asked: no solver was named
  double tol_;
  Delassus W_;
  std::vector<Worker> workers_;
  std::vector<Solved> solved_;
  LoadSharing sharing_;
  std::vector<LoadSharing::May> may_;
  std::vector<double>&shared_, &moved_;  // by rows, the change of P; what it does to v, which is round-off
};

}  // namespace esc
