// What theory excludes of the contacts that are closed at the start: a total friction cone that is not pointed (potra
// 9.4, 9.5), and obtuse kinetic angles, for which lecture knows no proof of convergence.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "src/math/text.hpp"
#include "src/study/closed_contacts.hpp"

namespace esc::study {

namespace {

constexpr int most_contacts = 60;  // of an island that is looked at

void look_at_cone(const System& system, const Island& island, const Impulses& impulses, Findings& findings) {
  const std::vector<double> weights = impulses.cancelling(1.0);
  if (weights.empty()) return;
  double mu = 0.0;
  std::vector<int> contacts;
  for (int i = 0; i < static_cast<int>(weights.size()); ++i) {
    if (!(weights[i] > 1e-9)) continue;
    contacts.push_back(i);
    mu = std::max(mu, island.contacts[i]->law.mu);
  }
  const std::string first = system.contact_name(island.contacts[contacts.front()]->key);
  const std::string what = "contact impulses at " + names_of(system, island, contacts) + " cancel" +
                           (impulses.joints() ? ", with those of the joints" : "") +
                           ": nothing bounds them (the friction cone is not pointed), ";
  if (!impulses.cancelling(0.0).empty()) {
    findings.warn("contacts", what + "even without friction; leave play between them", first);
    return;
  }
  double low = 0.0, high = 1.0;
  for (const double above : {1e1, 1e3, 1e5})  // a mu beyond tells little from one far beyond, but round-off
    if (above < mu * high && !impulses.cancelling(above / mu).empty()) high = above / mu;
  while (high - low > 1e-7 * high && mu * high > 1e-6) {  // the limit may be far below mu
    const double middle = 0.5 * (low + high);
    (impulses.cancelling(middle).empty() ? low : high) = middle;
  }
  findings.warn("contacts",
                what + "and the mechanism can jam; it cannot with mu below " + short_text(mu * high) + ", " +
                    short_text(high) + " times what it is",
                first);
}

void look_at_angles(const System& system, const Island& island, const Impulses& impulses, Findings& findings) {
  int obtuse = 0, pairs = 0;
  double largest = 0.0;
  std::string names, first;
  for (int i = 0; i < static_cast<int>(island.contacts.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(island.contacts.size()); ++j) {
      const double angle = impulses.kinetic_angle(i, j);
      ++pairs;
      if (!(angle > 0.5 * std::numbers::pi)) continue;
      ++obtuse;
      if (!(angle > largest)) continue;
      largest = angle;
      first = system.contact_name(island.contacts[i]->key);
      names = "'" + first + "' and '" + system.contact_name(island.contacts[j]->key) + "'";
    }
  if (obtuse > 0)
    findings.fact(
        "contacts",
        std::to_string(obtuse) + " of " + std::to_string(pairs) +
            " pairs of closed contacts have an obtuse kinetic angle, the largest " + names + " with " +
            short_text(largest * 180.0 / std::numbers::pi) +
            " deg: an impulse at one opens the other, and the order of impacts matters; convergence is proven "
            "for acute ones",
        first);
}

}  // namespace

void look_at_cones(const System& system, const ContactSet& set, Findings& findings) {
  const State& x = system.initial_state();
  std::vector<double> scratch(system.scratch_size());
  JointSet joints;
  system.evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, joints);
  for (const Island& island : islands_of(system, set)) {
    int n = 0;
    for (const int c : island.components) n += system.components()[c].n;
    const auto skip = [&](const char* why) {
      findings.fact("contacts", std::to_string(island.contacts.size()) +
                                    " closed contacts that belong together are not looked at for jamming and kinetic "
                                    "angles: " +
                                    why);
    };
    if (n > most_velocities || static_cast<int>(island.contacts.size()) > most_contacts) {
      skip("too many");
      continue;
    }
    const Impulses impulses(system, island, set, joints);
    if (!impulses.ok()) {
      skip("their mass matrix is singular");
      continue;
    }
    look_at_cone(system, island, impulses, findings);
    look_at_angles(system, island, impulses, findings);
    look_at_loads(system, island, impulses, findings);
  }
}

}  // namespace esc::study
