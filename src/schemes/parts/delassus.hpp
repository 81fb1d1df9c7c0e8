// The values of W = Gc S^-1 Gc^T by the pattern of a ContactGraph, from X = S^-1 [Gc^T; 0].
#pragma once

#include <span>
#include <vector>

#include <escapement/cone_problem.hpp>
#include <escapement/contact.hpp>
#include <escapement/scratch.hpp>
#include <escapement/system.hpp>

#include "src/model/system_factor.hpp"
#include "src/schemes/parts/contact_graph.hpp"

namespace esc {

class Delassus {
 public:
  Delassus(const System& system, Scratch& scratch) : system_(system), graph_(system), X_(scratch.vector()) {}

  // The contacts of the set must stay until the next couple().
  void couple(const ContactSet& set) {
    set_ = &set;
    graph_.find(set);
  }
  void assemble(const SystemFactor& factor);  // X for every contact, with the present G
  double diagonal(int contact) const;         // W of a contact of one row alone
  // W among these members of an island; the cones of the problem are theirs.
  void fill_dense(std::span<const int> members, ConeProblem& problem) const;
  void fill_sparse(std::span<const int> members, ConeProblem& problem) const;
  // [v; Lambda] += X P.
  void add_to(std::span<double> v, std::span<double> Lambda, std::span<const double> P) const;

  const ContactGraph& graph() const { return graph_; }
  const ContactSet& set() const { return *set_; }

 private:
  void add_coupling(int row_contact, int column_contact, double* W, int stride) const;

  const System& system_;
  const ContactSet* set_ = nullptr;
  ContactGraph graph_;
  std::vector<double>& X_;
};

}  // namespace esc
