// The motion of a mechanism in a few coordinates, by none of the library's code: what the benchmark problems are
// compared with. A mechanism is masses at points that are functions of the coordinates q; a rigid body is a few such
// points with its mass and inertia. With the velocities x' of the points and the equations g(q) = 0
//   sum m x'_i . x'_j v'_j = Q_i + sum m x'_i . (gravity - x'' at constant v) + G^T lambda,     G v' = -g'' at constant
//   v
// where _i means d/dq_i. Derivatives are exact, the steps are those of the classical Runge-Kutta method, and q and v
// are moved back to the equations after each.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace esc::examples {

// A value, its derivatives by N coordinates, and its first and second derivative in time at constant velocities.
template <int N>
struct Jet {
  double x = 0.0;
  std::array<double, N> by{};
  double rate = 0.0, bend = 0.0;

  // A function of this one, from its value and two derivatives.
  Jet through(double f, double df, double ddf) const {
    Jet r{f, {}, df * rate, df * bend + ddf * rate * rate};
    for (int i = 0; i < N; ++i) r.by[i] = df * by[i];
    return r;
  }
  friend Jet operator+(const Jet& a, const Jet& b) {
    Jet r{a.x + b.x, {}, a.rate + b.rate, a.bend + b.bend};
    for (int i = 0; i < N; ++i) r.by[i] = a.by[i] + b.by[i];
    return r;
  }
  friend Jet operator*(const Jet& a, const Jet& b) {
    Jet r{a.x * b.x, {}, a.rate * b.x + a.x * b.rate, a.bend * b.x + 2.0 * a.rate * b.rate + a.x * b.bend};
    for (int i = 0; i < N; ++i) r.by[i] = a.by[i] * b.x + a.x * b.by[i];
    return r;
  }
  friend Jet operator*(double a, const Jet& b) { return b.through(a * b.x, a, 0.0); }
  friend Jet operator+(const Jet& a, double b) { return a.through(a.x + b, 1.0, 0.0); }
  friend Jet operator+(double a, const Jet& b) { return b + a; }
  friend Jet operator-(const Jet& a) { return -1.0 * a; }
  friend Jet operator-(const Jet& a, const Jet& b) { return a + -b; }
  friend Jet operator-(const Jet& a, double b) { return a + -b; }
  friend Jet operator-(double a, const Jet& b) { return -b + a; }
  friend Jet sin(const Jet& a) { return a.through(std::sin(a.x), std::cos(a.x), -std::sin(a.x)); }
  friend Jet cos(const Jet& a) { return a.through(std::cos(a.x), -std::sin(a.x), -std::cos(a.x)); }
  friend Jet sqrt(const Jet& a) {
    const double root = std::sqrt(a.x);
    return a.through(root, 0.5 / root, -0.25 / (root * a.x));
  }
};

// Three numbers or three jets.
template <class S>
struct Triple {
  S x, y, z;

