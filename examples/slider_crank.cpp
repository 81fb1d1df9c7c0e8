#include "examples/slider_crank.hpp"

#include <cmath>

#include <escapement/models/energies.hpp>
#include <escapement/models/gap.hpp>
#include <escapement/models/lagrangian.hpp>

namespace esc::examples {

namespace {

// T = (A w1^2 + B w2^2 + J3 w3^2) / 2 + H cos(th1 - th2) w1 w2,  V = p1 sin th1 + p2 sin th2.
struct Mechanism {
  static constexpr int size = 3;
  double A, B, J3, H, p1, p2;

  explicit Mechanism(const SliderCrank& d)
      : A(d.J1 + (0.25 * d.m1 + d.m2 + d.m3) * d.l1 * d.l1),
        B(d.J2 + (0.25 * d.m2 + d.m3) * d.l2 * d.l2),
        J3(d.J3),
        H((0.5 * d.m2 + d.m3) * d.l1 * d.l2),
        p1(d.g * (0.5 * d.m1 + d.m2 + d.m3) * d.l1),
        p2(d.g * (0.5 * d.m2 + d.m3) * d.l2) {}

  void mass(double, const double* q, MatrixView M) const { fill_mass(H * std::cos(q[0] - q[1]), M); }

  template <class S>
  void force(const S&, const S* q, const S* v, S* F) const {
    using std::cos;
    using std::sin;
    const S s = H * sin(q[0] - q[1]);
    F[0] = -s * v[1] * v[1] - p1 * cos(q[0]);
    F[1] = s * v[0] * v[0] - p2 * cos(q[1]);
    F[2] = S(0.0);
  }

  void dynamics(double, const double* q, const double* v, MatrixView M, double* F) const {
    double s = 0.0, c = 0.0;
    ad::sincos(q[0] - q[1], s, c);
    fill_mass(H * c, M);
    F[0] = -H * s * v[1] * v[1] - p1 * std::cos(q[0]);
    F[1] = H * s * v[0] * v[0] - p2 * std::cos(q[1]);
    F[2] = 0.0;
  }

  void tangent(double, const double* q, const double* v, double sq, double sv, MatrixView K) const {
    double s = 0.0, c = 0.0;
    ad::sincos(q[0] - q[1], s, c);
    const double k1 = sq * H * c * v[1] * v[1];
    const double k2 = sq * H * c * v[0] * v[0];
    K(0, 0) += k1 - sq * p1 * std::sin(q[0]);
    K(0, 1) += 2.0 * sv * H * s * v[1] - k1;
    K(1, 0) -= 2.0 * sv * H * s * v[0] + k2;
    K(1, 1) += k2 - sq * p2 * std::sin(q[1]);
  }

  void linearise(double, const double* q, const double* v, const TangentWeights& w, MatrixView M, double* F,
                 MatrixView A) const {
    double s = 0.0, c = 0.0, s0 = 0.0, c0 = 0.0, s1 = 0.0, c1 = 0.0;
    ad::sincos(q[0] - q[1], s, c);
    ad::sincos(q[0], s0, c0);
    ad::sincos(q[1], s1, c1);
    fill_mass(H * c, M);
    F[0] = -H * s * v[1] * v[1] - p1 * c0;
    F[1] = H * s * v[0] * v[0] - p2 * c1;
    F[2] = 0.0;
    const double k1 = w.q * H * c * v[1] * v[1];
    const double k2 = w.q * H * c * v[0] * v[0];
    A(0, 0) += k1 - w.q * p1 * s0;
    A(0, 1) += 2.0 * w.v * H * s * v[1] - k1;
    A(1, 0) -= 2.0 * w.v * H * s * v[0] + k2;
    A(1, 1) += k2 - w.q * p2 * s1;
  }

  double potential(double, const double* q) const { return p1 * std::sin(q[0]) + p2 * std::sin(q[1]); }

 private:
  void fill_mass(double coupling, MatrixView M) const {
    M(0, 0) = A;
    M(1, 1) = B;
    M(2, 2) = J3;
    M(0, 1) = M(1, 0) = coupling;
    M(0, 2) = M(2, 0) = M(1, 2) = M(2, 1) = 0.0;
  }
};

// Corners 0, 1 touch the upper wall (left, right), 2, 3 the lower one. The slip is the position along the guide.
struct Corners {
  static constexpr int size = 3, contacts = 4, slips = 1;
  double l1, l2, a, b, c;

  double bend() const { return l1 + l2 + a + b; }

  template <class S>
  void gap(const S&, const S* q, S* g) const {
    using std::cos;
    using std::sin;
    const S y = l1 * sin(q[0]) + l2 * sin(q[1]);
    const S tilt = a * sin(q[2]);
    const S room = (b + c) - b * cos(q[2]);
    g[0] = room - (y - tilt);
    g[1] = room - (y + tilt);
    g[2] = room + (y - tilt);
    g[3] = room + (y + tilt);
  }

  template <class S>
  void slip(const S&, const S* q, S* s) const {
    using std::cos;
    using std::sin;
    const S x = l1 * cos(q[0]) + l2 * cos(q[1]);
    const S along = a * cos(q[2]);
    const S across = b * sin(q[2]);
    s[0] = x - along - across;
    s[1] = x + along - across;
    s[2] = x - along + across;
    s[3] = x + along + across;
  }
};

}  // namespace

Model SliderCrank::model(Equations equations) const {
  Model model;
  const std::vector<std::string> names{"crank", "rod", "slider"};
  const std::vector<double> q(angles.begin(), angles.end()), v(rates.begin(), rates.end());
  const auto kinetic = [d = *this](const auto&, const auto* th, const auto* w) {
    using std::cos;
    using std::sin;
    const auto vx1 = -d.l1 * sin(th[0]) * w[0], vy1 = d.l1 * cos(th[0]) * w[0];  // crank pin
    const auto vx2 = -d.l2 * sin(th[1]) * w[1], vy2 = d.l2 * cos(th[1]) * w[1];  // slider pin from the crank pin
    const auto square = [](const auto& x, const auto& y) { return x * x + y * y; };
    return 0.5 * (d.m1 * square(0.5 * vx1, 0.5 * vy1) + d.m2 * square(vx1 + 0.5 * vx2, vy1 + 0.5 * vy2) +
                  d.m3 * square(vx1 + vx2, vy1 + vy2) + d.J1 * w[0] * w[0] + d.J2 * w[1] * w[1] + d.J3 * w[2] * w[2]);
  };
  const auto potential = [d = *this](const auto&, const auto* th) {
    using std::sin;
    const auto y1 = d.l1 * sin(th[0]), y2 = d.l2 * sin(th[1]);
    return d.g * (d.m1 * 0.5 * y1 + d.m2 * (y1 + 0.5 * y2) + d.m3 * (y1 + y2));
  };
  const BlockId mechanism = equations == Equations::hand_written
                                ? model.add_coordinates("angle", names, block(Mechanism(*this)), q, v)
                                : model.add_coordinates("angle", names, from_energies(3, kinetic, potential), q, v);
  model.add_contact("corner", {mechanism}, contacts(Corners{l1, l2, a, b, c}), {.e = e, .mu = mu});
  return model;
}

}  // namespace esc::examples
