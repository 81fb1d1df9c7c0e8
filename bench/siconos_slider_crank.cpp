// The slider-crank with clearance of acary, section 6.4.1, with Siconos 4.4: planar, coordinates (th1, th2, th3), four
// corner gaps, e = 0.4, mu = 0.01, theta = 1/2.
// usage: siconos_slider_crank [moreau-jean|combined] [step] [runs] [solver]      prints one line of JSON.
// runs = 0 makes the pass for the physical checks only, for callgrind; time is the event loop alone.
// solver is a number of Friction_cst.h: 400 NSGS, 402 CPG, 404 Lemke, 405 enumeration.
#include <Friction_cst.h>
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

// Table 2 of acary, J2 as in the author's code: SI units.
const double l1 = 0.153, l2 = 0.306;
const double a = 0.05, b = 0.025, c = 0.001;  // half length and half height of the slider, clearance
const double m1 = 0.038, m2 = 0.038, m3 = 0.076;
const double J1 = 7.4e-5, J2 = 5.9e-4, J3 = 2.7e-6;
const double g = 9.81;

const double I1 = J1 + (m1 / 4.0 + m2 + m3) * l1 * l1;
const double I2 = J2 + (m2 / 4.0 + m3) * l2 * l2;
const double coupling = (m2 / 2.0 + m3) * l1 * l2;
const double weight1 = g * (m1 / 2.0 + m2 + m3) * l1;
const double weight2 = g * (m2 / 2.0 + m3) * l2;

// M(q) vdot = F(q, v), F on the right. Siconos stores matrices by columns.
class SliderCrank : public LagrangianDS {
 public:
  SliderCrank(SP::SiconosVector q0, SP::SiconosVector v0) : LagrangianDS(q0, v0) {
    _hasConstantMass = false;
    _mass = std::make_shared<SimpleMatrix>(3, 3);
    _forces = std::make_shared<SiconosVector>(3);
    _jacobianqForces = std::make_shared<SimpleMatrix>(3, 3);
    _jacobianqDotForces = std::make_shared<SimpleMatrix>(3, 3);
    (*_mass)(0, 0) = I1;
    (*_mass)(1, 1) = I2;
    (*_mass)(2, 2) = J3;
  }

  void computeMass() override { computeMass(_q[0]); }

  void computeMass(SP::SiconosVector position) override {
    const double* q = position->getArray();
    double* M = _mass->getArray();
    M[1] = M[3] = coupling * std::cos(q[0] - q[1]);
    _mass->resetFactorizationFlags();
  }

  void computeForces(double, SP::SiconosVector position, SP::SiconosVector velocity) override {
    const double* q = position->getArray();
    const double* v = velocity->getArray();
    double* F = _forces->getArray();
    const double s = coupling * std::sin(q[0] - q[1]);
    F[0] = -s * v[1] * v[1] - weight1 * std::cos(q[0]);
    F[1] = s * v[0] * v[0] - weight2 * std::cos(q[1]);
    F[2] = 0.0;
  }

  void computeJacobianqForces(double) override {
    const double* q = _q[0]->getArray();
    const double* v = _q[1]->getArray();
    double* K = _jacobianqForces->getArray();
    const double k = coupling * std::cos(q[0] - q[1]);
    K[0] = -k * v[1] * v[1] + weight1 * std::sin(q[0]);
    K[3] = k * v[1] * v[1];
    K[1] = k * v[0] * v[0];
    K[4] = -k * v[0] * v[0] + weight2 * std::sin(q[1]);
  }

  void computeJacobianvForces(double) override {
    const double* q = _q[0]->getArray();
    const double* v = _q[1]->getArray();
    double* C = _jacobianqDotForces->getArray();
    const double s = coupling * std::sin(q[0] - q[1]);
    C[3] = -2.0 * s * v[1];
    C[1] = 2.0 * s * v[0];
  }

