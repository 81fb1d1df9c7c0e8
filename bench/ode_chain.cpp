// The chain of bench/chain_scene.hpp with the Open Dynamics Engine, ball joints; one line of JSON.
//   ode_chain BODIES step|quickstep [RUNS] [STEPS]      RUNS = 0: one pass, for callgrind on one_step()
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "bench/chain_scene.hpp"
#include "bench/ode_world.hpp"
#include "bench/step_timer.hpp"

namespace {

struct Chain {
  bench::OdeWorld world;
  std::vector<dBodyID> rods;
  std::vector<dJointID> joints;
  explicit Chain(double gravity) : world(gravity) {}
};

std::unique_ptr<Chain> make_chain(const bench::ChainScene& scene) {
  auto chain = std::make_unique<Chain>(scene.gravity);
  dMass mass;
  dMassSetZero(&mass);
  dMassSetParameters(&mass, scene.mass, 0, 0, 0, scene.axial_inertia(), scene.cross_inertia(), scene.cross_inertia(), 0,
                     0, 0);
  dBodyID before = nullptr;  // ground
  for (int i = 0; i < scene.bodies; ++i) {
    const dBodyID rod = dBodyCreate(chain->world.id);
    dBodySetMass(rod, &mass);
    dBodySetPosition(rod, scene.centre(i), 0.0, 0.0);
    const dJointID joint = dJointCreateBall(chain->world.id, nullptr);
    dJointAttach(joint, rod, before);
    dJointSetBallAnchor(joint, i * scene.length, 0.0, 0.0);
    chain->rods.push_back(rod);
    chain->joints.push_back(joint);
    before = rod;
  }
  return chain;
}

// Callgrind counts inside this function only.
[[gnu::noinline]] void one_step(Chain& chain, bench::Stepper stepper, double h) { chain.world.step(stepper, h); }

double joint_drift(const Chain& chain) {
  double worst = 0.0;
  for (const dJointID joint : chain.joints) {
    dVector3 a, b;
    dJointGetBallAnchor(joint, a);
    dJointGetBallAnchor2(joint, b);
    for (int i = 0; i < 3; ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  }
  return worst;
}

// (E - E_0) / kinetic energy.
double energy_error(const Chain& chain, const bench::ChainScene& scene) {
  double kinetic = 0.0, potential = 0.0;
  for (const dBodyID rod : chain.rods) {
    const double* v = dBodyGetLinearVel(rod);
    dVector3 w;
    dBodyVectorFromWorld(rod, dBodyGetAngularVel(rod)[0], dBodyGetAngularVel(rod)[1], dBodyGetAngularVel(rod)[2], w);
    kinetic += 0.5 * scene.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
               0.5 * scene.axial_inertia() * w[0] * w[0] + 0.5 * scene.cross_inertia() * (w[1] * w[1] + w[2] * w[2]);
    potential += scene.mass * scene.gravity * dBodyGetPosition(rod)[2];
  }
  return (kinetic + potential) / kinetic;
}

}  // namespace

int main(int argc, char** argv) {
  bench::ChainScene scene;
  scene.bodies = argc > 1 ? std::atoi(argv[1]) : scene.bodies;
  const std::string name = argc > 2 ? argv[2] : "step";
  const bench::Stepper stepper = bench::find_stepper(name);
  const int runs = argc > 3 ? std::atoi(argv[3]) : 5;
  scene.steps = argc > 4 ? std::atoi(argv[4]) : scene.steps;

  dInitODE();
  const auto chain = make_chain(scene);
  for (int k = 0; k < scene.steps; ++k) one_step(*chain, stepper, scene.h);

  const int block = std::min(10, scene.steps);
  const double seconds = bench::seconds_per_step(
      runs, {scene.steps / block, block, 0}, [&] { return make_chain(scene); },
      [&](const std::unique_ptr<Chain>& it) { one_step(*it, stepper, scene.h); });
  std::printf(
      "{\"program\": \"ode_chain\", \"model\": \"bodies=%d %s\", \"steps\": %d, \"us_per_step\": %.5g, "
      "\"instructions_per_step\": null, \"bodies\": %d, \"tip_z\": %.8g, \"joint_drift\": %.3g, "
      "\"energy_error\": %.3g}\n",
      scene.bodies, name.c_str(), scene.steps, 1e6 * seconds, scene.bodies, dBodyGetPosition(chain->rods.back())[2],
      joint_drift(*chain), energy_error(*chain, scene));
  return 0;
}
