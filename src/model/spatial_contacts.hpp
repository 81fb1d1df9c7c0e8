// Contact sources for pairs of shapes in space.
#pragma once

#include "src/model/planar_contacts.hpp"

namespace esc {

// As planar_pair; the pool takes the anchors of its two frames from their ContactPlace.
PlanarPairLeaf spatial_pair(const Geometry& a, const Geometry& b);

}  // namespace esc
