#include <escapement/impact_marks.hpp>

#include <algorithm>
#include <numeric>

namespace esc {

SpreadImpacts spread_impacts(std::span<const Promise> promises) {
  const auto spreads = [](const Promise& promise) { return equation_traits(promise.equations).spreads_impacts; };
  return std::ranges::any_of(promises, spreads) ? SpreadImpacts::yes : SpreadImpacts::no;
}

ImpactMarks::ImpactMarks(const System& system, SpreadImpacts spread)
    : system_(system), spread_(spread), parent_(system.components().size()), hit_(system.components().size()) {
  for (const Joint& joint : system.joints()) joint_component_.push_back(system.component_of(joint.segments[0].first));
}

int ImpactMarks::root(int component) {
  while (parent_[component] != component) component = parent_[component] = parent_[parent_[component]];
  return component;
}

int ImpactMarks::component_of(const ContactRecord& record) const {
  return system_.component_of(system_.pair_segments(record.key.pair)[0].first);
}

// What the contact joins. Ground does not: it has no columns.
void ImpactMarks::unite(const ContactRecord& record) {
  for (const Segment& segment : system_.pair_segments(record.key.pair))
    parent_[root(system_.component_of(segment.first))] = root(component_of(record));
}

void ImpactMarks::hit(const State& x) {
  for (const ContactRecord& record : x.contacts)
    if (record.impact) hit_[root(component_of(record))] = 1;
}

void ImpactMarks::find(const State& before, const State& after) {
  const auto any = [](const State& x) { return std::ranges::any_of(x.contacts, &ContactRecord::impact); };
  const bool still = spread_ == SpreadImpacts::yes && any(before);
  contacts_.assign(after.contacts.size(), ImpactMark::none);
  std::ranges::fill(hit_, 0);
  if (!still && !any(after)) return;

  std::iota(parent_.begin(), parent_.end(), 0);
  for (const ContactRecord& record : after.contacts) unite(record);
  hit(after);
  if (still) hit(before);
  for (int c = 0; c < static_cast<int>(hit_.size()); ++c) hit_[c] = hit_[root(c)];
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const ContactRecord& record = after.contacts[i];
    contacts_[i] = record.impact                     ? ImpactMark::own
                   : hit_[component_of(record)] != 0 ? ImpactMark::near
                                                     : ImpactMark::none;
  }
}

}  // namespace esc
