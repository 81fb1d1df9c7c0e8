// Calls f with the size as a compile-time constant for the sizes that mechanisms are made of, and as an int otherwise.
#pragma once

#include <type_traits>
#include <utility>

namespace esc {

template <class Function>
decltype(auto) with_size(int n, Function&& f) {
  switch (n) {
    case 1:
      return f(std::integral_constant<int, 1>{});
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    default:
      return f(n);
  }
}

// f(k) for k < n, ascending, until one gives false; whether none did. For a constant n each k is one too: nothing is
// left of this loop, and those inside that begin or end at k unroll.
template <class Function>
bool all_below(int n, Function&& f) {
  for (int k = 0; k < n; ++k)
    if (!f(k)) return false;
  return true;
}
template <int n, class Function>
bool all_below(std::integral_constant<int, n>, Function&& f) {
  return [&]<int... k>(std::integer_sequence<int, k...>) { return (f(std::integral_constant<int, k>{}) && ...); }
  (std::make_integer_sequence<int, n>{});
}

template <class Size, class Function>
void each_below(Size n, Function&& f) {
  all_below(n, [&](auto k) { return (f(k), true); });
}

}  // namespace esc