  double energy() const {
    const double* q = _q[0]->getArray();
    const double* v = _q[1]->getArray();
    return 0.5 * (I1 * v[0] * v[0] + I2 * v[1] * v[1] + J3 * v[2] * v[2]) +
           coupling * std::cos(q[0] - q[1]) * v[0] * v[1] + weight1 * std::sin(q[0]) + weight2 * std::sin(q[1]);
  }
};

// One corner of the slider: end = +-1 along the slider, wall = +1 the upper, -1 the lower wall.
class Corner : public LagrangianScleronomousR {
 public:
  Corner(double end, double wall) : end_(end), wall_(wall) {}

  double gap(const double* q) const {
    const double y = l1 * std::sin(q[0]) + l2 * std::sin(q[1]);
    return b + c - wall_ * (y + end_ * a * std::sin(q[2]) + wall_ * b * std::cos(q[2]));
  }

  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    y(0) = gap(q.vector(0)->getArray());
    y(1) = 0.0;
  }

  void computeJachq(const BlockVector& position, BlockVector&) override {
    const double* q = position.vector(0)->getArray();
    const double s3 = std::sin(q[2]), c3 = std::cos(q[2]);
    double* G = _jachq->getArray();  // 2 x 3: gap row, slip row
    G[0] = -wall_ * l1 * std::cos(q[0]);
    G[2] = -wall_ * l2 * std::cos(q[1]);
    G[4] = -wall_ * (end_ * a * c3 - wall_ * b * s3);
    G[1] = -l1 * std::sin(q[0]);
    G[3] = -l2 * std::sin(q[1]);
    G[5] = -end_ * a * s3 - wall_ * b * c3;
  }

 private:
  double end_;
  double wall_;
};

// Siconos reports a failed solve through a plain function pointer.
int solver_failures = 0;
void count_failure(int info, Simulation*) { solver_failures += info != 0; }

struct Options {
  bool combined = false;  // acary Alg. 2 as Siconos implements it, instead of Moreau-Jean
  double step = 1e-5;     // s
  double until = 0.2;     // s
  int solver = SICONOS_FRICTION_2D_NSGS;
};

struct Mechanism {
  std::shared_ptr<SliderCrank> body;
  std::vector<std::shared_ptr<Corner>> corners;
  std::vector<SP::Interaction> contacts;
  SP::TimeStepping simulation;
};

Mechanism make_mechanism(const Options& options) {
  Mechanism mechanism;
  auto q0 = std::make_shared<SiconosVector>(3);
  auto v0 = std::make_shared<SiconosVector>(3);
  (*v0)(0) = 150.0;
  (*v0)(1) = -75.0;
  mechanism.body = std::make_shared<SliderCrank>(q0, v0);
  auto nsds = std::make_shared<NonSmoothDynamicalSystem>(0.0, options.until + 10.0 * options.step);
  nsds->insertDynamicalSystem(mechanism.body);

  auto law = std::make_shared<NewtonImpactFrictionNSL>(0.4, 0.0, 0.01, 2);
  for (double wall : {1.0, -1.0}) {
    for (double end : {1.0, -1.0}) {
      auto corner = std::make_shared<Corner>(end, wall);
      auto contact = std::make_shared<Interaction>(law, corner);
      nsds->link(contact, mechanism.body);
      mechanism.corners.push_back(corner);
      mechanism.contacts.push_back(contact);
    }
  }

  auto problem = std::make_shared<FrictionContact>(2, options.solver);
  problem->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-12;
  // With dense storage NSGS stalls above 1e-12 where four corners touch (W has rank 3); with sparse blocks it does not.
  if (options.solver == SICONOS_FRICTION_2D_NSGS) problem->setMStorageType(NM_SPARSE_BLOCK);
  auto grid = std::make_shared<TimeDiscretisation>(0.0, options.step);
  if (options.combined) {
    auto scheme = std::make_shared<MoreauJeanCombinedProjectionOSI>(0.5);
    auto projection = std::make_shared<MLCPProjectOnConstraints>(SICONOS_MLCP_ENUM);
    auto simulation = std::make_shared<TimeSteppingCombinedProjection>(nsds, grid, scheme, problem, projection);
    simulation->setConstraintTolUnilateral(1e-10);
    mechanism.simulation = simulation;
  } else {
    auto scheme = std::make_shared<MoreauJeanOSI>(0.5, 0.0);  // theta, and gamma = 0: forecast at q_k
    mechanism.simulation = std::make_shared<TimeStepping>(nsds, grid, scheme, problem);
  }
  mechanism.simulation->setNewtonTolerance(1e-10);
  mechanism.simulation->setNewtonMaxIteration(50);
  mechanism.simulation->setCheckSolverFunction(&count_failure);
  mechanism.simulation->setWarnOnNonConvergence(false);
  mechanism.simulation->initialize();
  return mechanism;
}

