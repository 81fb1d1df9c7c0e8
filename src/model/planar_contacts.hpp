// Contact sources for pairs of planar shapes.
#pragma once

#include <memory>

#include <escapement/model.hpp>
#include <escapement/source.hpp>

namespace esc {

// A shape as a contact pool sees it: its frame on a body at q0, v0 of the System, or on ground (-1).
struct PlanarAnchor {
  int q0 = -1;
  int v0 = -1;
  double x = 0.0, y = 0.0, phi = 0.0;  // pose of the shape's frame in the body's axes
};

// One leaf per pair of shapes; null if the two geometries cannot touch. `swapped` tells that B stands first.
struct PlanarPairLeaf {
  std::unique_ptr<ContactLeaf> leaf;
  bool swapped = false;
};

PlanarPairLeaf planar_pair(const Geometry& a, const Geometry& b);
// The same pair with its anchors, ready to be appended to a pool.
void set_anchors(ContactLeaf& leaf, const PlanarAnchor& a, const PlanarAnchor& b);

}  // namespace esc
