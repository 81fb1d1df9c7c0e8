// Forward-mode automatic differentiation: a value and its derivatives in N directions.
//
// Dual<N> carries a first derivative, Dual<M, Dual<N>> a second one, and so on. Generic code that writes
// `using std::sin; sin(x)` works with double and with every Dual; operators and functions are found by argument.
//
// Derivatives follow the chain rule in IEEE arithmetic and singular points are not patched:
//   sqrt(0)           infinite slope (NaN in a direction that does not move the argument)
//   asin, acos (+-1)  infinite slope (NaN likewise)
//   atan2(0,0), hypot(0,0)   NaN
//   pow(x, y), both moving   x > 0; elsewhere the slope along y is NaN
//   abs(0)            slope 0;  min, max at a tie: the first argument, as std::min and std::max
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <type_traits>

namespace esc::ad {

template <int N, class S = double>
struct Dual {
  S value{};
  std::array<S, N> d{};

  constexpr Dual() = default;
  constexpr Dual(double v) : value(v) {}  // a constant: no derivative
  constexpr Dual(const S& v) requires(!std::is_same_v<S, double>) : value(v) {}

  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  // f with slope df along x; f with slopes fx, fy along x and y.
  static constexpr Dual chain(const S& f, const S& df, const Dual& x) {
    Dual r(f);
    for (int i = 0; i < N; ++i) r.d[i] = df * x.d[i];
    return r;
  }
  static constexpr Dual chain(const S& f, const S& fx, const Dual& x, const S& fy, const Dual& y) {
    Dual r(f);
    for (int i = 0; i < N; ++i) r.d[i] = fx * x.d[i] + fy * y.d[i];
    return r;
  }

  friend constexpr Dual operator+(const Dual& a) { return a; }
  friend constexpr Dual operator-(const Dual& a) {
    Dual r(-a.value);
    for (int i = 0; i < N; ++i) r.d[i] = -a.d[i];
    return r;
  }

  friend constexpr Dual operator+(const Dual& a, const Dual& b) {
    Dual r(a.value + b.value);
    for (int i = 0; i < N; ++i) r.d[i] = a.d[i] + b.d[i];
    return r;
  }
  friend constexpr Dual operator+(const Dual& a, double b) {
    Dual r = a;
    r.value = a.value + b;
    return r;
  }
  friend constexpr Dual operator+(double a, const Dual& b) { return b + a; }