struct Physics {
  double start_energy = 0.0;
  double end_energy = 0.0;
  double first_contact = std::numeric_limits<double>::quiet_NaN();
  double revolutions = 0.0;
  double penetration = 0.0;
  double newton = 0.0;  // mean iterations a step
  int stalled = 0;      // steps whose last Newton loop ended above its tolerance
  int failures = 0;     // solves that Siconos reports as failed
};

// Callgrind counts inside this function only.
[[gnu::noinline]] void one_step(TimeStepping& simulation) {
  simulation.computeOneStep();
  simulation.nextStep();
}

int newton_iterations(TimeStepping& simulation) {  // the getters of Siconos are not const
  if (auto* combined = dynamic_cast<TimeSteppingCombinedProjection*>(&simulation))
    return static_cast<int>(combined->cumulatedNewtonNbIterations());
  return static_cast<int>(simulation.getNewtonNbIterations());
}

Physics physics(const Options& options, int steps) {
  Mechanism mechanism = make_mechanism(options);
  Physics result;
  solver_failures = 0;
  result.start_energy = mechanism.body->energy();
  for (int k = 1; k <= steps; ++k) {
    one_step(*mechanism.simulation);
    result.newton += newton_iterations(*mechanism.simulation);
    result.stalled += !mechanism.simulation->isNewtonConverge();
    const double* q = mechanism.body->q()->getArray();
    for (const auto& corner : mechanism.corners) result.penetration = std::max(result.penetration, -corner->gap(q));
    for (const auto& contact : mechanism.contacts)
      if (std::isnan(result.first_contact) && (*contact->lambda(1))(0) > 0.0) result.first_contact = k * options.step;
  }
  result.newton /= steps;
  result.failures = solver_failures;
  result.end_energy = mechanism.body->energy();
  result.revolutions = (*mechanism.body->q())(0) / (2.0 * std::acos(-1.0));
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.combined = argc > 1 && std::string(argv[1]) == "combined";
  if (argc > 2) options.step = std::atof(argv[2]);
  const int runs = argc > 3 ? std::atoi(argv[3]) : 10;
  if (argc > 4) options.solver = std::atoi(argv[4]);
  const int steps = static_cast<int>(std::lround(options.until / options.step));

  const Physics result = physics(options, steps);
  const double seconds = bench::seconds_per_step(
      runs, {steps / 100, 100, 0}, [&] { return make_mechanism(options); },
      [](Mechanism& mechanism) { one_step(*mechanism.simulation); });
  std::printf(
      "{\"program\": \"siconos_slider_crank\", \"model\": \"%s, h=%g, solver %d\", \"steps\": %d, "
      "\"us_per_step\": %.5g, \"instructions_per_step\": null, \"start_energy\": %.9f, \"end_energy\": %.6f, "
      "\"first_contact\": %.6g, \"revolutions\": %.6f, \"penetration\": %.5g, \"newton_mean\": %.3f, "
      "\"newton_stalled\": %d, \"solver_failures\": %d}\n",
      options.combined ? "combined" : "moreau-jean", options.step, options.solver, steps, 1e6 * seconds,
      result.start_energy, result.end_energy, result.first_contact, result.revolutions, result.penetration,
      result.newton, result.stalled, result.failures);
  return 0;
}
