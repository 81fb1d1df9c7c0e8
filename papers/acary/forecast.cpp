#include "papers/acary/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "examples/statistics.hpp"
#include "papers/acary/ball.hpp"

namespace esc::papers::acary {

using examples::slope;

namespace {

constexpr double round_off = 1e-12;  // m

// The largest of value / h, and the order in h.
struct Growth {
  double ratio = 0.0, order = 0.0;
  Growth(const std::vector<double>& h, const std::vector<double>& value) : order(slope(h, value)) {
    for (std::size_t i = 0; i < h.size(); ++i) ratio = std::max(ratio, value[i] / h[i]);
  }
};

std::string count(const Reactions& r) {
  return std::to_string(r.impulses_at_open_gaps) + " of " + std::to_string(r.impulses) + " impulses at open gaps";
}

}  // namespace

Reactions reactions(const SchemeChoice& scheme) {
  Reactions all;
  for (int level = 0; level < 6; ++level) {
    const double h0 = std::ldexp(40e-3, -level) / std::numbers::sqrt2;
    double open = 0.0, deepest = 0.0;
    for (int i = 0; i < 8; ++i) {
      const double h = h0 / (1.0 + 0.37 * i / 8.0);
      const Run run = ball_run(scheme, {.h = h, .until = 2.8});
      const auto q = run.data["q"], force = run.data["force"];
      for (std::size_t k = 1; k < q.size(); ++k) {
        deepest = std::max(deepest, -q[k] * h0 / h);
        if (!(force[k] > 0.0)) continue;
        ++all.impulses;
        all.impulses_at_open_gaps += q[k] > round_off;
        open = std::max(open, q[k] * h0 / h);
      }
      all.speed = std::max(all.speed, largest(run, "v"));
    }
    all.h.push_back(h0);
    all.open.push_back(open);
    all.deepest.push_back(deepest);
  }
  return all;
}

Judgement acts_at_open_gaps(const Reactions& r, double gamma) {
  const Growth gap(r.h, r.open);
  const double bound = gamma - 0.5 * (1.0 - 0.5);  // e = 1/2
  return {count(r) + ", gap up to " + text(gap.ratio / r.speed, 3) + " h |U|, order " + text(gap.order, 3),
          r.impulses_at_open_gaps > 0 && gap.ratio <= 1.01 * bound * r.speed && std::abs(gap.order - 1.0) <= 0.1};
}

Judgement never_acts_at_open_gaps(const Reactions& r) {
  return {count(r), r.impulses > 0 && r.impulses_at_open_gaps == 0};
}

Judgement penetrates_in_proportion(const Reactions& r) {
  const Growth depth(r.h, r.deepest);
  return {"up to " + text(depth.ratio / r.speed, 3) + " h |U|, order " + text(depth.order, 3),
          depth.ratio <= 1.5 * r.speed && std::abs(depth.order - 1.0) <= 0.1};
}

}  // namespace esc::papers::acary
