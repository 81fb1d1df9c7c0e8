// The fingerprint of a layout: what stands where in the arrays of a State. It is made of names, units and their order
// alone, so that it is the same in every process and on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace esc {

constexpr std::uint64_t no_layout = 0;    // of a State that no System has made
constexpr std::uint64_t left_layout = 1;  // of a System that was moved from: no State has it

// FNV-1a. The lists come in this order: coordinates, velocities, inputs, joint rows, pairs.
class LayoutHash {
 public:
  void number(std::uint64_t n) {
    for (int i = 0; i < 8; ++i) byte(static_cast<unsigned char>(n >> (8 * i)));
  }
  void text(std::string_view text) {
    number(text.size());
    for (const char c : text) byte(static_cast<unsigned char>(c));
  }
  template <class List>
  void texts(const List& list) {
    number(list.size());
    for (const auto& entry : list) text(entry);
  }
  // Of entries with a name and a unit.
  template <class List>
  void named(const List& list) {
    number(list.size());
    for (const auto& entry : list) {
      text(entry.name);
      text(entry.unit);
    }
  }
  std::uint64_t value() const { return hash_ > left_layout ? hash_ : ~hash_; }

 private:
  void byte(unsigned char b) { hash_ = (hash_ ^ b) * 1099511628211u; }
  std::uint64_t hash_ = 14695981039346656037u;
};

}  // namespace esc
