// Checks that adding an item to a Model makes; each throws ModelError naming the item.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "src/math/text.hpp"
#include "src/model/model_parts.hpp"

namespace esc {

inline void require_finite(const std::string& name, const char* what, std::span<const double> values) {
  for (int i = 0; i < static_cast<int>(values.size()); ++i)
    if (!std::isfinite(values[i]))
      throw ModelError(
          name, std::string(what) + "[" + std::to_string(i) + "] is " + to_text(values[i]) + "; it must be finite");
}

inline void require_law(const std::string& name, const ContactLaw& law) {
  if (!(law.e >= 0.0 && law.e <= 1.0))
    throw ModelError(name, "restitution e is " + to_text(law.e) + "; allowed is [0, 1]");
  if (!(law.mu >= 0.0) || !std::isfinite(law.mu))
    throw ModelError(name, "friction mu is " + to_text(law.mu) + "; allowed is >= 0 and finite");
}

inline void require_slip(const std::string& name, const ContactLeaf& leaf, const ContactLaw& law) {
  if (law.mu > 0.0 && !leaf.has_slip())
    throw ModelError(name,
                     "friction mu is " + to_text(law.mu) + ", but there is no slip function; give one or set mu = 0");
}

inline void require_name(const Model::Parts& parts, const char* kind, const std::string& name) {
  if (name.empty()) throw ModelError(kind, "the name is empty; give every item a name");
  if (parts.names.contains(name)) throw ModelError(name, "the name is used twice; names of all items must differ");
}

// Becomes the id that is asked for.
struct Handed {
  int index;
  std::uint32_t model;
  template <class Id>
  operator Id() const {
    return {index, model};
  }
};

// The last thing that adding an item does: a refused item leaves the model as it was.
template <class Item>
Handed keep(Model::Parts& parts, std::vector<Item>& list, Item item) {
  parts.names.insert(item.name);
  list.push_back(std::move(item));
  return {static_cast<int>(list.size()) - 1, parts.model};
}

// An id of this model, or a number written by hand that is in the list.
template <class Id, class Item>
void require_id(const Model::Parts& parts, const std::string& name, const char* kind, Id id,
                const std::vector<Item>& list) {
  const auto refuse = [&](const char* why) {
    throw ModelError(name, std::string(kind) + " number " + std::to_string(id.index) + why);
  };
  if (id.model != 0 && id.model != parts.model)
    refuse(" was handed out by another model; use the id that this one returned");
  if (id.index < 0 || id.index >= static_cast<int>(list.size())) refuse(" does not exist in this model");
}

inline void require_block(const Model::Parts& parts, const std::string& name, BlockId id) {
  require_id(parts, name, "body", id, parts.blocks);
}

inline void require_coordinates(const Model::Parts& parts, const std::string& name,
                                std::vector<Coordinates>& coordinates, int arity, const char* in_space) {
  int total = 0;
  for (Coordinates& part : coordinates) {
    require_block(parts, name, part.block);
    const auto& block = parts.blocks[part.block.index];
    const int dofs = block.leaf->dofs();
    if (block.leaf->coordinates() != dofs)
      throw ModelError(name, "'" + block.name + "' is a body in space, whose coordinates are a position and a " +
                                 "quaternion; " + in_space);
    if (part.count < 0) part.count = dofs - part.first;
    if (part.first < 0 || part.count < 1 || part.first + part.count > dofs)
      throw ModelError(name, "coordinates " + std::to_string(part.first) + ".." +
                                 std::to_string(part.first + part.count - 1) + " of '" + block.name +
                                 "' do not exist; it has " + std::to_string(dofs));
    for (const Coordinates* other = coordinates.data(); other != &part; ++other)
      if (other->block.index == part.block.index && other->first < part.first + part.count &&
          part.first < other->first + other->count)
        throw ModelError(name, "a coordinate of '" + block.name + "' is given twice; each may stand once");
    total += part.count;
  }
  if (total != arity)
    throw ModelError(name, "the function takes " + std::to_string(arity) + " coordinates, but " +
                               std::to_string(total) + " were given");
}

inline void require_rotation(const std::string& name, const char* what, const std::array<double, 4>& r) {
  require_finite(name, what, r);
  const double norm = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  if (std::abs(norm - 1.0) > 1e-9)
    throw ModelError(name, std::string(what) + " is a quaternion of norm " + to_text(norm) + "; it must be 1");
}

inline void require_frame(const Model::Parts& parts, const std::string& name, const Frame& frame) {
  if (!(frame.body == ground)) {
    require_block(parts, name, frame.body);
    const auto& block = parts.blocks[frame.body.index];
    if (block.leaf->body() == BodyKind::ground)
      throw ModelError(name, "a frame sits on '" + block.name + "', which is not a body; frames need a body or ground");
  }
  require_finite(name, "frame position", frame.position);
  require_rotation(name, "frame rotation", frame.rotation);
}

}  // namespace esc
