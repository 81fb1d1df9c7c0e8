// What the pools of contacts share: how a contact comes into a set, and how detect() and collect() go over the items.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <escapement/model.hpp>
#include <escapement/source.hpp>

namespace esc {

// A contact that a pool has found at one of its items.
struct FoundContact {
  int item = 0;
  std::uint32_t feature = 0;
  int rows = 1;
  double gap = 0.0;  // m
};

// Appends the contact; its point, normal and tangent are those of a gap function until evaluate() says otherwise.
inline void emit(const ContactPlace& place, const FoundContact& found, ContactSet& set) {
  Contact& contact = set.contacts.emplace_back();
  contact.key = {place.pair, found.feature};
  contact.source = place.source;
  contact.row_count = static_cast<std::uint16_t>(found.rows);
  contact.item = found.item;
  contact.segments = place.segments;
  for (const Segment& segment : place.segments) contact.width += segment.length;
  contact.law = place.law;
  contact.gap = found.gap;
}

// Which features of an item are wanted: those within reach, or those with a key.
struct WithinReach {
  double reach = any_gap;
  bool operator()(std::uint32_t, double gap) const { return !(gap > reach); }  // a NaN gap stays, and stops the step
};
struct WithKey {
  std::span<const ContactKey> keys;  // of this item, ascending
  bool operator()(std::uint32_t feature, double) const {
    const auto before = [](ContactKey key, std::uint32_t f) { return key.feature < f; };
    const auto found = std::lower_bound(keys.begin(), keys.end(), feature, before);
    return found != keys.end() && found->feature == feature;
  }
};

// The base of a pool of items, each with a ContactPlace `place`. The pool gives
//   void find(int item, double t, const double* q, const auto& wanted, ContactSet& set) const;
// which emits, features ascending, the contacts of the item for which wanted(feature, gap) holds.
template <class Pool, class Item>
class ContactPool : public ContactSource {
 public:
  void append(Item item) { items_.push_back(std::move(item)); }

  void detect(double t, const double* q, double reach, ContactSet& set) const override {
    const WithinReach wanted{reach};
    for (int i = 0; i < static_cast<int>(items_.size()); ++i) self().find(i, t, q, wanted, set);
  }

  void collect(double t, const double* q, std::span<const ContactKey> keys, ContactSet& set) const override {
    for (std::size_t first = 0; first < keys.size();) {
      std::size_t last = first + 1;
      while (last < keys.size() && keys[last].pair == keys[first].pair) ++last;
      const auto item = static_cast<int>(keys[first].pair - items_.front().place.pair);
      self().find(item, t, q, WithKey{keys.subspan(first, last - first)}, set);
      first = last;
    }
  }

 protected:
  std::vector<Item> items_;  // their pairs have consecutive numbers
  const Pool& self() const { return static_cast<const Pool&>(*this); }
};

// The same for pools that know nothing but gaps: what they pass is sampled. Every item has the same features, 0, 1,
// ..., at all places. double Pool::bend(int item), if there is one, is as in gap.hpp; 0 for gaps that are affine in (t,
// q).
template <class Pool, class Item>
class SampledPool : public ContactPool<Pool, Item> {
 public:
  SweepBound sweep_bound() const override {
    SweepBound bound{std::numeric_limits<double>::infinity(), 0.0};
    for (int i = 0; i < static_cast<int>(items_.size()); ++i) bound.free = std::min(bound.free, free_motion(i));
    return bound;
  }

  void passage(const Sweep& sweep, std::span<const Contact>, Passage& worst) const override {
    for (int i = 0; i < static_cast<int>(items_.size()); ++i) {
      const ContactPlace& place = items_[i].place;
      if (const double free = free_motion(i); free > 0.0 && sweep.size <= free) continue;  // 0: time alone may pass
      double motion = 0.0;
      for (const Segment& segment : place.segments)
        for (int j = 0; j < segment.length; ++j) motion = std::max(motion, std::abs(sweep.way[segment.first + j]));
      Samples(this->self(), i, place.pair, sweep.memory.found)
          .look(sweep, motion * (sweep.held(place.pair) ? Sweep::gentle_if_held : Sweep::gentle), worst);
    }
  }

 protected:
  using ContactPool<Pool, Item>::items_;

 private:
  struct SeenGaps {  // nothing is wanted
    std::vector<double>& gaps;
    bool operator()(std::uint32_t, double gap) const { return (gaps.push_back(gap), false); }
  };

  class Samples final : public GapSamples {
   public:
    Samples(const Pool& pool, int item, std::uint32_t pair, ContactSet& none)
        : pool_(pool), item_(item), pair_(pair), none_(none) {}
    void take(double t, const double* q, std::vector<double>& gaps) const override {
      pool_.find(item_, t, q, SeenGaps{gaps}, none_);
    }
    ContactKey key(int i) const override { return {pair_, static_cast<std::uint32_t>(i)}; }

   private:
    const Pool& pool_;
    int item_;
    std::uint32_t pair_;
    ContactSet& none_;
  };

  // The largest motion s that can only graze: over a part w of the step a gap dips by at most bend s^2 w / 2.
  double free_motion(int item) const {
    if constexpr (requires { this->self().bend(item); })
      return 2.0 * Sweep::gentle / this->self().bend(item);
    else
      return (static_cast<void>(item), 0.0);
  }
};

}  // namespace esc
