// What a scheme keeps from step to step beside the members of a State, and how it is laid out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace esc {

// One entry of a history: how many numbers it has, and what they are.
struct HistoryField {
  enum class Over : std::uint8_t { number, velocity, joint_row };
  std::string_view name;
  std::string_view unit;  // of a number; "" where each velocity or row has its own
  Over over = Over::number;
  std::string_view doc;
};

// The values, one field after the other.
struct History {
  std::string owner;  // Scheme::owner(): "moreau-jean", or "halve/moreau-jean" where another scheme holds it
  std::vector<double> values;

  bool operator==(const History&) const = default;
};

}  // namespace esc
