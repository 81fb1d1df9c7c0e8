// The models of docs/joints.md, docs/forces.md and docs/shapes.md, and how they are read and driven.
#pragma once

#include <escapement/scheme.hpp>

namespace esc::docs {

Model brick_and_ball();
Model door();
Model gearbox();
Model slider_crank();
Model hanging();

struct DoorReadings {
  double weight = 0.0;  // N, that the lower hinge carries
  double angle = 0.0;   // rad
  double stop = 0.0;    // N m
};
DoorReadings read_door(const System& system, const State& x);

// Drives the gearbox up to 60 rad/s in 1 s; whether every step went well.
bool run_up(Scheme& scheme, State& x);

}  // namespace esc::docs
