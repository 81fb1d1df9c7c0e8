// Contacts that a step takes up one after the other.
#pragma once

#include <algorithm>

#include <escapement/contact.hpp>

namespace esc {

// set becomes the union, ascending keys; the contacts that it has stay as they are. True if any is new: then lay out
// and evaluate again.
inline bool merge(const ContactSet& found, ContactSet& set) {
  const auto before = [](const Contact& a, const Contact& b) { return a.key < b.key; };
  const auto old = static_cast<std::ptrdiff_t>(set.contacts.size());
  for (const Contact& contact : found.contacts)
    if (!std::binary_search(set.contacts.begin(), set.contacts.begin() + old, contact, before))
      set.contacts.push_back(contact);
  if (static_cast<std::ptrdiff_t>(set.contacts.size()) == old) return false;
  std::sort(set.contacts.begin(), set.contacts.end(), before);  // allocates nothing
  return true;
}

// of: ascending keys.
inline bool contains(const ContactSet& of, ContactKey key) {
  const auto before = [](const Contact& a, ContactKey b) { return a.key < b; };
  const auto found = std::lower_bound(of.contacts.begin(), of.contacts.end(), key, before);
  return found != of.contacts.end() && found->key == key;
}

}  // namespace esc