  friend constexpr Dual operator-(const Dual& a, const Dual& b) {
    Dual r(a.value - b.value);
    for (int i = 0; i < N; ++i) r.d[i] = a.d[i] - b.d[i];
    return r;
  }
  friend constexpr Dual operator-(const Dual& a, double b) {
    Dual r = a;
    r.value = a.value - b;
    return r;
  }
  friend constexpr Dual operator-(double a, const Dual& b) {
    Dual r(a - b.value);
    for (int i = 0; i < N; ++i) r.d[i] = -b.d[i];
    return r;
  }

  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    return chain(a.value * b.value, b.value, a, a.value, b);
  }
  friend constexpr Dual operator*(const Dual& a, double b) {
    Dual r(a.value * b);
    for (int i = 0; i < N; ++i) r.d[i] = a.d[i] * b;
    return r;
  }
  friend constexpr Dual operator*(double a, const Dual& b) { return b * a; }

  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    const S ratio = a.value / b.value;
    const S inverse = 1.0 / b.value;
    Dual r(ratio);
    for (int i = 0; i < N; ++i) r.d[i] = (a.d[i] - ratio * b.d[i]) * inverse;
    return r;
  }
  friend constexpr Dual operator/(const Dual& a, double b) {
    Dual r(a.value / b);
    for (int i = 0; i < N; ++i) r.d[i] = a.d[i] / b;
    return r;
  }
  friend constexpr Dual operator/(double a, const Dual& b) {
    const S ratio = a / b.value;
    return chain(ratio, -ratio / b.value, b);
  }

  friend constexpr Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const S r2 = x.value * x.value + y.value * y.value;
    return chain(atan2(y.value, x.value), x.value / r2, y, -y.value / r2, x);
  }
  friend constexpr Dual atan2(const Dual& y, double x) { return atan2(y, Dual(x)); }
  friend constexpr Dual atan2(double y, const Dual& x) { return atan2(Dual(y), x); }

  friend constexpr Dual hypot(const Dual& x, const Dual& y) {
    using std::hypot;
    const S r = hypot(x.value, y.value);
    return chain(r, x.value / r, x, y.value / r, y);
  }
  friend constexpr Dual hypot(const Dual& x, double y) { return hypot(x, Dual(y)); }
  friend constexpr Dual hypot(double x, const Dual& y) { return hypot(Dual(x), y); }

  // x^n by repeated squaring: exact for every sign of x, n = 0 gives 1.
  friend constexpr Dual pow(const Dual& x, int n) {
    if (n == 0) return Dual(1.0);
    const long long magnitude = n < 0 ? -static_cast<long long>(n) : n;
    S power(1.0);  // x^(|n|-1)
    S square = x.value;
    for (long long bits = magnitude - 1; bits != 0; bits /= 2) {
      if (bits % 2 != 0) power = power * square;
      square = square * square;
    }
    const Dual r = chain(power * x.value, power * static_cast<double>(magnitude), x);
    return n > 0 ? r : 1.0 / r;
  }
  friend constexpr Dual pow(const Dual& x, double e) {
    using std::pow;
    return chain(S(pow(x.value, e)), S(e * pow(x.value, e - 1.0)), x);
  }
  friend constexpr Dual pow(const Dual& x, const Dual& y) {
    using std::log;
    using std::pow;
    const S f = pow(x.value, y.value);
    return chain(f, y.value * pow(x.value, y.value - 1.0), x, f * log(x.value), y);
  }
  friend constexpr Dual pow(double x, const Dual& y) {
    using std::pow;
    const S f = pow(x, y.value);
    return chain(f, f * std::log(x), y);
  }

  friend constexpr Dual min(const Dual& a, const Dual& b) { return b < a ? b : a; }
  friend constexpr Dual min(const Dual& a, double b) { return b < a ? Dual(b) : a; }
  friend constexpr Dual min(double a, const Dual& b) { return b < a ? b : Dual(a); }
  friend constexpr Dual max(const Dual& a, const Dual& b) { return a < b ? b : a; }
  friend constexpr Dual max(const Dual& a, double b) { return a < b ? Dual(b) : a; }
  friend constexpr Dual max(double a, const Dual& b) { return a < b ? b : Dual(a); }

  // The branch that generic code shares with the recording scalar of expr.hpp.
  friend constexpr Dual where(bool condition, const Dual& a, const Dual& b) { return condition ? a : b; }
  friend constexpr Dual where(bool condition, const Dual& a, double b) { return condition ? a : Dual(b); }
  friend constexpr Dual where(bool condition, double a, const Dual& b) { return condition ? Dual(a) : b; }
};

constexpr double where(bool condition, double a, double b) { return condition ? a : b; }

template <class T>
inline constexpr bool is_dual = false;
template <int N, class S>
inline constexpr bool is_dual<Dual<N, S>> = true;

// The number under all derivatives.
constexpr double value(double x) { return x; }
template <int N, class S>
constexpr double value(const Dual<N, S>& x) {
  return value(x.value);
}

// x with derivative 1 in direction i: seed<3>(x, i) is a Dual<3>; seed<1>(seed<3>(x, i), 0) a Dual<1, Dual<3>>.
template <int N, class S>
constexpr auto seed(const S& x, int i) {
  using Scalar = std::conditional_t<std::is_arithmetic_v<S>, double, S>;
  Dual<N, Scalar> r(static_cast<Scalar>(x));
  r.d[i] = Scalar(1.0);
  return r;
}

template <class A, class B>
concept DualPair = (is_dual<A> && (is_dual<B> || std::is_arithmetic_v<B>)) || (std::is_arithmetic_v<A> && is_dual<B>);

// Comparisons look at the value only.
template <class A, class B>
requires DualPair<A, B>
constexpr bool operator<(const A& a, const B& b) { return value(a) < value(b); }
template <class A, class B>
requires DualPair<A, B>
constexpr bool operator<=(const A& a, const B& b) { return value(a) <= value(b); }
template <class A, class B>
requires DualPair<A, B>
constexpr bool operator>(const A& a, const B& b) { return value(a) > value(b); }
template <class A, class B>
requires DualPair<A, B>
constexpr bool operator>=(const A& a, const B& b) { return value(a) >= value(b); }
template <class A, class B>
requires DualPair<A, B>
constexpr bool operator==(const A& a, const B& b) { return value(a) == value(b); }

