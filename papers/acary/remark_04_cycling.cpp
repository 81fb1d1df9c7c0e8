#include <array>
#include <numbers>

#include "examples/bouncing_ball.hpp"
#include "examples/rocking_block.hpp"
#include "papers/acary/cycling.hpp"
#include "papers/acary/figures.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::acary {

namespace {

struct Example {
  const char* name;
  Model model;
  double h, until;  // s
};

constexpr std::array<const char*, 3> rule_names{"(63)", "(64)", "(66)"};

struct Count {
  int steps = 0;                   // whose free motion penetrates
  std::array<int, 3> unsettled{};  // of them, by rule
  std::string first_cycle;         // of (64)
};

std::string text_of(const System& system, const ActiveSet& set) {
  std::string out = "{";
  for (const ContactKey& key : set)
    out += (out.size() > 1 ? ", " : " ") + system.contact_name(key) + "/" + std::to_string(key.feature);
  return out + " }";
}

std::string describe(const System& system, const State& x, const Settling& settling) {
  std::string out = "a step of (64) that never settles, from t = " + text(x.t, 6) + " s:";
  for (std::size_t i = 0; i < 6; ++i)
    out += "\n  I = " + text_of(system, settling.sets[i]) + "  gives a least gap of " + text(settling.least_gap[i], 4) +
           " m";
  return out + "\n  ... and so on for " + std::to_string(settling.sets.size()) + " sets";
}

// The combined scheme makes the run; the three rules try each of its steps.
Count count(const Example& example) {
  const System system = compile(example.model);
  const auto scheme = make_scheme("combined-projection", system);
  State x = system.initial_state();
  scheme->start(x);
  Count count;
  while (x.t < example.until) {
    std::array<Settling, 3> tries;
    for (int i = 0; i < 3; ++i) tries[i] = settle(system, x, example.h, static_cast<Following>(i));
    if (tries[2].sets.size() > 1) {
      ++count.steps;
      for (int i = 0; i < 3; ++i) count.unsettled[i] += !tries[i].settled;
      if (!tries[1].settled && count.first_cycle.empty()) count.first_cycle = describe(system, x, tries[1]);
    }
    if (!scheme->step(x, example.h).ok()) break;
  }
  return count;
}

Judgement of(int unsettled, int steps, bool holds) {
  return {std::to_string(unsettled) + " of " + std::to_string(steps) + " steps that touch never settle", holds};
}

void reproduce(Report& report) {
  const Example examples[] = {
      {"ball, h = 3.54e-2", esc::examples::BouncingBall{}.model(), 5e-2 / std::numbers::sqrt2, 2.5},
      {"ball, h = 3.54e-3", esc::examples::BouncingBall{}.model(), 5e-3 / std::numbers::sqrt2, 2.85},
      {"block", esc::examples::RockingBlock{}.model(), 1e-2, 0.8},
  };
  for (const Example& example : examples) {
    const Count c = count(example);
    for (int i = 0; i < 2; ++i)
      report.claim(std::string(example.name) + ", forecast " + rule_names[i], "cycling without any convergence",
                   of(c.unsettled[i], c.steps, c.unsettled[i] > 0));
    report.claim(std::string(example.name) + ", growing set (66)", "without cycling",
                 of(c.unsettled[2], c.steps, c.steps > 0 && c.unsettled[2] == 0));
    report.remarks.push_back(std::string(example.name) + ": " + c.first_cycle);
  }
}

}  // namespace

Reproduction remark_4() {
  return {
      "remark-4", "active sets that follow the implicit position: forecasts (63) and (64)",
      "Activating a constraint changes the velocity and so the forecast itself: (63) and (64) cycle most of the time "
      "without any convergence. Sets that only grow (66) do not.",
      reproduce};
}

}  // namespace esc::papers::acary
