// System::collect against detection: the same contacts, to the last bit.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/system.hpp>

namespace esc::testing {

inline std::vector<ContactKey> keys_of(const ContactSet& set) {
  std::vector<ContactKey> keys;
  for (const Contact& contact : set.contacts) keys.push_back(contact.key);
  return keys;
}

inline void expect_same_bits(double a, double b) {
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b));
}

inline void expect_same_contacts(const ContactSet& a, const ContactSet& b) {
  ASSERT_EQ(keys_of(a), keys_of(b));
  ASSERT_EQ(a.G.size(), b.G.size());
  ASSERT_EQ(a.g_t.size(), b.g_t.size());
  for (int i = 0; i < a.size(); ++i) {
    const Contact &c = a.contacts[i], &d = b.contacts[i];
    expect_same_bits(c.gap, d.gap);
    for (int k = 0; k < 3; ++k) {
      expect_same_bits(c.point[k], d.point[k]);
      expect_same_bits(c.normal[k], d.normal[k]);
      expect_same_bits(c.tangent[k], d.tangent[k]);
    }
    EXPECT_EQ(c.first_row, d.first_row);
    EXPECT_EQ(c.first_value, d.first_value);
    EXPECT_EQ(c.row_count, d.row_count);
    EXPECT_EQ(c.width, d.width);
    EXPECT_EQ(c.segments.data(), d.segments.data());
    EXPECT_EQ(c.source, d.source);
    EXPECT_EQ(c.item, d.item);
    EXPECT_EQ(c.law.e, d.law.e);
    EXPECT_EQ(c.law.mu, d.law.mu);
  }
}

// Collects what detect() finds within reach: all of it, one by one, and with foreign keys among them.
inline void expect_collected(const System& system, double t, std::span<const double> q, double reach) {
  ContactSet found, collected;
  system.detect(t, q, reach, found);
  std::vector<ContactKey> keys = keys_of(found);
  EXPECT_EQ(system.collect(t, q, keys, collected), found.size());
  expect_same_contacts(collected, found);
  system.evaluate(t, q, found);
  system.evaluate(t, q, collected);
  expect_same_contacts(collected, found);
  for (std::size_t i = 0; i < found.G.size(); ++i) expect_same_bits(collected.G[i], found.G[i]);
  for (std::size_t i = 0; i < found.g_t.size(); ++i) expect_same_bits(collected.g_t[i], found.g_t[i]);

  for (const Contact& contact : found.contacts) {
    ASSERT_EQ(system.collect(t, q, {&contact.key, 1}, collected), 1);
    system.evaluate(t, q, collected);
    expect_same_bits(collected.contacts[0].gap, contact.gap);
  }

  const auto pairs = static_cast<std::uint32_t>(system.pairs());
  for (const ContactKey foreign : {ContactKey{pairs - 1, 0xffffffffu}, {pairs, 0}, {0xffffffffu, 0xffffffffu}})
    keys.push_back(foreign);
  EXPECT_EQ(system.collect(t, q, keys, collected), found.size());
  EXPECT_EQ(keys_of(collected), keys_of(found));
}

}  // namespace esc::testing