  friend Triple operator+(const Triple& a, const Triple& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Triple operator-(const Triple& a, const Triple& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  template <class T>
  friend Triple operator*(const T& a, const Triple& b) {
    return {a * b.x, a * b.y, a * b.z};
  }
  friend S dot(const Triple& a, const Triple& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
};

// Gauss with column pivots; A and b are used up. The solution is in b.
template <std::size_t N>
void solve(std::array<std::array<double, N>, N>& A, std::array<double, N>& b) {
  for (std::size_t k = 0; k < N; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < N; ++i)
      if (std::abs(A[i][k]) > std::abs(A[pivot][k])) pivot = i;
    std::swap(A[k], A[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < N; ++i) {
      const double factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < N; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = N; k-- > 0;) {
    for (std::size_t j = k + 1; j < N; ++j) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
}

// Mechanism has the numbers `coordinates` and `equations`, the vector `gravity`, `start()` with q and v, and
// describe(q, to), which says what there is: to.mass(m, point), to.line(stiffness, damping, rest, length) for a spring,
// to.load(i, Q) for a generalised force, to.zero(g) for an equation.
template <class Mechanism>
class ReducedMotion {
 public:
  static constexpr int N = Mechanism::coordinates, R = Mechanism::equations;
  using Coordinates = std::array<double, N>;
  struct Energies {
    double kinetic = 0.0, potential = 0.0;  // J; loads have none
  };

  explicit ReducedMotion(const Mechanism& mechanism) : mechanism_(mechanism) {
    std::tie(q_, v_) = mechanism.start();
    back_to_equations();
  }

  double t() const { return t_; }
  const Coordinates& q() const { return q_; }
  const Coordinates& v() const { return v_; }
  Energies energies() const { return described(q_, v_).energies; }

  void advance_to(double t, double longest_step) {
    const int steps = static_cast<int>(std::ceil((t - t_) / longest_step - 1e-9));
    const double h = (t - t_) / std::max(steps, 1);
    for (int k = 0; k < steps; ++k) step(h);
    t_ = t;
  }

 private:
  struct Terms {
    std::array<double, 3> gravity{};
    std::array<std::array<double, N>, N> M{};
    Coordinates Q{};
    std::array<std::array<double, N>, R> G{};
    std::array<double, R> g{}, bend{};
    Energies energies;
    int rows = 0;

    void mass(double m, const Triple<Jet<N>>& p) {
      const std::array<const Jet<N>*, 3> parts{&p.x, &p.y, &p.z};
      for (int k = 0; k < 3; ++k) {
        const Jet<N>& x = *parts[k];
        for (int i = 0; i < N; ++i) {
          for (int j = 0; j < N; ++j) M[i][j] += m * x.by[i] * x.by[j];
          Q[i] += m * x.by[i] * (gravity[k] - x.bend);
        }
        energies.kinetic += 0.5 * m * x.rate * x.rate;
        energies.potential -= m * gravity[k] * x.x;
      }
    }
    void line(double stiffness, double damping, double rest, const Jet<N>& length) {
      const double stretch = length.x - rest;
      for (int i = 0; i < N; ++i) Q[i] -= (stiffness * stretch + damping * length.rate) * length.by[i];
      energies.potential += 0.5 * stiffness * stretch * stretch;
    }
    void load(int i, double force) { Q[i] += force; }
    void zero(const Jet<N>& row) {
      G[rows] = row.by;
      g[rows] = row.x;
      bend[rows++] = row.bend;
    }
  };

  Terms described(const Coordinates& q, const Coordinates& v) const {
    Terms terms;
    terms.gravity = mechanism_.gravity;
    std::array<Jet<N>, N> jets;
    for (int i = 0; i < N; ++i) {
      jets[i] = {q[i], {}, v[i], 0.0};
      jets[i].by[i] = 1.0;
    }
    mechanism_.describe(jets, terms);
    return terms;
  }

  Coordinates acceleration(const Coordinates& q, const Coordinates& v) const {
    const Terms terms = described(q, v);
    std::array<std::array<double, N + R>, N + R> A{};
    std::array<double, N + R> b{};
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) A[i][j] = terms.M[i][j];
      for (int r = 0; r < R; ++r) A[i][N + r] = A[N + r][i] = terms.G[r][i];
      b[i] = terms.Q[i];
    }
    for (int r = 0; r < R; ++r) b[N + r] = -terms.bend[r];
    solve(A, b);
    Coordinates a;
    std::copy_n(b.begin(), N, a.begin());
    return a;
  }

  void step(double h) {
    static constexpr std::array<double, 4> nodes{0.0, 0.5, 0.5, 1.0}, weights{1.0, 2.0, 2.0, 1.0};
    Coordinates dq{}, dv{}, q_sum{}, v_sum{};
    for (int stage = 0; stage < 4; ++stage) {
      Coordinates q = q_, v = v_;
      for (int i = 0; i < N; ++i) {
        q[i] += h * nodes[stage] * dq[i];
        v[i] += h * nodes[stage] * dv[i];
      }
      dq = v;
      dv = acceleration(q, v);
      for (int i = 0; i < N; ++i) {
        q_sum[i] += weights[stage] * dq[i] / 6.0;
        v_sum[i] += weights[stage] * dv[i] / 6.0;
      }
    }
    for (int i = 0; i < N; ++i) {
      q_[i] += h * q_sum[i];
      v_[i] += h * v_sum[i];
    }
    back_to_equations();
  }

  // The least change of x with G dx = -defect.
  static void move(const Terms& terms, std::array<double, R> defect, Coordinates& x) {
    std::array<std::array<double, R>, R> A{};
    for (int r = 0; r < R; ++r)
      for (int s = 0; s < R; ++s)
        for (int i = 0; i < N; ++i) A[r][s] += terms.G[r][i] * terms.G[s][i];
    solve(A, defect);
    for (int r = 0; r < R; ++r)
      for (int i = 0; i < N; ++i) x[i] -= terms.G[r][i] * defect[r];
  }

  void back_to_equations() {
    if constexpr (R > 0) {
      for (int k = 0; k < 2; ++k) {
        const Terms terms = described(q_, v_);
        move(terms, terms.g, q_);
      }
      const Terms terms = described(q_, v_);
      std::array<double, R> rate{};
      for (int r = 0; r < R; ++r)
        for (int i = 0; i < N; ++i) rate[r] += terms.G[r][i] * v_[i];
      move(terms, rate, v_);
    }
  }

  Mechanism mechanism_;
  double t_ = 0.0;
  Coordinates q_, v_;
};

}  // namespace esc::examples
