// The impacting elastic bar of acary, section 6.2, as one would write it by hand: Moreau-Jean with a constant
// tridiagonal factorisation and one contact at the tip, no library. The yardstick for a step of a banded linear body.
// usage: handwritten_bar [elements] [runs]      prints one line of JSON.
// runs = 0 makes the pass for the physical checks only, for callgrind.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <vector>

#include "bench/step_timer.hpp"

namespace {

const double E = 210e9, rho = 7800.0, L = 1.0, S = std::numbers::pi * 1e-4;
const double start_velocity = 0.1;
const double start_gap = 3.6e-5 * std::numbers::sqrt2;
const double h = 2e-6;
const double theta = 0.5;
const double until = 1.5e-3;

// Free-free bar of linear rod elements with consistent mass; q grows towards the wall, the tip is the last node.
class Bar {
 public:
  explicit Bar(int elements) : n_(elements + 1), stiffness_(E * S * elements / L), mass_(rho * S * L / elements) {
    const double diagonal = mass_ / 3.0 + h * h * theta * theta * stiffness_;  // of one element's end, in Mhat
    const double off = mass_ / 6.0 - h * h * theta * theta * stiffness_;
    factor_.resize(n_);
    inverse_pivot_.resize(n_);
    double pivot = diagonal;
    for (int i = 0; i < n_; ++i) {
      factor_[i] = i == 0 ? 0.0 : off * inverse_pivot_[i - 1];
      if (i > 0) pivot = (i == n_ - 1 ? diagonal : 2.0 * diagonal) - off * factor_[i];
      inverse_pivot_[i] = 1.0 / pivot;
    }
    tip_pivot_ = pivot;
    q_.assign(n_, 0.0);
    v_.assign(n_, start_velocity);
    y_.assign(n_, 0.0);
  }

  // One step: Mhat dv = -h K (q + h theta v) - P e_tip, e = 0, forecast gap(q_k) <= 0. Returns the impulse P.
  // The tip is eliminated last, so its pivot is 1/W and P is known before the back substitution.
  [[gnu::noinline]] double step() {
    const int tip = n_ - 1;
    const double ht = h * theta;
    const double hk = h * stiffness_;
    const bool closed = gap() <= 0.0;

    double left = q_[0] + ht * v_[0];
    double stretch = 0.0;  // of the element on the left of node i
    double y = 0.0;
    for (int i = 0; i < tip; ++i) {
      const double right = q_[i + 1] + ht * v_[i + 1];
      const double next = right - left;
      y = hk * (next - stretch) - factor_[i] * y;
      y_[i] = y;
      left = right;
      stretch = next;
    }
    y = -hk * stretch - factor_[tip] * y;

    double dv = y * inverse_pivot_[tip];
    double impulse = 0.0;
    if (closed && v_[tip] + dv > 0.0) {
      impulse = (v_[tip] + dv) * tip_pivot_;
      dv = -v_[tip];
    }
    auto advance = [&](int i) {
      q_[i] += h * (v_[i] + theta * dv);
      v_[i] += dv;
    };
    advance(tip);
    for (int i = tip - 1; i >= 0; --i) {
      dv = y_[i] * inverse_pivot_[i] - factor_[i + 1] * dv;
      advance(i);
    }
    return impulse;
  }

  double gap() const { return start_gap - q_[n_ - 1]; }

  double energy() const {
    double sum = 0.0;
    for (int i = 0; i + 1 < n_; ++i) {
      const double stretch = q_[i + 1] - q_[i];
      sum += mass_ / 6.0 * (v_[i] * v_[i] + v_[i] * v_[i + 1] + v_[i + 1] * v_[i + 1]);
      sum += 0.5 * stiffness_ * stretch * stretch;
    }
    return sum;
  }

 private:
  int n_;
  double stiffness_, mass_;  // of one element: N/m, kg
  double tip_pivot_;
  std::vector<double> factor_, inverse_pivot_, q_, v_, y_;
};

struct Physics {
  int first_contact = -1, last_contact = -1;  // steps with an impulse
  double plateau = 0.0;                       // mean force over the middle 80 % of the contact / (E S v0 / c0)
  double penetration = 0.0;                   // / (h v0)
  double energy_ratio = 0.0;                  // end / start
};

Physics physics(int elements, int steps) {
  Bar bar(elements);
  Physics result;
  const double start_energy = bar.energy();
  std::vector<double> impulses;
  for (int k = 0; k < steps; ++k) {
    impulses.push_back(bar.step());
    result.penetration = std::max(result.penetration, -bar.gap() / (h * start_velocity));
    if (impulses.back() <= 0.0) continue;
    if (result.first_contact < 0) result.first_contact = k;
    result.last_contact = k;
  }
  const int length = result.last_contact - result.first_contact + 1;
  const int from = result.first_contact + length / 10, to = result.last_contact + 1 - length / 10;
  for (int k = from; k < to; ++k) result.plateau += impulses[k] / h / (to - from);
  result.plateau /= E * S * start_velocity / std::sqrt(E / rho);
  result.energy_ratio = bar.energy() / start_energy;
  return result;
}

// Least time over the runs, in microseconds a step, of steps [0, first), [first, last], (last, steps).
struct Times {
  double approach = 0.0;
  double contact = 0.0;
  double rebound = 0.0;
};

Times times(int elements, int steps, int runs, const Physics& phases) {
  const double infinity = std::numeric_limits<double>::infinity();
  Times least;
  if (runs > 0) least = {infinity, infinity, infinity};
  double sum = 0.0;
  for (int r = 0; r < runs; ++r) {
    Bar bar(elements);
    auto timed = [&](int count) {
      const double begin = bench::cpu_seconds();
      for (int k = 0; k < count; ++k) sum += bar.step();
      return 1e6 * (bench::cpu_seconds() - begin) / count;
    };
    least.approach = std::min(least.approach, timed(phases.first_contact));
    least.contact = std::min(least.contact, timed(phases.last_contact - phases.first_contact + 1));
    least.rebound = std::min(least.rebound, timed(steps - phases.last_contact - 1));
  }
  if (!(sum >= 0.0)) std::abort();  // impulses push; also keeps the loop alive
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  const int elements = argc > 1 ? std::atoi(argv[1]) : 1000;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 200;
  const int steps = static_cast<int>(until / h);
  const Physics result = physics(elements, steps);
  const Times least = times(elements, steps, runs, result);
  const int contact = result.last_contact - result.first_contact + 1;
  const double mean = (least.approach * result.first_contact + least.contact * contact +
                       least.rebound * (steps - result.last_contact - 1)) /
                      steps;
  std::printf(
      "{\"program\": \"handwritten_bar\", \"model\": \"elements=%d\", \"steps\": %d, \"us_per_step\": %.4g, "
      "\"instructions_per_step\": null, \"us_per_step_flight\": %.4g, \"us_per_step_contact\": %.4g, "
      "\"contact_over_2L_c0\": %.4f, \"plateau\": %.5f, \"penetration_over_h_v0\": %.4f, \"energy_ratio\": %.5f}\n",
      elements, steps, mean, std::min(least.approach, least.rebound), least.contact,
      contact * h * std::sqrt(E / rho) / (2.0 * L), result.plateau, result.penetration, result.energy_ratio);
  return 0;
}