// Sine and cosine by one call.
constexpr void sincos(double x, double& s, double& c) {
#if defined(__GLIBC__)
  if (!std::is_constant_evaluated()) {
#if __has_builtin(__builtin_sincos)
    __builtin_sincos(x, &s, &c);  // the compiler knows it, and calls it once for several of one argument
#else
    ::sincos(x, &s, &c);
#endif
    return;
  }
#endif
  s = std::sin(x);
  c = std::cos(x);
}
template <int N, class S>
constexpr void sincos(const Dual<N, S>& x, Dual<N, S>& s, Dual<N, S>& c) {
  S sine, cosine;
  sincos(x.value, sine, cosine);
  const Dual<N, S> argument = x;  // s or c may be x itself
  s = Dual<N, S>::chain(sine, cosine, argument);
  c = Dual<N, S>::chain(cosine, -sine, argument);
}

template <int N, class S>
constexpr Dual<N, S> sin(const Dual<N, S>& x) {
  S s, c;
  sincos(x.value, s, c);
  return Dual<N, S>::chain(s, c, x);
}
template <int N, class S>
constexpr Dual<N, S> cos(const Dual<N, S>& x) {
  S s, c;
  sincos(x.value, s, c);
  return Dual<N, S>::chain(c, -s, x);
}
template <int N, class S>
constexpr Dual<N, S> tan(const Dual<N, S>& x) {
  using std::tan;
  const S f = tan(x.value);
  return Dual<N, S>::chain(f, 1.0 + f * f, x);
}
template <int N, class S>
constexpr Dual<N, S> asin(const Dual<N, S>& x) {
  using std::asin, std::sqrt;
  return Dual<N, S>::chain(asin(x.value), 1.0 / sqrt((1.0 - x.value) * (1.0 + x.value)), x);
}
template <int N, class S>
constexpr Dual<N, S> acos(const Dual<N, S>& x) {
  using std::acos, std::sqrt;
  return Dual<N, S>::chain(acos(x.value), -1.0 / sqrt((1.0 - x.value) * (1.0 + x.value)), x);
}
template <int N, class S>
constexpr Dual<N, S> atan(const Dual<N, S>& x) {
  using std::atan;
  return Dual<N, S>::chain(atan(x.value), 1.0 / (1.0 + x.value * x.value), x);
}
template <int N, class S>
constexpr Dual<N, S> sqrt(const Dual<N, S>& x) {
  using std::sqrt;
  const S root = sqrt(x.value);
  return Dual<N, S>::chain(root, 0.5 / root, x);
}
template <int N, class S>
constexpr Dual<N, S> exp(const Dual<N, S>& x) {
  using std::exp;
  const S f = exp(x.value);
  return Dual<N, S>::chain(f, f, x);
}
template <int N, class S>
constexpr Dual<N, S> log(const Dual<N, S>& x) {
  using std::log;
  return Dual<N, S>::chain(log(x.value), 1.0 / x.value, x);
}
template <int N, class S>
constexpr Dual<N, S> abs(const Dual<N, S>& x) {
  using std::abs;
  const double v = value(x);
  return Dual<N, S>::chain(abs(x.value), S(static_cast<double>((v > 0.0) - (v < 0.0))), x);
}
template <int N, class S>
constexpr Dual<N, S> sinh(const Dual<N, S>& x) {
  using std::sinh, std::cosh;
  return Dual<N, S>::chain(sinh(x.value), cosh(x.value), x);
}
template <int N, class S>
constexpr Dual<N, S> cosh(const Dual<N, S>& x) {
  using std::sinh, std::cosh;
  return Dual<N, S>::chain(cosh(x.value), sinh(x.value), x);
}
template <int N, class S>
constexpr Dual<N, S> tanh(const Dual<N, S>& x) {
  using std::tanh;
  const S f = tanh(x.value);
  return Dual<N, S>::chain(f, 1.0 - f * f, x);
}

}  // namespace esc::ad
