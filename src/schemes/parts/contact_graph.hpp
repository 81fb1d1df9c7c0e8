// Which contacts meet: the components that each touches, the islands of contacts that components connect, and inside an
// island the contacts that share a component with each other. Integers only; the values are those of Delassus.
#pragma once

#include <span>
#include <vector>

#include <escapement/contact.hpp>
#include <escapement/system.hpp>

namespace esc {

inline constexpr int dense_contacts = 24;  // islands of more contacts have W by blocks

class ContactGraph {
 public:
  explicit ContactGraph(const System& system);

  void find(const ContactSet& set);

  struct Touch {  // one contact on one component
    int component = 0;
    int x0 = 0;    // first value of its columns, rows x size
    int size = 0;  // velocities and joint rows of the component
  };
  std::span<const Touch> touches(int contact) const {
    return {touches_.data() + touch_start_[contact], touches_.data() + touch_start_[contact + 1]};
  }
  int values() const { return values_; }  // of the columns of all touches

  int islands() const { return static_cast<int>(island_start_.size()) - 1; }  // numbered by their first contact
  std::span<const int> members(int island) const {                            // contacts, ascending
    return {members_.data() + island_start_[island], members_.data() + island_start_[island + 1]};
  }

  // The pattern of W; only where the set has more than dense_contacts.
  std::span<const int> neighbours(int contact) const {  // that share a component with it, ascending; itself, too
    return {neighbours_.data() + neighbour_start_[contact], neighbours_.data() + neighbour_start_[contact + 1]};
  }
  int place(int contact) const { return place_[contact]; }  // among the members of its island

 private:
  void find_touches(const ContactSet& set);
  void find_islands(int contacts);
  void find_neighbours(int contacts);
  int root(int component);

  const System& system_;
  std::vector<int> touch_start_;
  std::vector<Touch> touches_;
  int values_ = 0;
  std::vector<int> parent_;  // union-find over components; entries of touched ones only are valid
  std::vector<int> island_of_component_;
  std::vector<int> at_start_;  // by component: its contacts, contacts_at_[at_start_[c] ... ], count at_count_[c]
  std::vector<int> at_count_;
  std::vector<int> contacts_at_;
  std::vector<int> neighbour_start_;  // by contact
  std::vector<int> neighbours_;
  std::vector<int> last_seen_;  // by contact
  std::vector<int> place_;      // by contact
  std::vector<int> island_of_;  // by contact
  std::vector<int> island_start_;
  std::vector<int> members_;
};

}  // namespace esc
