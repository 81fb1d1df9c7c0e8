// Memory that is valid within a step. Every vector, contact set and joint set of a method comes from here, so that
// poison() cannot forget one; scripts/check_tree.py refuses members of these types in src/schemes.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <escapement/contact.hpp>
#include <escapement/executor.hpp>
#include <escapement/joint.hpp>
#include <escapement/stages.hpp>

namespace esc {

using CacheVector = std::vector<double>;  // a member of a method that is not scratch: it outlives a step

class Scratch {
 public:
  StageClock clock;    // for the parts of a method: scratch.clock.enter(Stage::contact)
  int lost_mass = -1;  // the block whose mass they found not positive definite in this step

  // They stay where they are as long as this lives, and may be resized.
  std::vector<double>& vector(int size = 0) { return vectors_.emplace_back(static_cast<std::size_t>(size)); }
  ContactSet& contacts() { return contacts_.emplace_back(); }
  JointSet& joints() { return joints_.emplace_back(); }
  // For memory that is partly a cache, or is not made of doubles.
  void on_poison(std::function<void()> action) { actions_.push_back(std::move(action)); }

  // Every number becomes NaN: a step that reads what it has not written shows it.
  void poison() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto fill = [nan](std::vector<double>& values) { std::fill(values.begin(), values.end(), nan); };
    for (auto& values : vectors_) fill(values);
    for (JointSet& set : joints_)
      for (auto* values : {&set.g, &set.G, &set.g_t}) fill(*values);
    for (ContactSet& set : contacts_) {
      for (auto* values : {&set.G, &set.g_t}) fill(*values);
      for (Contact& contact : set.contacts) contact.gap = nan;
    }
    for (const auto& action : actions_) action();
  }

 private:
  std::deque<std::vector<double>> vectors_;
  std::deque<ContactSet> contacts_;
  std::deque<JointSet> joints_;
  std::vector<std::function<void()>> actions_;
};

// What the parts of a method share.
struct Workspace {
  Scratch& scratch;
  Executor& executor;
};

}  // namespace esc
