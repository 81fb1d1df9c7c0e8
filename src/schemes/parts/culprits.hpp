// Where a failed step is stuck.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include <escapement/contact.hpp>
#include <escapement/step.hpp>
#include <escapement/system.hpp>

namespace esc {

// The contacts and joints with the largest impulses of the last iterate: what jams has them grow. A NaN is the largest.
inline void blame_loaded(const System& system, const ContactSet& set, std::span<const double> P,
                         std::span<const double> Lambda, Culprits& culprits) {
  constexpr int most = Culprits::most;
  const auto size = [](const RowBlock& rows, std::span<const double> of) {
    double largest = 0.0;
    for (int i = rows.first_row; i < rows.first_row + rows.row_count && i < static_cast<int>(of.size()); ++i)
      if (!(std::abs(of[i]) <= largest)) largest = std::isnan(of[i]) ? any_gap : std::abs(of[i]);
    return largest;
  };
  const auto keep = [](auto& list, int& count, double* sizes, auto what, double load) {
    if (!(load > 0.0)) return;
    int place = count;
    while (place > 0 && sizes[place - 1] < load) --place;
    if (place == most) return;
    if (count < most) ++count;
    for (int i = count - 1; i > place; --i) list[i] = list[i - 1], sizes[i] = sizes[i - 1];
    list[place] = what;
    sizes[place] = load;
  };
  double sizes[most] = {}, joint_sizes[most] = {};
  culprits = {};
  for (const Contact& contact : set.contacts)
    keep(culprits.contacts, culprits.contact_count, sizes, contact.key, size(contact, P));
  const auto joints = system.joints();
  for (int i = 0; i < static_cast<int>(joints.size()); ++i)
    keep(culprits.joints, culprits.joint_count, joint_sizes, i, size(joints[i], Lambda));
}

// What a step that passes it has missed.
inline void blame_passed(ContactKey key, Culprits& culprits) {
  culprits = {};
  culprits.contacts[0] = key;
  culprits.contact_count = 1;
}

}  // namespace esc
