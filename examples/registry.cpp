#include "examples/registry.hpp"

#include <array>

#include "examples/andrews_squeezer.hpp"
#include "examples/bead_on_wire.hpp"
#include "examples/bouncing_ball.hpp"
#include "examples/bouncing_pendulum.hpp"
#include "examples/box_on_incline.hpp"
#include "examples/box_stack.hpp"
#include "examples/bricard.hpp"
#include "examples/chain.hpp"
#include "examples/elastic_bar.hpp"
#include "examples/flyball_governor.hpp"
#include "examples/four_bar.hpp"
#include "examples/free_body.hpp"
#include "examples/gyroscope.hpp"
#include "examples/heavy_top.hpp"
#include "examples/linear_oscillator.hpp"
#include "examples/moving_walls.hpp"
#include "examples/n_four_bar.hpp"
#include "examples/ring_pendulum.hpp"
#include "examples/rocking_block.hpp"
#include "examples/rolling_sphere.hpp"
#include "examples/simple_pendulum.hpp"
#include "examples/slider_crank.hpp"
#include "examples/slider_on_roller.hpp"
#include "examples/sphere_pile.hpp"
#include "examples/tippe_top.hpp"

namespace esc::examples {

namespace {

template <class Example>
Model make() {
  return Example{}.model();
}

constexpr auto list = std::to_array<Example>({
    {"bouncing-ball", "a ball falls on a floor", make<BouncingBall>, 7e-3, 4.0},
    {"linear-oscillator", "a mass on a spring hits a stop", make<LinearOscillator>, 3e-3, 1.6},
    {"rocking-block", "a block rocks on its corners", make<RockingBlock>, 1e-2, 2.0},
    {"slider-on-roller", "a slider falls on a roller held by friction", make<SliderOnRoller>, 1e-2, 2.0},
    {"elastic-bar", "an elastic bar hits a wall", make<ElasticBar>, 5e-6, 1.2e-3},
    {"ring-pendulum", "a rod slides and sticks in a turning ring", make<RingPendulum>, 5e-4, 1.0},
    {"slider-crank", "a slider-crank with clearance in its guide", make<SliderCrank>, 1e-4, 0.2},
    {"slider-crank-energies", "the same from its energies",
     [] { return SliderCrank{}.model(SliderCrank::Equations::from_energies); }, 1e-4, 0.2},
    {"moving-walls", "a ball between walls that close in", make<MovingWalls>, 1e-4, 0.9},
    {"free-body", "a wing nut flips over", make<FreeBody>, 1e-2, 5.0, false},
    {"heavy-top", "a fast top on a spherical joint", make<HeavyTop>, 1e-3, 0.3, false},
    {"chain", "ten links on spherical joints swing", make<Chain>, 2e-3, 0.4, false},
    {"gyroscope", "a wheel on an arm walks around its stand", make<Gyroscope>, 1e-3, 0.3, false},
    {"bead-on-wire", "a bead on a wire that turns", make<BeadOnWire>, 1e-2, 1.0, false},
    {"box-on-incline", "a box lands on a slope and sticks", make<BoxOnIncline>, 5e-3, 0.5},
    {"rolling-sphere", "a ball slips, then rolls", make<RollingSphere>, 5e-3, 0.8},
    {"tippe-top", "a top turns upside down", make<TippeTop>, 5e-4, 0.2},
    {"box-stack", "three boxes land on each other", [] { return BoxStack{.boxes = 3}.model(); }, 5e-3, 0.2},
    {"slider-crank-planar", "the slider-crank of planar bodies and revolute joints",
     [] { return SliderCrank{}.planar_model(); }, 1e-4, 0.05},
    {"slider-crank-space", "the slider-crank of bodies in space and revolute joints",
     [] { return SliderCrank{}.spatial_model(); }, 1e-4, 0.05},
    {"four-bar", "a four-bar linkage turns", [] { return FourBar{}.planar_model(); }, 1e-3, 0.6, false},
    {"four-bar-space", "the same in space, overconstrained", [] { return FourBar{}.spatial_model(); }, 1e-3, 0.6,
     false},
    {"sphere-pile", "balls fall into a box", [] { return SpherePile{.balls = 12, .across = 2}.model(); }, 2e-3, 0.12},
    {"bouncing-pendulum", "a pendulum falls against a wall", make<BouncingPendulum>, 1e-3, 1.0},
    {"simple-pendulum", "benchmark A01: a mass on a rod swings", make<SimplePendulum>, 1e-3, 0.4, false},
    {"n-four-bar", "benchmark A02: two windows of bars swing through positions of more freedom", make<NFourBar>, 1e-3,
     0.4, false},
    {"andrews-squeezer", "benchmark A03: seven links in hundredths of a second", make<AndrewsSqueezer>, 1e-5, 4e-3,
     false},
    {"bricard", "benchmark A04: six hinges in a ring that moves although overconstrained", make<Bricard>, 2e-4, 0.03,
     false},
    {"flyball-governor", "benchmark A05: a governor with stiff springs", make<FlyballGovernor>, 2e-3, 0.4, false},
});

}  // namespace

std::span<const Example> all() { return list; }

}  // namespace esc::examples
