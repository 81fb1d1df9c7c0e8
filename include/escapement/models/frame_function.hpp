// Joints g(t, A) = 0 or g(t, A, B) = 0 of the poses of one or two frames in the world, with G, g_t and second
// derivatives by dual numbers:
//
//   const auto wire = [](const auto& t, const auto& A) { return A.p.z - A.p.x * A.p.x; };
//   model.add_joint("wire", {Frame{bead}}, frame_function(wire));
//   model.add_joint("cam", {shaft, lever}, frame_function<2>([](const auto& t, const auto& A, const auto& B, auto* g) {
//     ...
//   }));
#pragma once

#include <array>
#include <memory>
#include <type_traits>
#include <typeindex>
#include <utility>
#include <vector>

#include <escapement/ad/dual.hpp>
#include <escapement/model.hpp>
#include <escapement/models/anchor.hpp>
#include <escapement/source.hpp>

namespace esc {

namespace detail {

// How many frames the function takes; 0 if it is not one of the forms above. Two frames are asked for first: a body
// that is generic in B must not be tried with a pointer.
template <class Function, class S>
constexpr int frames_of() {
  using P = Pose<S>;
  if constexpr (std::is_invocable_v<const Function&, const S&, const P&, const P&> ||
                std::is_invocable_v<const Function&, const S&, const P&, const P&, S*>)
    return 2;
  else
    return std::is_invocable_v<const Function&, const S&, const P&> ||
                   std::is_invocable_v<const Function&, const S&, const P&, S*>
               ? 1
               : 0;
}

// x plus the directions of d, of which k is the first.
template <int N, class S>
Vec3<ad::Dual<N, S>> seeded(const Vec3<S>& x, const std::array<Vec3<S>, 3>& d, int k) {
  Vec3<ad::Dual<N, S>> result{x.x, x.y, x.z};
  for (int i = 0; i < 3; ++i) {
    result.x.d[k + i] = d[i].x;
    result.y.d[k + i] = d[i].y;
    result.z.d[k + i] = d[i].z;
  }
  return result;
}

// A frame that may move: directions k.. are displacements along the axes of the world, k + 3.. rotations about them.
template <int N, class S>
Pose<ad::Dual<N, S>> movable(const Pose<S>& frame, int k) {
  const S zero(0.0), one(1.0);
  const std::array<Vec3<S>, 3> axes{{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
  const auto turning = [&](const Vec3<S>& x) {
    return seeded<N>(x, {cross(axes[0], x), cross(axes[1], x), cross(axes[2], x)}, k + 3);
  };
  return {seeded<N>(frame.p, axes, k), {turning(frame.R.x), turning(frame.R.y), turning(frame.R.z)}};
}

// A frame along retract(q, s v), with the first and the second derivative in s.
inline Pose<ad::Dual<1, ad::Dual<1>>> place_twice(const Anchor& anchor, const double* q, const double* v) {
  using S = ad::Dual<1, ad::Dual<1>>;
  const auto once = place_along(anchor, q, v);
  const Pose<double> body = body_pose(anchor, q);
  const Vec3<double> spin = anchor.kind == BodyKind::ground ? Vec3<double>{0.0, 0.0, 0.0} : spin_of(anchor, body.R, v);
  const auto twice = [](const ad::Dual<1>& x, double second) {
    S result(x);
    result.d[0].value = x.d[0];
    result.d[0].d[0] = second;
    return result;
  };
  const auto arm = [&](const Vec3<ad::Dual<1>>& x, const Vec3<double>& r) -> Vec3<S> {
    const Vec3<double> second = cross(spin, cross(spin, r));
    return {twice(x.x, second.x), twice(x.y, second.y), twice(x.z, second.z)};
  };
  const auto axis = [&](const Vec3<ad::Dual<1>>& x) { return arm(x, {x.x.value, x.y.value, x.z.value}); };
  return {arm(once.frame.p, body.R * anchor.r), {axis(once.frame.R.x), axis(once.frame.R.y), axis(once.frame.R.z)}};
}

}  // namespace detail

template <int F, int R, class Function>
class FrameFunctionPool final : public JointSource {
 public:
  void append(const Function& function, JointPlace place) { items_.push_back({function, std::move(place)}); }

  void evaluate(const Point& at, JointSet& set) const override {
    for (const Item& item : items_) {
      std::array<Placed<double>, F> frames;
      for (int f = 0; f < F; ++f) frames[f] = place(item.place.anchors[f], at.q);
      const auto g = differentiated(item, at.t, frames);
      double* G = set.G.data() + item.place.first_value;
      for (int row = 0; row < R; ++row) {
        set.g[item.place.first_row + row] = g[row].value;
        set.g_t[item.place.first_row + row] = g[row].d[6 * F];
        for (int f = 0; f < F; ++f) G = columns(item, f, frames[f], g[row], G);
      }
    }
  }

  void curvature(const Point& at, double* out) const override {
    using S = ad::Dual<1, ad::Dual<1>>;
    for (const Item& item : items_) {
      std::array<Pose<S>, F> frames;
      for (int f = 0; f < F; ++f) frames[f] = detail::place_twice(item.place.anchors[f], at.q, at.v);
      const auto g = values(item.function, ad::seed<1>(ad::seed<1>(at.t, 0), 0), frames);
      for (int row = 0; row < R; ++row) out[item.place.first_row + row] = g[row].d[0].d[0];
    }
  }

  void add_stiffness(const Point& at, const double* lambda, const double* w, double* out) const override {
    using S = ad::Dual<1>;
    for (const Item& item : items_) {
      std::array<Placed<S>, F> frames;
      for (int f = 0; f < F; ++f) frames[f] = place_along(item.place.anchors[f], at.q, w);
      const auto g = differentiated(item, S(at.t), frames);
      for (int row = 0; row < R; ++row)
        for (int f = 0; f < F; ++f) {
          std::array<S, 6> G{};
          columns(item, f, frames[f], g[row], G.data());
          const Anchor& anchor = item.place.anchors[f];
          for (int j = 0; j < anchor.dofs(); ++j) out[anchor.v0 + j] += lambda[item.place.first_row + row] * G[j].d[0];
        }
    }
  }

 private:
  struct Item {
    Function function;
    JointPlace place;
  };

  // g with its derivatives in the six directions of every frame, then in time.
  template <class S>
  static auto differentiated(const Item& item, const S& t, const std::array<Placed<S>, F>& frames) {
    constexpr int n = 6 * F + 1;
    std::array<Pose<ad::Dual<n, S>>, F> poses;
    for (int f = 0; f < F; ++f) poses[f] = detail::movable<n>(frames[f].frame, 6 * f);
    return values(item.function, ad::seed<n>(t, n - 1), poses);
  }

  template <class S>
  static S* columns(const Item& item, int f, const Placed<S>& frame, const ad::Dual<6 * F + 1, S>& g, S* out) {
    const S* d = g.d.data() + 6 * f;
    return write_columns(item.place.anchors[f], frame.body, frame.frame.p, Vec3<S>{d[0], d[1], d[2]},
                         Vec3<S>{d[3], d[4], d[5]}, out);
  }

  template <class S>
  static std::array<S, R> values(const Function& function, const S& t, const std::array<Pose<S>, F>& frames) {
    std::array<S, R> g{};
    const auto call = [&](const auto&... pose) {
      if constexpr (std::is_invocable_v<const Function&, const S&, decltype(pose)..., S*>)
        function(t, pose..., g.data());
      else
        g[0] = function(t, pose...);
    };
    if constexpr (F == 1)
      call(frames[0]);
    else
      call(frames[0], frames[1]);
    return g;
  }

  std::vector<Item> items_;
};

template <int F, int R, class Function>
class FrameFunction final : public JointLeaf {
 public:
  explicit FrameFunction(Function function) : function_(std::move(function)) {}
  int rows() const override { return R; }
  int frames() const override { return F; }
  std::type_index type() const override { return typeid(FrameFunction); }
  std::unique_ptr<JointSource> new_pool() const override {
    return std::make_unique<FrameFunctionPool<F, R, Function>>();
  }
  void append(JointSource& pool, JointPlace place) const override {
    static_cast<FrameFunctionPool<F, R, Function>&>(pool).append(function_, std::move(place));
  }

 private:
  Function function_;
};

template <int R = 1, class Function>
std::unique_ptr<JointLeaf> frame_function(Function function) {
  constexpr int frames = detail::frames_of<Function, ad::Dual<1, ad::Dual<1>>>();
  static_assert(frames > 0,
                "write the function as [](const auto& t, const auto& A, const auto& B) { return ...; } or with one "
                "frame, and with a last parameter auto* g for several rows: it is differentiated");
  return std::make_unique<FrameFunction<frames, R, Function>>(std::move(function));
}

}  // namespace esc
