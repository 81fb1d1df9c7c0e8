// The models of docs/joints.md, docs/forces.md and docs/shapes.md.
#pragma once

#include <escapement/model.hpp>

namespace esc::docs {

Model brick_and_ball();
Model door();
Model gearbox();
Model slider_crank();
Model hanging();

}  // namespace esc::docs
