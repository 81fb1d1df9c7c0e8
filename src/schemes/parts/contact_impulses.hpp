// The contact problem of one Newton iteration: u = W p + b with W = Gc K^-1 Gc^T, cut into islands, one ConeProblem
// each. Joints are eliminated: K is that of the components, and an island is a set of components that contacts connect.
#pragma once

#include <span>
#include <vector>

#include <escapement/contact.hpp>
#include <escapement/executor.hpp>
#include <escapement/system.hpp>

#include "src/model/system_factor.hpp"
#include "src/schemes/parts/cone_solvers.hpp"

namespace esc {

class ContactImpulses {
 public:
  ContactImpulses(const System& system, const ImpulseOptions& options, Executor& executor);

  // Which components the contacts touch, and the islands. The contacts of the set must stay until the next couple().
  void couple(const ContactSet& set);
  // X = K^-1 [Gc^T; 0] for every contact, with the present G.
  void assemble(const SystemFactor& factor);

  struct Outcome {
    bool solved = true;
    int iterations = 0;
    double residual = 0.0;  // worst island
  };
  // P: first guess in, solution out. b by rows: the velocity without contact impulses, plus restitution. Where `held`
  // (by contact, all of one row) is not zero, u = 0 and P is free instead.
  Outcome solve(std::span<const double> b, std::span<double> P, std::span<const char> held = {});

  // [v; Lambda] += X P.
  void add_to(std::span<double> v, std::span<double> Lambda, std::span<const double> P) const;

  int islands() const { return static_cast<int>(island_start_.size()) - 1; }
  void poison();

 private:
  struct Touch {  // one contact on one component
    int component = 0;
    int x0 = 0;    // first value of its columns, rows x size
    int size = 0;  // velocities and joint rows of the component
  };
  struct Worker {
    ConeProblem problem;
    ConeSolvers solvers;
  };

  void find_touches();
  void find_islands();
  void find_neighbours();
  int root(int component);
  std::span<const Touch> touches(int contact) const;
  void add_coupling(int row_contact, int column_contact, double* W, int stride) const;
  void fill(int island, std::span<const double> b, std::span<const double> P, std::span<const char> held,
            ConeProblem& problem) const;
  void fill_dense(std::span<const int> members, ConeProblem& problem) const;
  void fill_sparse(std::span<const int> members, ConeProblem& problem) const;
  std::span<const int> neighbours(int contact) const;

  const System& system_;
  Executor& executor_;
  FrictionShape shape_;
  const ContactSet* set_ = nullptr;
  std::vector<int> touch_start_;
  std::vector<Touch> touches_;
  std::vector<double> X_;
  std::vector<int> parent_;  // union-find over components; entries of touched ones only are valid
  std::vector<int> island_of_component_;
  std::vector<int> at_start_;  // by component: its contacts, contacts_at_[at_start_[c] ... ], count at_count_[c]
  std::vector<int> at_count_;
  std::vector<int> contacts_at_;
  std::vector<int> neighbour_start_;  // by contact: the contacts that share a component with it, ascending
  std::vector<int> neighbours_;
  std::vector<int> last_seen_;  // by contact
  std::vector<int> place_;      // of a contact among the members of its island
  std::vector<int> island_of_;  // by contact
  std::vector<int> island_start_;
  std::vector<int> members_;  // contacts by island, ascending
  std::vector<Worker> workers_;
  std::vector<SolveReport> reports_;
};

}  // namespace esc
