// Newton-Euler bodies in space: M = diag(m I, J), F = (m g, -w x J w). Configurations are R^3 x SO(3): the centre of
// mass moves on a straight line along retract, so that linear momentum and the mass matrix stay constant.
#include <cmath>
#include <string>
#include <vector>

#include <escapement/models/pose.hpp>

#include "src/math/so3.hpp"
#include "src/math/text.hpp"
#include "src/model/bodies.hpp"

namespace esc {

namespace {

struct Inertia {
  double xx, yy, zz, xy, xz, yz;
  Vec3<double> operator*(const Vec3<double>& w) const {
    return {xx * w.x + xy * w.y + xz * w.z, xy * w.x + yy * w.y + yz * w.z, xz * w.x + yz * w.y + zz * w.z};
  }
};

class RigidBodies final : public BlockSource {
 public:
  struct Item {
    Slot slot;
    double mass;
    Inertia J;
    bool gyroscopic;  // J is not a multiple of the identity
    Vec3<double> gravity;
  };
  void append(const Item& item) { items_.push_back(item); }

  void mass(const Point&, double* M) const override {
    for (const Item& item : items_) {
      double* m = M + item.slot.a0;
      const int s = item.slot.stride;
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) m[i * s + j] = 0.0;
      for (int i = 0; i < 3; ++i) m[i * s + i] = item.mass;
      const Inertia& J = item.J;
      m[3 * s + 3] = J.xx;
      m[4 * s + 4] = J.yy;
      m[5 * s + 5] = J.zz;
      m[3 * s + 4] = m[4 * s + 3] = J.xy;
      m[3 * s + 5] = m[5 * s + 3] = J.xz;
      m[4 * s + 5] = m[5 * s + 4] = J.yz;
    }
  }

  void force(const Point& at, double* F) const override {
    for (const Item& item : items_) {
      double* f = F + item.slot.v0;
      const Vec3<double> w = spin(item, at.v);
      const Vec3<double> moment = cross(item.J * w, w);
      f[0] = item.mass * item.gravity.x;
      f[1] = item.mass * item.gravity.y;
      f[2] = item.mass * item.gravity.z;
      f[3] = item.gyroscopic ? moment.x : 0.0;
      f[4] = item.gyroscopic ? moment.y : 0.0;
      f[5] = item.gyroscopic ? moment.z : 0.0;
    }
  }

  void dynamics(const Point& at, double* M, double* F) const override {
    mass(at, M);
    force(at, F);
  }

  // f(w) = F(w) w with F(w) = (J w)~ antisymmetric, f'(w) = (J w)~ - w~ J (potra 9.1).
  void tangent(const Point& at, double, double sv, double* A) const override {
    for (const Item& item : items_) {
      if (!item.gyroscopic) continue;
      double* a = A + item.slot.a0 + 3 * item.slot.stride + 3;
      const Vec3<double> w = spin(item, at.v);
      subtract_cross(sv, item.J * w, {1.0, 1.0, 1.0, 0.0, 0.0, 0.0}, a, item.slot.stride);
      if (at.form == TangentForm::exact) subtract_cross(-sv, w, item.J, a, item.slot.stride);
    }
  }

  Energy energy(const Point& at) const override {
    Energy sum;
    for (const Item& item : items_) {
      const double* q = at.q + item.slot.q0;
      const double* v = at.v + item.slot.v0;
      const Vec3<double> w = spin(item, at.v);
      const auto& g = item.gravity;
      sum.kinetic += 0.5 * (item.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + dot(w, item.J * w));
      sum.potential -= item.mass * (g.x * q[0] + g.y * q[1] + g.z * q[2]);
    }
    return sum;
  }
  Power power(const Point&) const override { return {}; }

  bool euclidean() const override { return false; }

  void retract(const double* q, const double* xi, double* out) const override {
    for (const Item& item : items_) move(q + item.slot.q0, xi + item.slot.v0, 1.0, out + item.slot.q0);
  }

  void difference(const double* q1, const double* q0, double* xi) const override {
    for (const Item& item : items_) way(q1 + item.slot.q0, q0 + item.slot.q0, xi + item.slot.v0);
  }

  void interpolate(const double* q0, const double* q1, double s, double* out) const override {
    for (const Item& item : items_) {
      double xi[6];
      way(q1 + item.slot.q0, q0 + item.slot.q0, xi);
      move(q0 + item.slot.q0, xi, s, out + item.slot.q0);
    }
  }

 private:
  static Vec3<double> spin(const Item& item, const double* v) {
    const double* w = v + item.slot.v0 + 3;
    return {w[0], w[1], w[2]};
  }

