#include "papers/acary/proximal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <Eigen/LU>

#include <escapement/models/block_pool.hpp>
#include <escapement/models/gap.hpp>

#include "examples/linear_oscillator.hpp"
#include "papers/acary/ball.hpp"

namespace esc::papers::acary {

namespace {

constexpr int n = 4;
using Matrix = Eigen::Matrix<double, n, n, Eigen::RowMajor>;
using Vector = Eigen::Matrix<double, n, 1>;
constexpr double h = 1e-2;  // s

// A constant mass that couples all, a weight that differs, and springs between neighbours.
struct Masses {
  static constexpr int size = n;
  static constexpr bool constant_mass = true, linear = true;

  void mass(double, const double*, MatrixView M) const {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) M(i, j) = i == j ? 2.0 + 0.3 * i : 0.6 / (1 + std::abs(i - j));
  }
  template <class S>
  void force(const S&, const S* q, const S*, S* F) const {
    for (int i = 0; i < n; ++i) F[i] = S(-9.0 - 3.0 * i);
    for (int i = 0; i + 1 < n; ++i) {
      const S tension = 50.0 * (q[i + 1] - q[i]);
      F[i] = F[i] + tension;
      F[i + 1] = F[i + 1] - tension;
    }
  }
};

Model masses(double e) {
  Model model;
  const BlockId block =
      model.add_coordinates("masses", {"a", "b", "c", "d"}, esc::block(Masses{}), {0.2, 0.21, 0.23, 0.3}, {0, 0, 0, 0});
  for (int i = 0; i < n; ++i)
    model.add_contact("floor_" + std::to_string(i), {block},
                      affine_gap<n>([i](const auto&, const auto* q) { return q[i]; }), {.e = e});
  return model;
}

}  // namespace

std::vector<double> prox(const std::vector<double>& M, const std::vector<double>& y, const std::vector<bool>& bounded) {
  const auto size = static_cast<int>(y.size());
  const Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>> A(M.data(), size, size);
  const Eigen::Map<const Eigen::VectorXd> target(y.data(), size);
  for (int set = 0; set < 1 << size; ++set) {
    // A (x - y) = multiplier, x = 0 in the set, multiplier = 0 outside.
    Eigen::MatrixXd K = A;
    Eigen::VectorXd right = A * target;
    bool allowed = true;
    for (int i = 0; i < size; ++i)
      if (set >> i & 1) {
        allowed = allowed && bounded[i];
        K.row(i).setZero();
        K(i, i) = 1.0;
        right[i] = 0.0;
      }
    if (!allowed) continue;
    Eigen::VectorXd x = K.fullPivLu().solve(right);
    for (int i = 0; i < size; ++i)
      if (set >> i & 1) x[i] = 0.0;
    const Eigen::VectorXd multiplier = A * (x - target);
    bool optimal = true;
    for (int i = 0; i < size; ++i)
      optimal = optimal && (set >> i & 1 ? multiplier[i] >= 0.0 : !bounded[i] || x[i] >= 0.0);
    if (optimal) return {x.data(), x.data() + size};
  }
  throw std::runtime_error("no set of bounds is optimal: M is not positive definite");
}

