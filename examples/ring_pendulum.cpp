#include "examples/ring_pendulum.hpp"

#include <cmath>

#include <escapement/models/block_pool.hpp>
#include <escapement/models/gap.hpp>

namespace esc::examples {

namespace {

struct Ring {
  static constexpr int size = 1;
  static constexpr bool constant_mass = true, linear = true;
  double J;
  void mass(double, const double*, MatrixView M) const { M(0, 0) = J; }
  template <class S>
  void force(const S&, const S*, const S*, S* F) const {
    F[0] = S(0.0);
  }
};

// Coordinates: x, y, phi of the rod (phi = 0 upright), angle of the ring about the origin.
struct RodInRing {
  static constexpr int size = 4, contacts = 1, slips = 1;
  double radius, half;

  template <class S>
  void gap(const S&, const S* q, S* g) const {
    using std::cos;
    using std::sin;
    using std::sqrt;
    const S x = q[0] - half * sin(q[2]), y = q[1] + half * cos(q[2]);
    g[0] = radius - sqrt(x * x + y * y);
  }
  // Arc of the rod's end past the ring.
  template <class S>
  void slip(const S&, const S* q, S* s) const {
    using std::atan2;
    using std::cos;
    using std::sin;
    const S x = q[0] - half * sin(q[2]), y = q[1] + half * cos(q[2]);
    s[0] = radius * (atan2(x, -y) - q[3]);  // from the lowest point, so that the branch cut is at the top
  }
};

}  // namespace

double RingPendulum::rod_length() const { return std::sqrt(12.0 * rod_inertia / rod_mass); }

Model RingPendulum::model() const {
  Model model;
  model.set_gravity({0.0, -g, 0.0});
  const double half = 0.5 * rod_length();
  const double top = -(ring_radius - gap);
  const BlockId rod =
      model.add_planar_body("rod", {.mass = rod_mass, .inertia = rod_inertia, .pose = {0.0, top - half, 0.0}});
  const BlockId ring = model.add_coordinates("ring", {"phi"}, block(Ring{ring_inertia}), {0.0}, {ring_rate});
  model.add_contact("end", {rod, ring}, contacts(RodInRing{ring_radius, half}), {.e = e, .mu = mu});
  return model;
}

}  // namespace esc::examples
