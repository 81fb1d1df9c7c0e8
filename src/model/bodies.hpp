// The built-in blocks: planar rigid body and elastic bar.
#pragma once

#include <memory>

#include <escapement/model.hpp>

namespace esc {

std::unique_ptr<BlockLeaf> planar_body_leaf(const PlanarBody& body);
std::unique_ptr<BlockLeaf> rigid_body_leaf(const RigidBody& body);
// Whether a distribution of mass with this inertia exists.
bool physical_inertia(const RigidBody& body);
std::unique_ptr<BlockLeaf> bar_leaf(const Bar& bar);

}  // namespace esc
