// Motors and walls whose velocity, a function of time, jumps during the run: found at the coordinates of the start.
#include <algorithm>
#include <cmath>
#include <vector>

#include "src/math/text.hpp"
#include "src/study/findings.hpp"

namespace esc::study {

namespace {

constexpr int parts = 512;  // of the run; a jump within one of them is found if it is the larger part of its change
constexpr int most_rows = 4000;  // more are not looked at: 512 looks at them would take seconds

// The rates g_t of all joint rows, and of the contacts by gap functions.
class Rates {
 public:
  Rates(const io::Scene& scene, const System& system)
      : system_(system), x_(system.initial_state()), scratch_(system.scratch_size()) {
    const auto& pairs = scene.model.parts().contacts;
    if (std::ranges::all_of(pairs, [](const auto& pair) { return pair.shape_a >= 0; })) return;
    system.detect(x_.t, x_.q, any_gap, set_);
    for (const Contact& contact : set_.contacts)
      if (pairs[contact.key.pair].shape_a < 0) keys_.push_back(contact.key);
  }

  int size() const { return system_.joint_rows() + static_cast<int>(keys_.size()); }
  std::vector<double> at(double t) {
    system_.evaluate({t, x_.q.data(), x_.v.data(), x_.u.data(), scratch_.data()}, joints_);
    std::vector<double> rates(joints_.g_t.begin(), joints_.g_t.end());
    rates.resize(static_cast<std::size_t>(size()), 0.0);
    system_.collect(t, x_.q, keys_, set_);
    system_.evaluate(t, x_.q, set_);
    for (const Contact& contact : set_.contacts) {
      const auto key = std::ranges::find(keys_, contact.key);
      rates[static_cast<std::size_t>(system_.joint_rows() + (key - keys_.begin()))] = set_.g_t[contact.first_row];
    }
    return rates;
  }
  // Its name, and its unit without "/s".
  std::pair<std::string, std::string> item(int row) const {
    if (row >= system_.joint_rows()) {
      const ContactKey key = keys_[static_cast<std::size_t>(row - system_.joint_rows())];
      return {system_.pair_names()[key.pair], system_.pair_units()[key.pair]};
    }
    const auto& joints = system_.joints();
    const auto joint = std::ranges::find_if(
        joints, [&](const Joint& j) { return row >= j.first_row && row < j.first_row + j.row_count; });
    return {std::string(system_.joint_names()[static_cast<std::size_t>(joint - joints.begin())]), "m or rad"};
  }

 private:
  const System& system_;
  const State& x_;
  std::vector<double> scratch_;
  std::vector<ContactKey> keys_;
  JointSet joints_;
  ContactSet set_;
};

struct Jump {
  double t = 0.0, size = 0.0;
};

// What is left of the change of a rate from a to b where it is halved again and again, always to the larger part.
Jump jump_between(Rates& rates, std::size_t row, double a, double b) {
  double at_a = rates.at(a)[row], at_b = rates.at(b)[row];
  const double whole = std::abs(at_b - at_a);
  for (int n = 0; n < 40 && std::abs(at_b - at_a) > 0.5 * whole; ++n) {
    const double middle = 0.5 * (a + b), at_middle = rates.at(middle)[row];
    const bool first = std::abs(at_middle - at_a) >= std::abs(at_b - at_middle);
    (first ? b : a) = middle;
    (first ? at_b : at_a) = at_middle;
  }
  return {b, std::abs(at_b - at_a) > 0.5 * whole ? std::abs(at_b - at_a) : 0.0};
}

}  // namespace

void look_at_jumps(const io::Scene& scene, const System& system, Findings& findings) {
  Rates rates(scene, system);
  if (rates.size() == 0 || rates.size() > most_rows) return;
  const double t0 = system.initial_state().t, part = (scene.run.until - t0) / parts;
  std::vector<std::vector<double>> seen;
  for (int k = 0; k <= parts; ++k) seen.push_back(rates.at(t0 + k * part));

  std::string last;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rates.size()); ++row) {
    double low = infinity, high = -infinity;
    for (const auto& now : seen) {
      low = std::min(low, now[row]);
      high = std::max(high, now[row]);
    }
    const auto [name, unit] = rates.item(static_cast<int>(row));
    if (!(high - low > 1e-9) || name == last) continue;
    for (std::size_t k = 0; k < parts; ++k) {
      if (!(std::abs(seen[k + 1][row] - seen[k][row]) > 0.1 * (high - low))) continue;
      const double from = t0 + static_cast<double>(k) * part;
      const Jump jump = jump_between(rates, row, from, from + part);
      if (jump.size == 0.0) continue;
      findings.warn(
          "jumps",
          "the velocity of '" + name + "' jumps by " + short_text(jump.size) + " " + unit +
              "/s at t = " + short_text(jump.t) +
              " s: what acts in that step is an impulse, and forces and reactions are "
              "that impulse divided by the step (docs/results.md#impulse-or-force); let it change over many steps",
          name);
      last = name;
      break;
    }
  }
}

}  // namespace esc::study
