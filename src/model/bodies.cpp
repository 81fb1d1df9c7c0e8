#include "src/model/bodies.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "src/math/text.hpp"

namespace esc {

namespace {

void require_positive(const std::string& name, const char* what, double value) {
  if (value > 0.0 && std::isfinite(value)) return;
  throw ModelError(name, std::string(what) + " is " + to_text(value) + "; it must be positive and finite");
}

// M = diag(m, m, J), F = (m g, 0): constant in everything.
class PlanarBodies final : public BlockSource {
 public:
  struct Item {
    Slot slot;
    double mass, inertia;
    double gx, gy;
  };
  void append(const Item& item) { items_.push_back(item); }

  void mass(const Point&, double* M) const override {
    for (const Item& item : items_) {
      double* m = M + item.slot.a0;
      const int s = item.slot.stride;
      m[1] = m[2] = m[s] = m[s + 2] = m[2 * s] = m[2 * s + 1] = 0.0;
      m[0] = m[s + 1] = item.mass;
      m[2 * s + 2] = item.inertia;
    }
  }
  void force(const Point&, double* F) const override {
    for (const Item& item : items_) {
      double* f = F + item.slot.v0;
      f[0] = item.mass * item.gx;
      f[1] = item.mass * item.gy;
      f[2] = 0.0;
    }
  }
  void dynamics(const Point& at, double* M, double* F) const override {
    mass(at, M);
    force(at, F);
  }
  void tangent(const Point&, double, double, double*) const override {}
  Energy energy(const Point& at) const override {
    Energy sum;
    for (const Item& item : items_) {
      const double* q = at.q + item.slot.q0;
      const double* v = at.v + item.slot.v0;
      sum.kinetic += 0.5 * (item.mass * (v[0] * v[0] + v[1] * v[1]) + item.inertia * v[2] * v[2]);
      sum.potential -= item.mass * (item.gx * q[0] + item.gy * q[1]);
    }
    return sum;
  }
  Power power(const Point&) const override { return {}; }

 private:
  std::vector<Item> items_;
};

class PlanarBodyLeaf final : public BlockLeaf {
 public:
  explicit PlanarBodyLeaf(const PlanarBody& body) : body_(body) {}
  int dofs() const override { return 3; }
  BodyKind body() const override { return BodyKind::planar; }
  Storage storage() const override { return Storage::dense; }
  int half_bandwidth() const override { return 0; }
  bool constant_mass() const override { return true; }
  bool linear() const override { return true; }
  void check(const std::string& name) const override {
    require_positive(name, "mass (kg)", body_.mass);
    require_positive(name, "inertia (kg m^2)", body_.inertia);
  }
  std::type_index type() const override { return typeid(PlanarBodies); }
  std::unique_ptr<BlockSource> new_pool() const override { return std::make_unique<PlanarBodies>(); }
  void append(BlockSource& pool, const Slot& slot, const std::array<double, 3>& gravity) const override {
    static_cast<PlanarBodies&>(pool).append({slot, body_.mass, body_.inertia, gravity[0], gravity[1]});
  }

 private:
  PlanarBody body_;
};

// acary Eq. (71): consistent mass rho S l_e / 6 [2 1; 1 2], stiffness E S / l_e [1 -1; -1 1], both tridiagonal.
class Bars final : public BlockSource {
 public:
  struct Item {
    Slot slot;
    int nodes;
    double m;       // rho S l_e / 6
    double k;       // E S / l_e
    double weight;  // rho S l_e g_x / 2, per element end
  };
  void append(const Item& item) { items_.push_back(item); }

  void mass(const Point&, double* M) const override {
    for (const Item& item : items_) {
      const MatrixView view{M + item.slot.a0, item.nodes, item.slot.stride};
      for (int i = 0; i < item.nodes; ++i) {
        view.diagonal(0, i) = (i == 0 || i == item.nodes - 1 ? 2.0 : 4.0) * item.m;
        view.diagonal(1, i) = item.m;
      }
    }
  }
  void force(const Point& at, double* F) const override {
    for (const Item& item : items_) {
      const double* q = at.q + item.slot.q0;
      double* f = F + item.slot.v0;
      const int last = item.nodes - 1;
      f[0] = item.k * (q[1] - q[0]) + item.weight;
      for (int i = 1; i < last; ++i) f[i] = item.k * (q[i + 1] - 2.0 * q[i] + q[i - 1]) + 2.0 * item.weight;
      f[last] = item.k * (q[last - 1] - q[last]) + item.weight;
    }
  }
  void dynamics(const Point& at, double* M, double* F) const override {
    mass(at, M);
    force(at, F);
  }
  void tangent(const Point&, double sq, double, double* A) const override {
    for (const Item& item : items_) {
      const MatrixView view{A + item.slot.a0, item.nodes, item.slot.stride};
      for (int i = 0; i < item.nodes; ++i) {
        view.diagonal(0, i) += (i == 0 || i == item.nodes - 1 ? 1.0 : 2.0) * sq * item.k;
        view.diagonal(1, i) -= sq * item.k;
      }
    }
  }
  Energy energy(const Point& at) const override {
    Energy sum;
    for (const Item& item : items_) {
      const double* q = at.q + item.slot.q0;
      const double* v = at.v + item.slot.v0;
      for (int i = 0; i + 1 < item.nodes; ++i) {
        const double stretch = q[i + 1] - q[i];
        sum.kinetic += item.m * (v[i] * v[i] + v[i] * v[i + 1] + v[i + 1] * v[i + 1]);
        sum.potential += 0.5 * item.k * stretch * stretch - item.weight * (q[i] + q[i + 1]);
      }
    }
    return sum;
  }
  Power power(const Point&) const override { return {}; }

 private:
  std::vector<Item> items_;
};

class BarLeaf final : public BlockLeaf {
 public:
  explicit BarLeaf(const Bar& bar) : bar_(bar) {}
  int dofs() const override { return bar_.elements + 1; }
  Storage storage() const override { return Storage::band; }
  int half_bandwidth() const override { return 1; }
  bool constant_mass() const override { return true; }
  bool linear() const override { return true; }
  void check(const std::string& name) const override {
    require_positive(name, "length (m)", bar_.length);
    require_positive(name, "section (m^2)", bar_.section);
    require_positive(name, "young (Pa)", bar_.young);
    require_positive(name, "density (kg/m^3)", bar_.density);
  }
  std::type_index type() const override { return typeid(Bars); }
  std::unique_ptr<BlockSource> new_pool() const override { return std::make_unique<Bars>(); }
  void append(BlockSource& pool, const Slot& slot, const std::array<double, 3>& gravity) const override {
    const double element = bar_.length / bar_.elements;
    const double mass = bar_.density * bar_.section * element;
    static_cast<Bars&>(pool).append(
        {slot, dofs(), mass / 6.0, bar_.young * bar_.section / element, 0.5 * mass * gravity[0]});
  }

 private:
  Bar bar_;
};

}  // namespace

std::unique_ptr<BlockLeaf> planar_body_leaf(const PlanarBody& body) { return std::make_unique<PlanarBodyLeaf>(body); }
std::unique_ptr<BlockLeaf> bar_leaf(const Bar& bar) { return std::make_unique<BarLeaf>(bar); }

}  // namespace esc
