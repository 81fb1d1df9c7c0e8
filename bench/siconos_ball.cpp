// The bouncing ball of acary, section 5.1, with Siconos 4.4: m = 1, f = -2, e = 1/2, theta = 1/2, Moreau-Jean.
// usage: siconos_ball [balls] [runs] [until]      prints one line of JSON.
// runs = 0 makes the pass for the physical checks only, for callgrind; time is the event loop alone.
#include <SolverOptions.h>

#include <SiconosKernel.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "bench/step_timer.hpp"

namespace {

const double step = 1e-3 / std::sqrt(2.0);
const double start_height = 1.0;
const double start_velocity = -0.3;
const double force = -2.0;
const double restitution = 0.5;

// q(t) of the exact motion: impacts at t1, then flights of length w/2^k, rest from t1 + w.
double exact_position(double t) {
  const double w = std::sqrt(start_velocity * start_velocity - 2.0 * force * start_height);
  double impact = -(start_velocity + w) / force;
  if (t <= impact) return start_height + start_velocity * t + 0.5 * force * t * t;

  for (double rebound = restitution * w; rebound > 1e-12 * w; rebound *= restitution) {
    const double flight = -2.0 * rebound / force;
    const double s = t - impact;
    if (s <= flight) return rebound * s + 0.5 * force * s * s;
    impact += flight;
  }
  return 0.0;
}

struct Physics {
  double worst_error = 0.0;  // max |q - exact| over steps and balls, m
  double lowest = 0.0;       // min q, m
};

struct Balls {
  std::vector<SP::LagrangianLinearTIDS> bodies;
  SP::TimeStepping simulation;
};

Balls make_balls(int count, double until) {
  Balls balls;
  auto nsds = std::make_shared<NonSmoothDynamicalSystem>(0.0, until);
  auto law = std::make_shared<NewtonImpactNSL>(restitution);

  for (int i = 0; i < count; ++i) {
    auto q0 = std::make_shared<SiconosVector>(1, start_height);
    auto v0 = std::make_shared<SiconosVector>(1, start_velocity);
    auto mass = std::make_shared<SimpleMatrix>(1, 1);
    (*mass)(0, 0) = 1.0;
    auto body = std::make_shared<LagrangianLinearTIDS>(q0, v0, mass);
    body->setFExtPtr(std::make_shared<SiconosVector>(1, force));

    auto row = std::make_shared<SimpleMatrix>(1, 1);
    (*row)(0, 0) = 1.0;
    auto contact = std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(row));
    nsds->insertDynamicalSystem(body);
    nsds->link(contact, body);
    balls.bodies.push_back(body);
  }

  auto scheme = std::make_shared<MoreauJeanOSI>(0.5, 0.0);  // theta, and gamma = 0: forecast at q_k
  auto problem = std::make_shared<LCP>(count == 1 ? SICONOS_LCP_LEMKE : SICONOS_LCP_NSGS_SBM);
  if (count > 1) problem->setMStorageType(NM_SPARSE_BLOCK);
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-12;
  auto grid = std::make_shared<TimeDiscretisation>(0.0, step);
  balls.simulation = std::make_shared<TimeStepping>(nsds, grid, scheme, problem);
  balls.simulation->initialize();
  return balls;
}

// Callgrind counts inside this function only.
[[gnu::noinline]] void one_step(TimeStepping& simulation) {
  simulation.computeOneStep();
  simulation.nextStep();
}

Physics physics(int count, int steps) {
  Balls balls = make_balls(count, (steps + 10) * step);
  Physics result;
  for (int k = 1; k <= steps; ++k) {
    one_step(*balls.simulation);
    const double exact = exact_position(k * step);
    for (const auto& body : balls.bodies) {
      const double q = (*body->q())(0);
      result.worst_error = std::max(result.worst_error, std::abs(q - exact));
      result.lowest = std::min(result.lowest, q);
    }
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 1;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 10;
  const double until = argc > 3 ? std::atof(argv[3]) : 4.0;
  const int steps = static_cast<int>(until / step);

  const Physics result = physics(count, steps);
  const int block = count > 10 ? 10 : 100;
  const double seconds = bench::seconds_per_step(
      runs, {steps / block, block, 0}, [&] { return make_balls(count, (steps + 10) * step); },
      [](Balls& balls) { one_step(*balls.simulation); });
  std::printf(
      "{\"program\": \"siconos_ball\", \"model\": \"balls=%d\", \"steps\": %d, \"us_per_step\": %.5g, "
      "\"instructions_per_step\": null, \"worst_position_error\": %.6g, \"lowest_position\": %.6g}\n",
      count, steps, 1e6 * seconds, result.worst_error, result.lowest);
  return 0;
}
