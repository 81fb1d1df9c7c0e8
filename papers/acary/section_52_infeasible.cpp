#include "papers/acary/feet.hpp"
#include "papers/acary/figures.hpp"

namespace esc::papers::acary {

namespace {

void reproduce(Report& report) {
  for (const double shorter : {1e-3, 1e-4, 1e-5}) {
    const Feet feet{.shorter = shorter};
    const Landing landing = land({"combined-projection"}, feet);
    const std::string label = "middle foot shorter by " + text(shorter) + " m: ";
    report.claim(label + "g = 0 for all of I", "may be infeasible", all_is_infeasible(landing, feet));
    report.claim(label + "g = 0 for I_c, (68)", "no violated constraint", pushed_is_feasible(landing));
  }
  const Feet together = flat_landing();
  report.deviation(
      "all three feet push: g = 0 for I_c, (68)", "no violated constraint",
      pushed_is_feasible(land({"combined-projection"}, together)),
      only_direct_lands(land({"combined-projection"}, together), land({"direct-projected"}, together)),
      "Three feet of a rigid block are dependent: P is not unique, and every solver puts a part of it on the "
      "middle foot. Then I_c asks for g = 0 at two feet of which the third goes below the floor.");
}

}  // namespace

Reproduction section_52() {
  return {
      "section-5.2", "a block that lands on three feet, of which the middle one is shorter, h = 1e-2 s",
      "Imposing g = 0 for all constraints of I may lead to an infeasible problem; (68) imposes it only where P > 0, "
      "and ends without violated constraints.",
      reproduce};
}

}  // namespace esc::papers::acary
