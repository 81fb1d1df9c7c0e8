// The impacting elastic bar of acary, section 6.2, with Siconos 4.4: linear rod elements, e = 0, theta = 1/2,
// Moreau-Jean. usage: siconos_bar [dense|banded|sparse] [runs] [elements]      prints one line of JSON. runs = 0 makes
// the pass for the physical checks only, for callgrind; time is the event loop alone.
#include <SolverOptions.h>

#include <SiconosKernel.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "bench/step_timer.hpp"

namespace {

const double E = 210e9, rho = 7800.0, L = 1.0, S = std::acos(-1.0) * 1e-4;
const double start_velocity = 0.1;
const double start_gap = 3.6e-5 * std::sqrt(2.0);
const double step = 2e-6;
const double until = 1.5e-3;
const int block = 10;  // steps timed together; the first block, which factors W, is left out

struct Options {
  int elements = 1000;
  Siconos::UBLAS_TYPE mass = Siconos::DENSE;  // the iteration matrix W takes the storage of the mass
  Siconos::UBLAS_TYPE stiffness = Siconos::DENSE;
};

struct Bar {
  SP::LagrangianLinearTIDS body;
  SP::Interaction contact;
  SP::TimeStepping simulation;
};

// The sum over all elements of [diagonal off; off diagonal].
SP::SimpleMatrix assemble(unsigned n, Siconos::UBLAS_TYPE storage, double diagonal, double off) {
  auto matrix = std::make_shared<SimpleMatrix>(n, n, storage);
  for (unsigned i = 0; i < n; ++i) {
    matrix->setValue(i, i, i == 0 || i == n - 1 ? diagonal : 2.0 * diagonal);
    if (i > 0) matrix->setValue(i, i - 1, off);
    if (i < n - 1) matrix->setValue(i, i + 1, off);
  }
  return matrix;
}

Bar make_bar(const Options& options) {
  const unsigned n = static_cast<unsigned>(options.elements) + 1;
  const double mass = rho * S * L / options.elements;
  const double stiffness = E * S * options.elements / L;
  Bar bar;
  bar.body = std::make_shared<LagrangianLinearTIDS>(std::make_shared<SiconosVector>(n),
                                                    std::make_shared<SiconosVector>(n, start_velocity),
                                                    assemble(n, options.mass, mass / 3.0, mass / 6.0));
  bar.body->setKPtr(assemble(n, options.stiffness, stiffness, -stiffness));

  auto row = std::make_shared<SimpleMatrix>(1, n);
  (*row)(0, n - 1) = -1.0;
  auto relation = std::make_shared<LagrangianLinearTIR>(row, std::make_shared<SiconosVector>(1, start_gap));
  bar.contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.0), relation);
  auto nsds = std::make_shared<NonSmoothDynamicalSystem>(0.0, until + 10.0 * step);
  nsds->insertDynamicalSystem(bar.body);
  nsds->link(bar.contact, bar.body);

  auto scheme = std::make_shared<MoreauJeanOSI>(0.5, 0.0);  // theta, and gamma = 0: forecast at q_k
  auto grid = std::make_shared<TimeDiscretisation>(0.0, step);
  bar.simulation = std::make_shared<TimeStepping>(nsds, grid, scheme, std::make_shared<LCP>(SICONOS_LCP_LEMKE));
  bar.simulation->initialize();
  return bar;
}

// Callgrind counts inside this function only.
[[gnu::noinline]] void one_step(TimeStepping& simulation) {
  simulation.computeOneStep();
  simulation.nextStep();
}

double energy(const Bar& bar, const Options& options) {
  const double mass = rho * S * L / options.elements;
  const double stiffness = E * S * options.elements / L;
  const double* q = bar.body->q()->getArray();
  const double* v = bar.body->velocity()->getArray();
  double sum = 0.0;
  for (int i = 0; i < options.elements; ++i) {
    const double stretch = q[i + 1] - q[i];
    sum += mass / 6.0 * (v[i] * v[i] + v[i] * v[i + 1] + v[i + 1] * v[i + 1]) + 0.5 * stiffness * stretch * stretch;
  }
  return sum;
}

struct Physics {
  int contact = 0;           // steps with an impulse
  double penetration = 0.0;  // / (h v0)
  double energy_ratio = 0.0;
};

Physics physics(const Options& options, int steps) {
  Bar bar = make_bar(options);
  Physics result;
  const double start_energy = energy(bar, options);
  for (int k = 0; k < steps; ++k) {
    one_step(*bar.simulation);
    const double tip = (*bar.body->q())(static_cast<unsigned>(options.elements));
    result.penetration = std::max(result.penetration, (tip - start_gap) / (step * start_velocity));
    result.contact += (*bar.contact->lambda(1))(0) > 0.0;
  }
  result.energy_ratio = energy(bar, options) / start_energy;
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const std::string storage = argc > 1 ? argv[1] : "dense";
  const int runs = argc > 2 ? std::atoi(argv[2]) : 3;
  if (argc > 3) options.elements = std::atoi(argv[3]);
  if (storage == "sparse") options.mass = options.stiffness = Siconos::SPARSE;
  if (storage == "banded") options.stiffness = Siconos::BANDED;  // of the mass: not supported by Siconos's solve
  const int steps = static_cast<int>(until / step);

  const Physics result = physics(options, steps);
  const double seconds = bench::seconds_per_step(
      runs, {steps / block, block, 1}, [&] { return make_bar(options); }, [](Bar& bar) { one_step(*bar.simulation); });
  std::printf(
      "{\"program\": \"siconos_bar\", \"model\": \"elements=%d, %s\", \"steps\": %d, \"us_per_step\": %.5g, "
      "\"instructions_per_step\": null, \"contact_over_2L_c0\": %.4f, \"penetration_over_h_v0\": %.4f, "
      "\"energy_ratio\": %.5f}\n",
      options.elements, storage.c_str(), steps, 1e6 * seconds, result.contact * step * std::sqrt(E / rho) / (2.0 * L),
      result.penetration, result.energy_ratio);
  return 0;
}
