#include "examples/benchmark_problems.hpp"

#include <array>
#include <cmath>
#include <string>

#include <escapement/models/pose.hpp>

#include "examples/reduced_mechanisms.hpp"
#include "examples/simple_pendulum.hpp"

namespace esc::examples {

namespace {

double coordinate(const System& system, const State& x, const std::string& name) {
  return x.q[static_cast<std::size_t>(system.coordinate(name))];
}

std::vector<double> bob(const System& system, const State& x) {
  return {coordinate(system, x, "bob.x"), coordinate(system, x, "bob.y")};
}

// The end of the first crank.
std::vector<double> point_b0(const System& system, const State& x) {
  const double phi = coordinate(system, x, "crank0.phi"), half = 0.5 * NFourBar{}.length;
  return {coordinate(system, x, "crank0.x") + half * std::cos(phi),
          coordinate(system, x, "crank0.y") + half * std::sin(phi)};
}

std::vector<double> seven_angles(const System& system, const State& x) {
  std::array<double, 7> a;
  for (int i = 0; i < 7; ++i) a[i] = coordinate(system, x, "link" + std::to_string(i + 1) + ".phi");
  return {a[0], a[1] - a[0], a[2], a[3] - a[4], a[4], a[5] - a[6], a[6]};
}

// The joint between the second and the third rod.
std::vector<double> point_p3(const System& system, const State& x) {
  const Rotation<double> R = rotation_of({coordinate(system, x, "rod2.qw"), coordinate(system, x, "rod2.qx"),
                                          coordinate(system, x, "rod2.qy"), coordinate(system, x, "rod2.qz")});
  const double half = 0.5 * Bricard{}.length;
  return {coordinate(system, x, "rod2.x") - half * R.y.x, coordinate(system, x, "rod2.y") - half * R.y.y,
          coordinate(system, x, "rod2.z") - half * R.y.z};
}

std::vector<double> height(const System& system, const State& x) { return {coordinate(system, x, "slider.z")}; }

template <std::size_t N>
std::vector<double> listed(const std::array<double, N>& values) {
  return {values.begin(), values.end()};
}

// The steps are so short that half of them changes nothing by more than 3e-9.
template <class Mechanism, class Observe>
Reference reduced(const Mechanism& mechanism, double step, Observe observe) {
  const auto motion = std::make_shared<ReducedMotion<Mechanism>>(mechanism);
  return {[=](double t) {
            motion->advance_to(t, step);
            return listed(observe(mechanism, motion->q()));
          },
          [=] { return motion->energies().kinetic; }};
}

Reference exact_pendulum() {
  const auto now = std::make_shared<SimplePendulum::Motion>();
  return {[=](double t) {
            *now = SimplePendulum{}.exact(t);
            return std::vector{now->x, now->y};
          },
          [=] { return 0.5 * (now->vx * now->vx + now->vy * now->vy); }};
}

template <int loops>
Reference reduced_four_bars() {
  const auto end = [](const ReducedNFourBar& it, const auto& q) { return it.crank_end(q); };
  return reduced(ReducedNFourBar{{.loops = loops}}, 1e-3, end);
}

Reference reduced_squeezer() {
  return reduced(ReducedSqueezer{}, 5e-6, [](const auto&, const auto& q) { return q; });
}

Reference reduced_bricard() {
  return reduced(ReducedBricard{}, 1e-3, [](const ReducedBricard& it, const auto& q) { return it.joint(q, 2); });
}

// Explicit steps of a stiff system: its fastest rate is 8e3 per second.
Reference reduced_governor() {
  return reduced(ReducedGovernor{}, 5e-5, [](const auto&, const auto& q) { return std::array{q[2]}; });
}

constexpr auto problems = std::to_array<BenchmarkProblem>(
    {{"A01", "x, y of the mass", [] { return SimplePendulum{}.model(); }, 10.0, 0.637, bob, exact_pendulum},
     {"A02, N = 2", "x, y of B0", [] { return NFourBar{}.model(); }, 10.0, 0.455, point_b0, reduced_four_bars<2>},
     {"A02, N = 40", "x, y of B0", [] { return NFourBar{.loops = 40}.model(); }, 10.0, 0.0, point_b0,
      reduced_four_bars<40>},
     {"A03", "seven angles", [] { return AndrewsSqueezer{}.model(); }, 0.05, 0.384, seven_angles, reduced_squeezer,
      true, AndrewsSqueezer{}.torque},
     {"A04", "x, y, z of P3", [] { return Bricard{}.model(); }, 10.0, 0.258, point_p3, reduced_bricard},
     {"A05", "s of the slider", [] { return FlyballGovernor{}.model(); }, 10.0, 0.233, height, reduced_governor,
      false}});

}  // namespace

std::span<const BenchmarkProblem> benchmark_problems() { return problems; }

}  // namespace esc::examples
