// Contacts of the Schatzman-Paoli formula: each at the q_c of its own restitution, acary (22).
#pragma once

#include <vector>

#include <escapement/system.hpp>

#include "src/schemes/parts/two_step.hpp"

namespace esc {

class TwoStepContacts {
 public:
  TwoStepContacts(const System& system, Scratch& scratch);

  bool add_closed(TwoStep& motion, double reach, ContactSet& set);  // g(q_c) <= reach; false: the set had them all
  void evaluate(TwoStep& motion, ContactSet& set);                  // g and G, all contacts having one row
  bool inelastic() const;                                           // e = 0 everywhere: q_c = q_{k+1}

 private:
  Scratch& memory_;
  const System& system_;
  CacheVector restitutions_;  // of the system's pairs, each once
  ContactSet& part_;
};

}  // namespace esc
