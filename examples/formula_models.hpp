// Examples typed as formulas, with the data of the examples in C++: the tests compare the two, the benchmarks time
// them.
#pragma once

#include <escapement/model.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/ring_pendulum.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_crank.hpp"

namespace esc::examples {

Model formula_model(const SliderCrank& data);   // Lagrange's equations from energies, four gaps with slips
Model formula_model(const BouncingBall& data);  // one ball; a constant mass and a potential
Model formula_model(const RockingBlock& data);  // four gaps; features as in the example
Model formula_model(const RingPendulum& data);  // a gap between two blocks

}  // namespace esc::examples
