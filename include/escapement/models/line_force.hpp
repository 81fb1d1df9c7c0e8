// Forces along the line between the origins of two frames, by any law of its length and rate:
//
//   const auto rope = [](const auto& t, const auto& length, const auto& rate, const double* u) {
//     using std::max;
//     return max(900.0 * (length - 2.0), 0.0);   // N, positive: pulls the points together
//   };
//   model.add_force("rope", {hook, load}, line_force(rope));
//
// The line has no direction where the points meet: the force is NaN there, and the step fails.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include <escapement/models/scalar_force.hpp>

namespace esc {

struct LineLength {
  template <class S>
  S value(const Pose<S>& A, const Pose<S>& B) const {
    return norm(B.p - A.p);
  }
  template <class S>
  void gradient(const Anchor& a, const Placed<S>& A, const Anchor& b, const Placed<S>& B, S* out) const {
    const Vec3<S> d = B.frame.p - A.frame.p;
    const Vec3<S> n = (1.0 / norm(d)) * d;
    const Vec3<S> none{S(0.0), S(0.0), S(0.0)};
    out = write_columns(a, A.body, A.frame.p, -n, none, out);
    write_columns(b, B.body, B.frame.p, n, none, out);
  }
};

template <class Law>
std::unique_ptr<ForceLeaf> line_force(Law law, ForceOptions options = {}) {
  using S = ad::Dual<2>;
  static_assert(std::is_invocable_v<Law, const S&, const S&, const S&, const double*>,
                "write the law as [](const auto& t, const auto& length, const auto& rate, const double* u) { ... }: "
                "it is differentiated");
  return std::make_unique<ScalarForce<LineLength, Law>>(LineLength{}, std::move(law), options);
}

}  // namespace esc