namespace {

// M^-1 F(q_{k+1/2}), added to y with a factor.
void add_acceleration(const System& system, const std::vector<double>& q, double factor, std::vector<double>& y) {
  std::vector<double> M(system.matrix_size()), F(n), v(n, 0.0), scratch(system.scratch_size());
  system.dynamics({0.0, q.data(), v.data(), nullptr, scratch.data()}, M, F, Part::all);
  const Vector a = Eigen::Map<const Matrix>(M.data()).fullPivLu().solve(Eigen::Map<const Vector>(F.data()));
  for (int i = 0; i < n; ++i) y[i] += factor * a[i];
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

std::vector<double> combined(double a, const std::vector<double>& x, double b, const std::vector<double>& y) {
  std::vector<double> sum(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) sum[i] = a * x[i] + b * y[i];
  return sum;
}

}  // namespace

Projections projections(const SchemeChoice& choice, double e) {
  const System system = compile(masses(e));
  const auto scheme = make_scheme(choice.name, system, choice.settings);
  std::vector<double> M(system.matrix_size()), scratch(system.scratch_size());
  State x = system.initial_state(), before = x;
  system.mass({0.0, x.q.data(), x.v.data(), nullptr, scratch.data()}, M, Part::all);
  scheme->start(x);
  Projections found;
  for (int k = 0; k < 200; ++k) {
    const State last = before;
    before = x;
    if (!scheme->step(x, h).ok()) throw std::runtime_error(choice.name + " fails");
    const std::vector<double> middle = combined(0.5, before.q, 0.5, x.q);
    std::vector<bool> closed(n);
    for (int i = 0; i < n; ++i) {
      closed[i] = before.q[i] <= 0.0;  // the forecast (61) with gamma = 0
      found.penetration = std::max(found.penetration, -x.q[i]);
    }

    std::vector<double> y = combined(1.0 + e, before.v, 0.0, before.v);
    add_acceleration(system, middle, h, y);
    found.velocities = std::max(found.velocities, distance(combined(1.0, x.v, e, before.v), prox(M, y, closed)));
    if (k > 0) {  // the first step has no q_{k-1}
      y = combined(2.0, before.q, e - 1.0, last.q);
      add_acceleration(system, middle, h * h, y);
      found.positions =
          std::max(found.positions, distance(combined(1.0, x.q, e, last.q), prox(M, y, std::vector<bool>(n, true))));
    }

    int pushing = 0;
    for (const ContactRecord& record : x.contacts) {
      if (!(record.P[0] > 0.0)) continue;
      ++pushing;
      const auto i = record.key.pair;  // the floor of this coordinate
      found.newton = std::max(found.newton, std::abs(x.v[i] + e * before.v[i]));
    }
    found.most_at_once = std::max(found.most_at_once, pushing);
  }
  return found;
}

Judgement is_prox_of_velocities(const Projections& p) {
  return {"differ by at most " + text(p.velocities, 2) + " m/s, up to " + std::to_string(p.most_at_once) +
              " contacts at once",
          p.velocities <= 1e-10 && p.most_at_once >= 2};
}

Judgement is_prox_of_positions(const Projections& p) {
  return {
      "differ by at most " + text(p.positions, 2) + " m, up to " + std::to_string(p.most_at_once) + " contacts at once",
      p.positions <= 1e-12 && p.most_at_once >= 2};
}

Judgement keeps_impact_law(const Projections& p) { return {text(p.newton, 2) + " m/s", p.newton <= 1e-10}; }
Judgement breaks_impact_law(const Projections& p) { return {text(p.newton, 2) + " m/s", p.newton > 0.1}; }

Rebound rebound(const SchemeChoice& scheme) {
  const Run run = ball_run(scheme, {.h = 1e-3 / std::numbers::sqrt2, .until = 1.2});
  const auto v = run.data["v"], force = run.data["force"];
  const auto first = static_cast<std::size_t>(
      std::find_if(force.begin(), force.end(), [](double f) { return f > 0.0; }) - force.begin());
  Rebound found;
  for (std::size_t k = first; k < first + 6; ++k) found.ratio.push_back(v[k] / v[first - 1]);
  return found;
}

Judgement law_holds_after_several_steps(const Rebound& rebound, double e) {
  const auto kept = [e](double ratio) { return std::abs(ratio + e) <= 0.01 * e; };
  const auto when = std::find_if(rebound.ratio.begin(), rebound.ratio.end(), kept);
  std::string here = "v / v- =";
  for (const double ratio : rebound.ratio) here += ' ' + text(ratio, 3);
  return {here, std::all_of(when, rebound.ratio.end(), kept) && when - rebound.ratio.begin() >= 1 &&
                    when - rebound.ratio.begin() <= 2};
}

Judgement stays_at_the_stop(const SchemeChoice& scheme) {
  const examples::LinearOscillator oscillator{.e = 0.0};
  const Run done = run(oscillator.model(), scheme, {.step = 1e-3 / std::numbers::sqrt2, .until = 1.6},
                       [](const System& system, Recorder& recorder) {
                         recorder.add({"q", "m", [](const State& x) { return x.q[0]; }});
                         recorder.add(force_column("force", system.contact_key("stop")));
                       });
  const auto q = done.data["q"], force = done.data["force"];
  const auto first = std::find_if(force.begin(), force.end(), [](double f) { return f > 0.0; }) - force.begin();
  double away = 0.0;
  for (auto k = static_cast<std::size_t>(first); k < q.size(); ++k) away = std::max(away, std::abs(q[k]));
  return {text(away, 2), away <= 1e-12 && static_cast<std::size_t>(first) < q.size()};
}

}  // namespace esc::papers::acary
