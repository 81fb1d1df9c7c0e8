// All closed-form pairs in space.
#pragma once

#include "src/geometry/spatial_box.hpp"
#include "src/geometry/spatial_cylinder.hpp"
#include "src/geometry/spatial_feature.hpp"
#include "src/geometry/spatial_heightfield.hpp"
#include "src/geometry/spatial_hole.hpp"
#include "src/geometry/spatial_round.hpp"
