#include "examples/registry.hpp"

#include <array>

#include "examples/bouncing_ball.hpp"
#include "examples/elastic_bar.hpp"
#include "examples/linear_oscillator.hpp"
#include "examples/moving_walls.hpp"
#include "examples/ring_pendulum.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_crank.hpp"
#include "examples/slider_on_roller.hpp"

namespace esc::examples {

namespace {

template <class Example>
Model make() {
  return Example{}.model();
}

constexpr std::array<Example, 9> list{{
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
}};

}  // namespace

std::span<const Example> all() { return list; }

}  // namespace esc::examples
