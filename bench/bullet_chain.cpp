// The chain of bench/chain_scene.hpp with Bullet's btMultiBody (Featherstone's algorithm in joint coordinates, double
// precision); one line of JSON.
//   bullet_chain BODIES [RUNS]      RUNS = 0: one pass, for callgrind on one_step()
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "bench/chain_scene.hpp"
#include "bench/step_timer.hpp"

namespace {

// Members in the order in which Bullet needs them; the chain is removed first.
struct World {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::unique_ptr<btMultiBody> chain;

  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() { world.removeMultiBody(chain.get()); }
};

std::unique_ptr<World> make_chain(const bench::ChainScene& scene) {
  auto it = std::make_unique<World>();
  it->world.setGravity({0.0, 0.0, -scene.gravity});
  it->chain = std::make_unique<btMultiBody>(scene.bodies, 0.0, btVector3(0, 0, 0), true, false);
  const btVector3 inertia(scene.axial_inertia(), scene.cross_inertia(), scene.cross_inertia());
  const btVector3 half(0.5 * scene.length, 0, 0);
  for (int i = 0; i < scene.bodies; ++i)
    it->chain->setupSpherical(i, scene.mass, inertia, i - 1, btQuaternion::getIdentity(),
                              i == 0 ? btVector3(0, 0, 0) : half, half, true);
  it->chain->finalizeMultiDof();
  it->chain->setLinearDamping(0.0);
  it->chain->setAngularDamping(0.0);
  it->chain->setMaxCoordinateVelocity(1e6);
  it->world.addMultiBody(it->chain.get());
  return it;
}

// Callgrind counts inside this function only.
[[gnu::noinline]] void one_step(World& it, double h) { it.world.stepSimulation(h, 0); }

}  // namespace

int main(int argc, char** argv) {
  bench::ChainScene scene;
  scene.bodies = argc > 1 ? std::atoi(argv[1]) : scene.bodies;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 5;

  const auto it = make_chain(scene);
  for (int k = 0; k < scene.steps; ++k) one_step(*it, scene.h);
  const double tip_z = it->chain->localPosToWorld(scene.bodies - 1, btVector3(0, 0, 0)).z();

  const int block = 10;
  const double seconds = bench::seconds_per_step(
      runs, {scene.steps / block, block, 0}, [&] { return make_chain(scene); },
      [&](const std::unique_ptr<World>& world) { one_step(*world, scene.h); });
  std::printf(
      "{\"program\": \"bullet_chain\", \"model\": \"bodies=%d\", \"steps\": %d, \"us_per_step\": %.5g, "
      "\"instructions_per_step\": null, \"bodies\": %d, \"tip_z\": %.8g}\n",
      scene.bodies, scene.steps, 1e6 * seconds, scene.bodies, tip_z);
  return 0;
}
