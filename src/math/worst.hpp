// The worst of many values, where a NaN is worse than any number and stays.
#pragma once

namespace esc {

template <class T>
bool is_worse(T value, T worst) {
  return worst == worst && !(value <= worst);
}

template <class T>
void raise(T& worst, T value) {
  if (is_worse(value, worst)) worst = value;
}

}  // namespace esc
