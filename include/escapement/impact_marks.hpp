// Which impulses of a step are those of impacts. Impulse / time is a mean force only where no impact acts: an impact at
// one contact is answered within the step by everything that it reaches, through joints, implicit forces and the
// contacts that are active in the step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <escapement/export.hpp>
#include <escapement/promise.hpp>
#include <escapement/system.hpp>

namespace esc {

enum class ImpactMark : std::uint8_t {
  none,  // impulse / State::impulse_time is a mean force
  own,   // the contact itself had an impact
  near,  // an impact elsewhere reaches it
};

// Equations with contact at position level spread an impact over the step in which it is told and the next one.
enum class SpreadImpacts : bool { no, yes };
[[nodiscard]] ESC_API SpreadImpacts spread_impacts(std::span<const Promise> promises);

class ESC_API ImpactMarks {
 public:
  explicit ImpactMarks(const System& system, SpreadImpacts spread = SpreadImpacts::no);
  explicit ImpactMarks(System&&, SpreadImpacts = SpreadImpacts::no) = delete;  // must outlive this

  // Of a step, by the records that its two states have. Nothing is allocated once the lists have grown.
  void find(const State& before, const State& after);
  ImpactMark contact(std::size_t record) const { return contacts_[record]; }  // by the place in after.contacts
  bool joint(std::size_t joint) const { return hit_[joint_component_[joint]] != 0; }

 private:
  int root(int component);
  int component_of(const ContactRecord& record) const;
  void unite(const ContactRecord& record);
  void hit(const State& x);

  const System& system_;
  SpreadImpacts spread_;
  std::vector<int> joint_component_;
  std::vector<int> parent_;  // union-find over components
  std::vector<char> hit_;    // by component
  std::vector<ImpactMark> contacts_;
};

}  // namespace esc
