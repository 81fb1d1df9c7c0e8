// Between the contact records of a State and the rows of a contact set: warm start in, result and events out.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include <escapement/scheme.hpp>

#include "src/schemes/parts/friction_shape.hpp"

namespace esc {

class ContactRecords {
 public:
  struct Closing {
    double t = 0.0;                // end of the step
    double impact_velocity = 0.0;  // m/s
  };

  explicit ContactRecords(FrictionShape shape = {}) : shape_(std::move(shape)) {}

  // P of the last step for the contacts of the set that have a record, zero for the others.
  void guess(const State& x, const ContactSet& set, std::span<double> P) const;
  // Replaces x.contacts, with the frames of the set as they are now, and tells the events of the step: a contact that
  // newly carries an impulse and closed faster than impact_velocity is an impact, unless another one of its pair
  // carried one at this place: then the pair has changed its feature only. One that carried an impulse before and does
  // not now has opened.
  std::span<const Event> write(State& x, const ContactSet& set, std::span<const double> P, std::span<const double> U_k,
                               Closing closing);
  // Adds the position-level multipliers, by contact of the set; one that is not zero gives a contact
  // without a record one that is open.
  void add_projection(State& x, const ContactSet& set, std::span<const double> tau);

 private:
  static bool goes_on(const State& x, const Contact& contact, double way);

  FrictionShape shape_;
  std::vector<ContactRecord> next_;
  std::vector<Event> events_;
};

}  // namespace esc
