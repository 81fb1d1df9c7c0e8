#include "src/schemes/parts/contact_records.hpp"

#include <algorithm>
#include <cmath>

namespace esc {

namespace {

ContactMode mode_of(const Contact& contact, const double* P, const FrictionShape& shape) {
  if (!(P[0] > 0.0)) return ContactMode::open;
  if (contact.row_count == 1) return ContactMode::sliding;
  const double tangential = contact.row_count == 2 ? std::abs(P[1]) : shape.size(P + 1);
  return tangential < contact.law.mu * P[0] * (1.0 - 1e-10) ? ContactMode::sticking : ContactMode::sliding;
}

// How fast the bodies of a contact move, without their spin: the first three of six or two of three velocities.
double speed_of(const Contact& contact, std::span<const double> v) {
  double sum = 0.0;
  for (const Segment& segment : contact.segments) {
    double speed = 0.0;
    const int n = segment.length == 6 ? 3 : segment.length == 3 ? 2 : segment.length;
    for (int i = 0; i < n; ++i) speed = std::hypot(speed, v[segment.first + i]);
    sum += speed;
  }
  return sum;
}

ContactRecord record_of(const Contact& contact) {
  ContactRecord record;
  record.key = contact.key;
  record.rows = static_cast<std::uint8_t>(contact.row_count);
  record.frame = contact;
  return record;
}

}  // namespace

void ContactRecords::guess(const State& x, const ContactSet& set, std::span<double> P) const {
  std::size_t i = 0;
  for (const Contact& contact : set.contacts) {
    while (i < x.contacts.size() && x.contacts[i].key < contact.key) ++i;
    double* rows = P.data() + contact.first_row;
    if (i < x.contacts.size() && x.contacts[i].key == contact.key)
      reexpress(x.contacts[i], contact, rows);
    else
      for (int row = 0; row < contact.row_count; ++row) rows[row] = 0.0;
  }
}

// A contact goes on where another one of its pair was at the end of the last step: the body has rolled over an edge. In
// a step the place moves by as much as the bodies do, twice that at most.
bool ContactRecords::goes_on(const State& x, const Contact& contact, double way) {
  for (const ContactRecord& before : x.contacts) {
    if (before.key.pair != contact.key.pair || before.mode == ContactMode::open) continue;
    double apart = 0.0;
    for (int k = 0; k < 3; ++k) apart = std::hypot(apart, before.frame.point[k] - contact.point[k]);
    if (apart <= way) return true;
  }
  return false;
}

std::span<const Event> ContactRecords::write(State& x, const ContactSet& set, std::span<const double> P,
                                             std::span<const double> U_k, Closing closing) {
  events_.clear();
  next_.clear();
  const auto opened = [&](const ContactRecord& before) {
    if (before.mode != ContactMode::open) events_.push_back({before.key, EventKind::opened, closing.t, 0.0, 0.0});
  };
  std::size_t i = 0;
  for (const Contact& contact : set.contacts) {
    while (i < x.contacts.size() && x.contacts[i].key < contact.key) opened(x.contacts[i++]);
    const bool known = i < x.contacts.size() && x.contacts[i].key == contact.key;
    const bool carried = known && x.contacts[i].mode != ContactMode::open;
    const double* rows = P.data() + contact.first_row;
    const double closing_speed = U_k[contact.first_row];
    ContactRecord& record = next_.emplace_back(record_of(contact));
    std::copy_n(rows, contact.row_count, record.P.begin());
    record.mode = mode_of(contact, rows, shape_);
    record.impact = record.mode != ContactMode::open && !carried && closing_speed < -closing.impact_velocity &&
                    !goes_on(x, contact, 2.0 * (closing.t - x.t) * speed_of(contact, x.v));
    if (record.impact) events_.push_back({contact.key, EventKind::impact, closing.t, closing_speed, rows[0]});
    if (record.mode == ContactMode::open && carried) opened(x.contacts[i]);
    if (known) ++i;
  }
  while (i < x.contacts.size()) opened(x.contacts[i++]);
  x.contacts = next_;
  return events_;
}

void ContactRecords::add_projection(State& x, const ContactSet& set, std::span<const double> tau) {
  next_.clear();
  std::size_t i = 0;
  for (int c = 0; c < set.size(); ++c) {
    const ContactKey key = set.contacts[c].key;
    while (i < x.contacts.size() && x.contacts[i].key < key) next_.push_back(x.contacts[i++]);
    const bool known = i < x.contacts.size() && x.contacts[i].key == key;
    if (!known && tau[c] == 0.0) continue;
    next_.push_back(known ? x.contacts[i++] : record_of(set.contacts[c]));
    next_.back().tau = tau[c];
  }
  while (i < x.contacts.size()) next_.push_back(x.contacts[i++]);
  x.contacts = next_;
}

}  // namespace esc
