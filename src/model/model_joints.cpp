// Adding joints, and forces between frames, to a Model.
#include <cmath>
#include <utility>

#include "src/math/so3.hpp"
#include "src/model/model_checks.hpp"
#include "src/model/standard_joints.hpp"

namespace esc {

namespace {

void require_frames(const Model::Parts& parts, const std::string& name, const std::vector<Frame>& frames, int wanted) {
  if (static_cast<int>(frames.size()) != wanted)
    throw ModelError(
        name, "it takes " + std::to_string(wanted) + " frames, but " + std::to_string(frames.size()) + " were given");
  bool moves = false;
  for (const Frame& frame : frames) {
    require_frame(parts, name, frame);
    moves = moves || !(frame.body == ground);
  }
  if (!moves) throw ModelError(name, "all its frames sit on ground; at least one must sit on a body");
}

void require_leaf(const std::string& name, const JointLeaf* leaf) {
  if (!leaf) throw ModelError(name, "no function was given");
  if (leaf->rows() < 1 || leaf->rows() > max_joint_rows)
    throw ModelError(name, "the joint has " + std::to_string(leaf->rows()) + " rows; allowed is 1 to " +
                               std::to_string(max_joint_rows) + ", cut it into several joints");
}

BodyKind kind_of(const Model::Parts& parts, const Frame& frame) {
  return frame.body == ground ? BodyKind::ground : parts.blocks[frame.body.index].leaf->body();
}

}  // namespace

void Model::set_joint_tolerance(double tolerance) {
  if (!(tolerance > 0.0) || !std::isfinite(tolerance))
    throw ModelError("joint_tolerance", "the value is " + to_text(tolerance) + "; allowed is > 0 and finite");
  parts_->joint_tolerance = tolerance;
}

void Model::set_assembly(Assembly assembly) { parts_->assembly = assembly; }

JointId Model::add_joint(std::string name, const JointType& type, const Frame& a, const Frame& b) {
  require_name(*parts_, "joint", name);
  require_frames(*parts_, name, {a, b}, 2);
  if (a.body.index == b.body.index)
    throw ModelError(name, "both frames sit on '" + parts_->blocks[a.body.index].name +
                               "'; a joint is between two bodies, or a body and ground");
  const BodyKind kinds[] = {kind_of(*parts_, a), kind_of(*parts_, b)};
  const bool planar = kinds[0] == BodyKind::planar || kinds[1] == BodyKind::planar;
  if (planar && (kinds[0] == BodyKind::rigid || kinds[1] == BodyKind::rigid))
    throw ModelError(name, "one body is planar and the other in space; make both of one kind");
  std::unique_ptr<JointLeaf> leaf = standard_joint(rows_of(name, type, planar));
  return keep(*parts_, parts_->joints, {std::move(name), {}, {a, b}, std::move(leaf), type});
}

JointId Model::add_joint(std::string name, std::vector<Coordinates> coordinates, std::unique_ptr<JointLeaf> leaf) {
  require_name(*parts_, "joint", name);
  require_leaf(name, leaf.get());
  require_coordinates(*parts_, name, coordinates, leaf->arity(),
                      "give a function of its frames (models/frame_function.hpp)");
  return keep(*parts_, parts_->joints, {std::move(name), std::move(coordinates), {}, std::move(leaf), {}});
}

JointId Model::add_joint(std::string name, std::vector<Frame> frames, std::unique_ptr<JointLeaf> leaf) {
  require_name(*parts_, "joint", name);
  require_leaf(name, leaf.get());
  require_frames(*parts_, name, frames, leaf->frames());
  return keep(*parts_, parts_->joints, {std::move(name), {}, std::move(frames), std::move(leaf), {}});
}

ForceId Model::add_force(std::string name, std::vector<Frame> frames, std::unique_ptr<ForceLeaf> leaf) {
  require_name(*parts_, "force", name);
  if (!leaf) throw ModelError(name, "no force was given");
  require_frames(*parts_, name, frames, leaf->frames());
  return keep(*parts_, parts_->forces, {std::move(name), {}, std::move(frames), std::move(leaf)});
}

ContactId Model::add_contact(std::string name, std::vector<Frame> frames, std::unique_ptr<ContactLeaf> leaf,
                             ContactLaw law) {
  require_name(*parts_, "contact", name);
  require_law(name, law);
  if (!leaf) throw ModelError(name, "no gap function was given");
  require_frames(*parts_, name, frames, leaf->frames());
  require_slip(name, *leaf, law);
  return keep(*parts_, parts_->contacts, {std::move(name), law, std::move(leaf), {}, std::move(frames), -1, -1});
}

Frame Model::frame_at(BlockId body, std::array<double, 3> position, std::array<double, 4> rotation) const {
  const Frame world{body, position, rotation};
  require_frame(*parts_, "frame_at", world);
  if (body == ground) return world;
  const auto& block = parts_->blocks[body.index];
  Quaternion turn{};
  Vec3<double> origin;
  if (block.leaf->body() == BodyKind::planar) {
    turn = {std::cos(0.5 * block.q[2]), 0.0, 0.0, std::sin(0.5 * block.q[2])};
    origin = {block.q[0], block.q[1], 0.0};
  } else {
    turn = {block.q[3], block.q[4], block.q[5], block.q[6]};
    origin = {block.q[0], block.q[1], block.q[2]};
  }
  const Vec3<double> local = to_frame(rotation_of(turn), vec3(position) - origin);
  return {body, {local.x, local.y, local.z}, normalized(multiply(conjugate(turn), rotation))};
}

}  // namespace esc
