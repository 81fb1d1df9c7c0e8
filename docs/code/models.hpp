// The models of docs/models.md.
#pragma once

#include <escapement/model.hpp>

namespace esc::docs {

Model pendulum_by_leaf();
Model pendulum_by_functions();
Model pendulum_by_energies();
Model boxes();
Model shaken_box();
Model two_carts();
Model bar();

}  // namespace esc::docs
