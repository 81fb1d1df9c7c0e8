// Given forces and moments on a frame of a body, from six named inputs or a function of time.
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "src/model/frame_forces.hpp"

namespace esc {

namespace {

struct WrenchFrom {
  int input = -1;  // the first of six, or -1 and ...
  GivenWrench function;
};

class Wrenches final : public ForceSource {
 public:
  struct Item {
    Anchor anchor;
    WrenchFrom from;
  };
  void append(const Item& item) { items_.push_back(item); }

  void add_force(const Point& at, double* F) const override {
    for (const Item& item : items_) {
      double columns[6];
      const double* end = columns_of(item, at, columns);
      for (const double* column = columns; column != end; ++column) F[item.anchor.v0 + (column - columns)] += *column;
    }
  }
  void add_tangent(const Point&, double, double, double*) const override {}
  Energy energy(const Point&) const override { return {}; }
  Power power(const Point& at) const override {
    Power sum;
    for (const Item& item : items_) {
      double columns[6];
      const double* end = columns_of(item, at, columns);
      for (const double* column = columns; column != end; ++column)
        sum.applied += *column * at.v[item.anchor.v0 + (column - columns)];
    }
    return sum;
  }

 private:
  static const double* columns_of(const Item& item, const Point& at, double* columns) {
    std::array<double, 6> w;
    if (item.from.input >= 0)
      std::copy_n(at.u + item.from.input, 6, w.begin());
    else
      w = item.from.function.wrench(at.t, at.u);
    const auto placed = place(item.anchor, at.q);
    const Vec3<double> force{w[0], w[1], w[2]}, moment{w[3], w[4], w[5]};
    return write_columns(item.anchor, placed.body, placed.frame.p, force, moment, columns);
  }

  std::vector<Item> items_;
};

class WrenchLeaf final : public ForceLeaf {
 public:
  explicit WrenchLeaf(WrenchFrom from) : from_(std::move(from)) {}
  int frames() const override { return 1; }
  bool implicit() const override { return false; }
  bool linear() const override { return true; }
  std::type_index type() const override { return typeid(Wrenches); }
  std::unique_ptr<ForceSource> new_pool() const override { return std::make_unique<Wrenches>(); }
  void append(ForceSource& pool, ForcePlace place) const override {
    static_cast<Wrenches&>(pool).append({place.anchors[0], from_});
  }

 private:
  WrenchFrom from_;
};

}  // namespace

std::unique_ptr<ForceLeaf> wrench_leaf(int first_input) {
  return std::make_unique<WrenchLeaf>(WrenchFrom{first_input, {}});
}
std::unique_ptr<ForceLeaf> wrench_leaf(const GivenWrench& wrench) {
  return std::make_unique<WrenchLeaf>(WrenchFrom{-1, wrench});
}

}  // namespace esc
