// What the model knows of a geometry beside its contacts: the world it lives in and what its sizes may be.
#pragma once

#include <string>
#include <vector>

#include <escapement/models/shapes.hpp>

namespace esc {

enum class World : std::uint8_t { plane, space, both };

World world_of(const Geometry& geometry);
std::vector<double> sizes_of(const Geometry& geometry);  // m, the finite ones
// Throws ModelError naming the item, the size and what is allowed.
void require_sizes(const std::string& name, const Geometry& geometry);

}  // namespace esc