  // A -= s a~ J.
  static void subtract_cross(double s, const Vec3<double>& a, const Inertia& J, double* A, int stride) {
    const Vec3<double> columns[3] = {cross(a, Vec3<double>{J.xx, J.xy, J.xz}), cross(a, Vec3<double>{J.xy, J.yy, J.yz}),
                                     cross(a, Vec3<double>{J.xz, J.yz, J.zz})};
    for (int j = 0; j < 3; ++j) {
      A[j] -= s * columns[j].x;
      A[stride + j] -= s * columns[j].y;
      A[2 * stride + j] -= s * columns[j].z;
    }
  }

  static void move(const double* q, const double* xi, double s, double* out) {
    for (int i = 0; i < 3; ++i) out[i] = q[i] + s * xi[i];
    const Quaternion turned =
        normalized(multiply({q[3], q[4], q[5], q[6]}, quaternion_exp(s * xi[3], s * xi[4], s * xi[5])));
    for (int i = 0; i < 4; ++i) out[3 + i] = turned[i];
  }

  static void way(const double* q1, const double* q0, double* xi) {
    for (int i = 0; i < 3; ++i) xi[i] = q1[i] - q0[i];
    const auto turn = quaternion_log(multiply(conjugate({q0[3], q0[4], q0[5], q0[6]}), {q1[3], q1[4], q1[5], q1[6]}));
    for (int i = 0; i < 3; ++i) xi[3 + i] = turn[i];
  }

  std::vector<Item> items_;
};

class RigidBodyLeaf final : public BlockLeaf {
 public:
  explicit RigidBodyLeaf(const RigidBody& body) : body_(body) {}
  int dofs() const override { return 6; }
  int coordinates() const override { return 7; }
  BodyKind body() const override { return BodyKind::rigid; }
  Storage storage() const override { return Storage::dense; }
  int half_bandwidth() const override { return 0; }
  bool constant_mass() const override { return true; }
  bool linear() const override { return isotropic(); }
  void check(const std::string& name) const override {
    if (!(body_.mass > 0.0) || !std::isfinite(body_.mass))
      throw ModelError(name, "mass (kg) is " + to_text(body_.mass) + "; it must be positive and finite");
    constexpr const char* moments[] = {"Jxx", "Jyy", "Jzz"};
    constexpr const char* products[] = {"Jxy", "Jxz", "Jyz"};
    for (int i = 0; i < 3; ++i) {
      if (!(body_.inertia[i] > 0.0) || !std::isfinite(body_.inertia[i]))
        throw ModelError(name, std::string("inertia ") + moments[i] + " (kg m^2) is " + to_text(body_.inertia[i]) +
                                   "; it must be positive and finite");
      if (!std::isfinite(body_.products[i]))
        throw ModelError(name, std::string("inertia ") + products[i] + " (kg m^2) is " + to_text(body_.products[i]) +
                                   "; it must be finite");
    }
  }
  std::type_index type() const override { return typeid(RigidBodies); }
  std::unique_ptr<BlockSource> new_pool() const override { return std::make_unique<RigidBodies>(); }
  void append(BlockSource& pool, const Slot& slot, const std::array<double, 3>& gravity) const override {
    const auto& [xx, yy, zz] = body_.inertia;
    const auto& [xy, xz, yz] = body_.products;
    static_cast<RigidBodies&>(pool).append({slot, body_.mass, {xx, yy, zz, xy, xz, yz}, !isotropic(), vec3(gravity)});
  }

 private:
  bool isotropic() const {
    const auto& d = body_.inertia;
    const auto& p = body_.products;
    return d[0] == d[1] && d[1] == d[2] && p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0;
  }

  RigidBody body_;
};

}  // namespace

std::unique_ptr<BlockLeaf> rigid_body_leaf(const RigidBody& body) { return std::make_unique<RigidBodyLeaf>(body); }

// The matrix tr(J)/2 I - J holds the integrals of x^2, y^2, z^2 and their products over the mass: a real body's is
// positive semidefinite. For principal axes that is the triangle inequality of the moments.
bool physical_inertia(const RigidBody& body) {
  const auto& [xx, yy, zz] = body.inertia;
  const auto& [xy, xz, yz] = body.products;
  const double half = 0.5 * (xx + yy + zz);
  const double slack = 1e-9 * half;
  const double a = half - xx + slack, b = half - yy + slack, c = half - zz + slack;
  const double ab = a * b - xy * xy;
  return a >= 0.0 && b >= 0.0 && c >= 0.0 && ab >= 0.0 && a * c >= xz * xz && b * c >= yz * yz &&
         a * b * c - 2.0 * xy * xz * yz - a * yz * yz - b * xz * xz - c * xy * xy >= 0.0;
}

}  // namespace esc
