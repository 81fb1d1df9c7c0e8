// Loads of closed contacts that rigid bodies do not determine: four feet on a floor, a door that two stops hold.
#include <algorithm>

#include "src/math/text.hpp"
#include "src/study/closed_contacts.hpp"

namespace esc::study {

// With one mu the friction of the group follows from the sum of its loads; with several, who carries how much decides
// whether the body slips.
void look_at_loads(const System& system, const Island& island, const Impulses& impulses, Findings& findings) {
  const std::vector<std::vector<int>> groups = impulses.shared_loads();
  if (groups.empty()) return;
  std::vector<int> all;
  const std::vector<int>* mixed = nullptr;
  double low = 0.0, high = 0.0;
  for (const std::vector<int>& group : groups) {
    all.insert(all.end(), group.begin(), group.end());
    const auto mu = [&](int i) { return island.contacts[i]->law.mu; };
    const auto [least, most] = std::ranges::minmax(group, {}, mu);
    if (mixed || !(mu(most) > (1.0 + 1e-9) * mu(least))) continue;
    mixed = &group;
    low = mu(least);
    high = mu(most);
  }
  std::ranges::sort(all);
  const auto name = [&](int i) { return system.contact_name(island.contacts[i]->key); };
  findings.fact("contacts",
                "the balance of forces does not determine how " + std::to_string(all.size()) +
                    " closed contacts share their load (" + names_of(system, island, all) +
                    "): the forces given are those of least norm",
                name(all.front()));
  if (mixed)
    findings.warn("contacts",
                  "friction at " + names_of(system, island, *mixed) + " is not determined: mu is from " +
                      short_text(low) + " to " + short_text(high) +
                      ", and rigid bodies do not tell how these contacts share their load. Whether they slip, and how "
                      "far, is one of several solutions, which may change with the order in the file. Give them one "
                      "mu, fewer contacts, or an elastic support",
                  name(mixed->front()));
}

}  // namespace esc::study
