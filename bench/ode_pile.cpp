// The pile of bench/pile_scene.hpp with the Open Dynamics Engine; one line of JSON.
//   ode_pile step|quickstep [RUNS] [STEPS]      RUNS = 0: one pass, for callgrind on one_step()
// A step is collision detection in a hash space, contact joints, and the stepper. Friction is ODE's pyramid whose bound
// follows the normal force (dContactApprox1); without that flag mu is a force.
#include <algorithm>
#include <memory>
#include <vector>

#include <escapement/system.hpp>

#include "bench/ode_world.hpp"
#include "bench/pile_scene.hpp"

namespace {

struct Pile {
  bench::OdeWorld world;
  dSpaceID space = dHashSpaceCreate(nullptr);
  dJointGroupID contacts = dJointGroupCreate(0);
  std::vector<dBodyID> bodies;
  double mu;
  int touching = 0;  // contact joints of the last step

  explicit Pile(const esc::examples::SpherePile& example) : world(example.g), mu(example.mu) {}
  ~Pile() {
    dJointGroupDestroy(contacts);
    dSpaceDestroy(space);
  }
  Pile(const Pile&) = delete;
  Pile& operator=(const Pile&) = delete;
};

std::unique_ptr<Pile> make_pile(const esc::System& system, const esc::examples::SpherePile& example) {
  auto pile = std::make_unique<Pile>(example);
  const double w = example.half_width();
  dCreatePlane(pile->space, 0, 0, 1, 0);
  dCreatePlane(pile->space, 1, 0, 0, -w);
  dCreatePlane(pile->space, -1, 0, 0, -w);
  dCreatePlane(pile->space, 0, 1, 0, -w);
  dCreatePlane(pile->space, 0, -1, 0, -w);
  dMass mass;
  dMassSetSphere(&mass, example.density, example.radius);
  for (int i = 0; i < example.balls; ++i) {
    const double* q = system.initial_state().q.data() + 7 * i;
    const dBodyID body = dBodyCreate(pile->world.id);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, q[0], q[1], q[2]);
    dGeomSetBody(dCreateSphere(pile->space, example.radius), body);
    pile->bodies.push_back(body);
  }
  return pile;
}

void touch(void* data, dGeomID a, dGeomID b) {
  Pile& pile = *static_cast<Pile*>(data);
  dContact contact{};
  if (dCollide(a, b, 1, &contact.geom, sizeof(dContact)) == 0) return;
  contact.surface.mode = dContactApprox1;
  contact.surface.mu = pile.mu;
  dJointAttach(dJointCreateContact(pile.world.id, pile.contacts, &contact), dGeomGetBody(a), dGeomGetBody(b));
  ++pile.touching;
}

// Callgrind counts inside this function only.
[[gnu::noinline]] void one_step(Pile& pile, bench::Stepper stepper, double h) {
  dJointGroupEmpty(pile.contacts);
  pile.touching = 0;
  dSpaceCollide(pile.space, &pile, touch);
  pile.world.step(stepper, h);
}

void read_balls(const std::unique_ptr<Pile>& pile, bench::PileRuler& ruler) {
  for (std::size_t i = 0; i < pile->bodies.size(); ++i) {
    std::copy_n(dBodyGetPosition(pile->bodies[i]), 3, ruler.balls[i].centre.begin());
    std::copy_n(dBodyGetLinearVel(pile->bodies[i]), 3, ruler.balls[i].velocity.begin());
    std::copy_n(dBodyGetAngularVel(pile->bodies[i]), 3, ruler.balls[i].spin.begin());
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::PileScene scene;
  const std::string name = argc > 1 ? argv[1] : "step";
  const bench::Stepper stepper = bench::find_stepper(name);
  const int runs = argc > 2 ? std::atoi(argv[2]) : 1;
  scene.steps = argc > 3 ? std::atoi(argv[3]) : scene.steps;

  dInitODE();
  const esc::System system = esc::compile(scene.pile.model());  // for where the balls start
  int contacts = 0;
  const auto result = bench::run_pile(
      scene, runs, [&] { return make_pile(system, scene.pile); },
      [&](const std::unique_ptr<Pile>& pile) {
        one_step(*pile, stepper, scene.h);
        contacts = pile->touching;
        return true;
      },
      read_balls);
  std::printf(
      "{\"program\": \"ode_pile\", \"model\": \"%s\", \"steps\": %d, \"us_per_step\": %.5g, "
      "\"instructions_per_step\": null, \"us_per_settled_step\": %.5g, \"contacts\": %d, \"worst_penetration\": %.4g, "
      "\"end_penetration\": %.4g, \"end_kinetic_energy\": %.3g}\n",
      name.c_str(), scene.steps, 1e6 * result.whole, 1e6 * result.settled, contacts, result.worst, result.penetration,
      result.kinetic);
  return 0;
}
