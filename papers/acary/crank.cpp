#include "papers/acary/crank.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "examples/slider_crank.hpp"

namespace esc::papers::acary {

using examples::SliderCrank;

namespace {

constexpr double turn = 2.0 * std::numbers::pi;
constexpr std::array<const char*, 4> corner_names{"upper_left", "upper_right", "lower_left", "lower_right"};

// +1 where the corner touches the upper wall (gap 0), -1 where it is as far from it as it can be; the same for corners
// at the lower wall, seen from above.
Column corner_column(const System& system, int corner, ContactKey key, double clearance) {
  return {"corner_" + std::to_string(corner + 1), "1", [&system, key, clearance, upper = corner < 2](const State& x) {
            ContactSet set;
            if (system.collect(x.t, x.q, {&key, 1}, set) == 0) return 0.0;
            return (upper ? 1.0 : -1.0) * (1.0 - set.contacts[0].gap / clearance);
          }};
}

void add_minimal(const SliderCrank& d, const System& system, Recorder& recorder) {
  recorder.add({"revolutions", "1", [](const State& x) { return x.q[0] / turn; }});
  recorder.add({"crank_rate", "rad/s", [](const State& x) { return x.v[0]; }});
  recorder.add({"rod_rate", "rad/s", [](const State& x) { return x.v[1]; }});
  recorder.add({"x", "m", [d](const State& x) { return d.l1 * std::cos(x.q[0]) + d.l2 * std::cos(x.q[1]); }});
  recorder.add({"y", "m", [d](const State& x) { return d.l1 * std::sin(x.q[0]) + d.l2 * std::sin(x.q[1]); }});
  recorder.add({"vx", "m/s",
                [d](const State& x) { return -d.l1 * std::sin(x.q[0]) * x.v[0] - d.l2 * std::sin(x.q[1]) * x.v[1]; }});
  recorder.add({"tilt", "rad", [](const State& x) { return x.q[2]; }});
  recorder.add(normal_velocity_column(system, "U_1", system.contact_key("corner", 0)));
  for (int i = 0; i < 4; ++i)
    recorder.add(corner_column(system, i, system.contact_key("corner", static_cast<unsigned>(i)), d.c));
}

void add_spatial(const SliderCrank& d, const System& system, Recorder& recorder) {
  const auto coordinate = [&](const char* column, const char* unit, const char* name) {
    recorder.add({column, unit, [i = system.coordinate(name)](const State& x) { return x.q[i]; }});
  };
  const auto velocity = [&](const char* column, const char* unit, const char* name) {
    recorder.add({column, unit, [i = system.velocity(name)](const State& x) { return x.v[i]; }});
  };
  const auto angle = [&](const char* column, const char* unit, const std::string& body, double scale) {
    recorder.add({column, unit,
                  [i = system.coordinate(body + ".qz"), j = system.coordinate(body + ".qw"), scale](const State& x) {
                    return scale * 2.0 * std::atan2(x.q[i], x.q[j]);
                  }});
  };
  angle("revolutions", "1", "crank", 1.0 / turn);
  velocity("crank_rate", "rad/s", "crank.wz");
  velocity("rod_rate", "rad/s", "rod.wz");
  coordinate("x", "m", "slider.x");
  coordinate("y", "m", "slider.y");
  velocity("vx", "m/s", "slider.vx");
  angle("tilt", "rad", "slider", 1.0);
  recorder.add(normal_velocity_column(system, "U_1", system.contact_key(corner_names[0])));
  for (int i = 0; i < 4; ++i) recorder.add(corner_column(system, i, system.contact_key(corner_names[i]), d.c));
}

// The angle of a quaternion is known up to a turn.
void unwrap(std::vector<double>& revolutions) {
  for (std::size_t k = 1; k < revolutions.size(); ++k)
    revolutions[k] = revolutions[k - 1] + std::remainder(revolutions[k] - revolutions[k - 1], 1.0);
}

}  // namespace

Run crank_run(const SchemeChoice& scheme, const Grid& grid, Mechanism mechanism) {
  const SliderCrank d;
  const bool minimal = mechanism == Mechanism::minimal;
  Run done = run(minimal ? d.model() : d.spatial_model(), scheme, grid, [&](const System& system, Recorder& recorder) {
    if (minimal)
      add_minimal(d, system, recorder);
    else
      add_spatial(d, system, recorder);
    recorder.add(smallest_gap_column(system));
    recorder.add_energy();
  });
  unwrap(done.data.columns[done.data.place("revolutions")].values);
  return done;
}

double violation(const Run& run) {
  const auto gap = run.data["gap"];
  return std::max(0.0, -*std::min_element(gap.begin(), gap.end()));
}

double revolutions(const Run& run) { return run.data["revolutions"].back(); }

namespace {

double largest_tilt(const Run& run) {
  double tilt = 0.0;
  for (const double angle : run.data["tilt"]) tilt = std::max(tilt, std::abs(angle));
  return tilt;
}

}  // namespace

Judgement is_pure_translation(const Run& run) { return at_most(largest_tilt(run), 1e-9); }

Judgement loses_symmetry(const Run& run, const Run& solved_well) {
  return at_least(largest_tilt(run), 1e3 * std::max(largest_tilt(solved_well), 1e-15));
}

Judgement corners_move_alike(const Run& run) {
  double apart = 0.0;
  for (int k = 0; k < run.data.rows(); ++k)
    for (const auto& [a, b] : {std::pair{"corner_1", "corner_2"}, std::pair{"corner_3", "corner_4"}})
      apart = std::max(apart, std::abs(run.data[a][k] - run.data[b][k]));
  return at_most(apart, 1e-6);
}

Judgement energy_never_exceeds_start(const Run& run) {
  const auto energy = run.data["energy.total"];
  const double highest = *std::max_element(energy.begin() + 1, energy.end());
  return {"highest less start " + text(highest - energy.front(), 2) + " J, end " + text(energy.back(), 6) + " J",
          highest <= energy.front()};
}

Judgement violates_in_proportion(const Run& run, double h) {
  return {text(violation(run), 5) + " = " + text(violation(run) / h, 3) + " h (1 m/s)",
          within(violation(run), 0.8 * h, 1.6 * h).holds};
}

Judgement reaches_revolutions(const Run& run, double tolerance) {
  return near_absolute(revolutions(run), 2.8781, tolerance);
}

CornerVelocity corner_velocity(const Run& run) {
  const auto revolution = run.data["revolutions"], U = run.data["U_1"];
  CornerVelocity result;
  double before = 0.0;
  for (std::size_t k = 0; k < U.size(); ++k) {
    if (revolution[k] < 0.15 || revolution[k] > 0.25) continue;
    if (result.steps++ > 0) {
      result.largest_jump = std::max(result.largest_jump, std::abs(U[k] - before));
      result.sign_changes += U[k] * before < 0.0 && std::min(std::abs(U[k]), std::abs(before)) > 1e-8;
    }
    before = U[k];
  }
  return result;
}

namespace {

std::string text_of(const CornerVelocity& v) {
  return "largest jump " + text(v.largest_jump, 3) + " m/s, " + std::to_string(v.sign_changes) +
         " changes of sign in " + std::to_string(v.steps) + " steps";
}

}  // namespace

Judgement is_smooth(const CornerVelocity& v) {
  return {text_of(v), v.steps > 30 && v.largest_jump <= 3.6e-3 && v.sign_changes == 0};
}

Judgement oscillates(const CornerVelocity& v) {
  return {text_of(v), within(v.largest_jump, 2e-2, 5e-2).holds && v.sign_changes >= 19};
}

namespace {

// A column over the crank's revolutions; asked at values that do not decrease.
class OverRevolutions {
 public:
  OverRevolutions(const Run& run, const char* column) : x_(run.data["revolutions"]), y_(run.data[column]) {}
  double at(double x) {
    while (i_ + 2 < x_.size() && x_[i_ + 1] < x) ++i_;
    return y_[i_] + (x - x_[i_]) / (x_[i_ + 1] - x_[i_]) * (y_[i_ + 1] - y_[i_]);
  }

 private:
  std::span<const double> x_, y_;
  std::size_t i_ = 0;
};

}  // namespace

double mean_distance(const Run& a, const Run& b, const char* column) {
  constexpr int points = 2000;
  OverRevolutions left(a, column), right(b, column);
  double sum = 0.0;
  for (int k = 0; k <= points; ++k) sum += std::abs(left.at(2.0 * k / points) - right.at(2.0 * k / points));
  return sum / (points + 1);
}

}  // namespace esc::papers::acary
