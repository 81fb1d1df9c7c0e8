#include "src/schemes/parts/contact_graph.hpp"

#include <algorithm>

namespace esc {

ContactGraph::ContactGraph(const System& system) : system_(system) {
  const auto components = system.components().size();
  for (auto* list : {&parent_, &island_of_component_, &at_start_, &at_count_}) list->resize(components);
  island_start_.assign(1, 0);
}

void ContactGraph::find(const ContactSet& set) {
  find_touches(set);
  if (set.size() == 1 && members_.size() == 1) return;  // one island of one contact, as before
  find_islands(set.size());
  find_neighbours(set.size());
}

void ContactGraph::find_touches(const ContactSet& set) {
  touch_start_.clear();
  touches_.clear();
  int x0 = 0;
  for (const Contact& contact : set.contacts) {
    const auto first = touches_.size();
    touch_start_.push_back(static_cast<int>(first));
    for (const Segment& segment : contact.segments) {
      const int component = system_.component_of(segment.first);
      const auto same = [&](const Touch& touch) { return touch.component == component; };
      if (std::any_of(touches_.begin() + static_cast<std::ptrdiff_t>(first), touches_.end(), same)) continue;
      const int size = system_.components()[component].n + system_.components()[component].rows;
      touches_.push_back({component, x0, size});
      x0 += contact.row_count * size;
    }
  }
  touch_start_.push_back(static_cast<int>(touches_.size()));
  values_ = x0;
}

int ContactGraph::root(int component) {
  while (parent_[component] != component) component = parent_[component] = parent_[parent_[component]];
  return component;
}

void ContactGraph::find_islands(int contacts) {
  for (const Touch& touch : touches_) {
    parent_[touch.component] = touch.component;
    island_of_component_[touch.component] = -1;
  }
  for (int c = 0; c < contacts; ++c) {
    const auto mine = touches(c);
    for (std::size_t i = 1; i < mine.size(); ++i) parent_[root(mine[i].component)] = root(mine[0].component);
  }
  // Islands are numbered by their first contact, so their order follows the keys.
  island_of_.resize(contacts);
  island_start_.assign(1, 0);
  for (int c = 0; c < contacts; ++c) {
    int& island = island_of_component_[root(touches(c)[0].component)];
    if (island < 0) {
      island = static_cast<int>(island_start_.size()) - 1;
      island_start_.push_back(0);
    }
    island_of_[c] = island;
    ++island_start_[island + 1];
  }
  for (std::size_t i = 1; i < island_start_.size(); ++i) island_start_[i] += island_start_[i - 1];
  members_.resize(contacts);
  for (int c = contacts - 1; c >= 0; --c) members_[--island_start_[island_of_[c] + 1]] = c;
  // The countdown has moved every start one island to the left; move them back.
  for (std::size_t i = 1; i + 1 < island_start_.size(); ++i) island_start_[i] = island_start_[i + 1];
  island_start_.back() = contacts;
}

// Which contacts share a component: the pattern of W.
void ContactGraph::find_neighbours(int contacts) {
  neighbour_start_.assign(1, 0);
  neighbours_.clear();
  if (contacts <= dense_contacts) return;  // every island is dense
  for (const Touch& touch : touches_) at_count_[touch.component] = 0;
  for (const Touch& touch : touches_) ++at_count_[touch.component];
  int start = 0;
  for (const Touch& touch : touches_) {
    if (at_count_[touch.component] < 0) continue;
    at_start_[touch.component] = start;
    start += at_count_[touch.component];
    at_count_[touch.component] = -1;
  }
  contacts_at_.resize(start);
  for (const Touch& touch : touches_) at_count_[touch.component] = 0;
  for (int c = 0; c < contacts; ++c)
    for (const Touch& touch : touches(c)) contacts_at_[at_start_[touch.component] + at_count_[touch.component]++] = c;

  last_seen_.assign(contacts, -1);
  place_.resize(contacts);
  for (int i = 0; i + 1 < static_cast<int>(island_start_.size()); ++i)
    for (int j = island_start_[i]; j < island_start_[i + 1]; ++j) place_[members_[j]] = j - island_start_[i];
  for (int c = 0; c < contacts; ++c) {
    for (const Touch& touch : touches(c))
      for (int k = 0; k < at_count_[touch.component]; ++k) {
        const int d = contacts_at_[at_start_[touch.component] + k];
        if (last_seen_[d] == c) continue;
        last_seen_[d] = c;
        neighbours_.push_back(d);
      }
    std::sort(neighbours_.begin() + neighbour_start_.back(), neighbours_.end());
    neighbour_start_.push_back(static_cast<int>(neighbours_.size()));
  }
}

}  // namespace esc
