#include "papers/bruels/damping.hpp"

#include <cmath>

#include <escapement/models/lagrangian.hpp>

#include "papers/bruels/choices.hpp"
#include "papers/bruels/figures.hpp"

namespace esc::papers::bruels {

double loss_per_step(const SchemeChoice& scheme, double omega_h) {
  constexpr int transient = 60, averaged = 40;  // steps
  Model model;
  model.add_coordinates("mass", {"q"},
                        lagrangian<1>([](double, const double*, MatrixView M) { M(0, 0) = 1.0; },
                                      [](const auto&, const auto* q, const auto*, auto* F) { F[0] = -q[0]; }),
                        {1.0}, {0.0});
  const Run done =
      run(model, scheme, {.step = omega_h, .until = omega_h * (transient + averaged + 2), .certify = false},
          [](const System&, Recorder& recorder) {
            recorder.add({"q", "m", [](const State& x) { return x.q[0]; }});
          });
  const auto q = done.data["q"];
  const auto size = [&](std::size_t k) { return std::abs(q[k] * q[k + 2] - q[k + 1] * q[k + 1]); };
  return 1.0 - std::pow(size(transient + averaged) / size(transient), 0.5 / averaged);
}

namespace {

void reproduce(Report& report) {
  for (const auto& [omega_h, alpha, theta] : {std::tuple{0.3, 5.4e-6, 4.9e-3}, {1.0, 5.3e-4, 4.3e-2}}) {
    const std::string at = ", omega h = " + text(omega_h) + ": loss per step";
    report.claim("alpha-ggl" + at, "independent code: " + text(alpha),
                 near(loss_per_step(alpha_ggl(), omega_h), alpha, 0.02));
    report.claim("Moreau" + at, "independent code: " + text(theta),
                 near(loss_per_step(moreau(), omega_h), theta, 0.02));
  }
  Table table{"section-11", {{"omega_h", "1", {}}, {"alpha_ggl", "1", {}}, {"moreau", "1", {}}}};
  double ratio = 0.0;
  for (int k = 0; k <= 36; ++k) {
    const double omega_h = 0.1 * std::pow(10.0, k / 18.0);
    const double alpha = loss_per_step(alpha_ggl(), omega_h), theta = loss_per_step(moreau(), omega_h);
    if (omega_h <= 1.0) ratio = std::max(ratio, alpha / theta);
    const double row[] = {omega_h, alpha, theta};
    for (std::size_t i = 0; i < table.columns.size(); ++i) table.columns[i].values.push_back(row[i]);
  }
  report.claim("loss of alpha-ggl / loss of Moreau, omega h up to 1", "significantly lower", at_most(ratio, 0.05));
  report.tables.push_back(table);
  Plot plot{"section-11"};
  plot.add("loss of amplitude per step", {.label = "omega h", .logarithmic = true},
           {.label = "1 - spectral radius", .logarithmic = true},
           {{"section-11", "omega_h", "alpha_ggl", "alpha-ggl"}, {"section-11", "omega_h", "moreau", "Moreau"}});
  report.plots.push_back(plot);
}

}  // namespace

Reproduction section_11() {
  return {
      "section-11", "numerical damping of an oscillator, rho_inf = 0.8",
      "For the same spectral radius at infinity the damping in the low and middle frequencies is significantly lower "
      "than that of the Moreau-Jean theta scheme.",
      reproduce};
}

}  // namespace esc::papers::bruels
