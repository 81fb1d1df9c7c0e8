// Calls f with the size as a compile-time constant for the sizes that mechanisms are made of, and as an int otherwise.
#pragma once

#include <type_traits>

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

}  // namespace esc
