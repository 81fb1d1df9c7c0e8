// Adding springs and bushings, and what acts on the coordinates of joints, to a Model.
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "src/model/coordinate_joints.hpp"
#include "src/model/frame_forces.hpp"
#include "src/model/joint_coordinates.hpp"
#include "src/model/joint_limits.hpp"
#include "src/model/model_checks.hpp"
#include "src/model/standard_joints.hpp"

namespace esc {

namespace {

constexpr int most_teeth = 1'000'000;

void require_nonnegative(const std::string& name, const char* what, double value) {
  if (!(value >= 0.0) || !std::isfinite(value))
    throw ModelError(name, std::string(what) + " is " + to_text(value) + "; allowed is >= 0 and finite");
}

void require_two_bodies(const Model::Parts& parts, const std::string& name, const Frame& a, const Frame& b) {
  require_frame(parts, name, a);
  require_frame(parts, name, b);
  if (a.body.index != b.body.index) return;
  const std::string where = a.body == ground ? "ground" : "'" + parts.blocks[a.body.index].name + "'";
  throw ModelError(name, "both frames sit on " + where + "; the force needs two bodies, or a body and ground");
}

void require_wrench_frame(const Model::Parts& parts, const std::string& name, const Frame& at) {
  require_frame(parts, name, at);
  if (at.body == ground)
    throw ModelError(name, "the frame sits on ground, which does not move; give a frame on a body");
}

// A joint that stands in this model and has coordinates.
const Model::Parts::Joint& joint_of(const Model::Parts& parts, const std::string& name, JointId id) {
  require_id(parts, name, "joint", id, parts.joints);
  const auto& joint = parts.joints[id.index];
  if (!joint.type)
    throw ModelError(name, "joint '" + joint.name + "' is not between two frames by its kind and has no coordinates; " +
                               "take a revolute, prismatic, cylindrical or screw joint");
  return joint;
}

// Of one body: q0 is 0.
Anchor anchor_of(const Model::Parts& parts, const Frame& frame) {
  const BodyKind kind = frame.body == ground ? BodyKind::ground : parts.blocks[frame.body.index].leaf->body();
  return {kind, 0, 0, vec3(frame.position), rotation_of(frame.rotation)};
}

// Now: from the initial state as given, before any projection.
double initial_value(const Model::Parts& parts, const Model::Parts::Joint& joint, const JointRow& row) {
  std::array<Pose<double>, 2> poses;
  for (int i = 0; i < 2; ++i) {
    const Frame& frame = joint.frames[i];
    const double* q = frame.body == ground ? nullptr : parts.blocks[frame.body.index].q.data();
    poses[i] = place(anchor_of(parts, frame), q).frame;
  }
  return row_value(row, poses[0], poses[1]);
}

TurnCount turns_of(const Model::Parts& parts, const Model::Parts::Joint& joint, const JointRow& row) {
  return count_turns(row, anchor_of(parts, joint.frames[0]), anchor_of(parts, joint.frames[1]));
}

// Counts turns such that the joint starts between its limits, if it does so after whole turns.
void start_between(const Model::Parts& parts, const Model::Parts::Joint& joint, LimitRange& range) {
  const auto phi = [&](const Frame& frame) { return frame.body == ground ? 0.0 : parts.blocks[frame.body.index].q[2]; };
  const double now = range.turns.start + range.turns.sense * (phi(joint.frames[1]) - phi(joint.frames[0]));
  if (now < range.lower || now > range.upper)
    range.turns.start += range.middle + nearest(now - range.middle, full_turn) - now;
}

std::string entry(const char* what, int i, int j) {
  return std::string(what) + "(" + std::to_string(i) + "," + std::to_string(j) + ")";
}

// Symmetric, and positive semidefinite by LDL^T of the matrix scaled to a unit diagonal: units differ by rows.
void require_semidefinite(const std::string& name, const char* what, const std::array<double, 36>& matrix) {
  constexpr int n = 6;
  constexpr double round_off = 1e-12;
  std::array<double, 36> L{};
  const auto at = [&](int i, int j) { return matrix[n * i + j]; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (!std::isfinite(at(i, j)))
        throw ModelError(name, entry(what, i, j) + " is " + to_text(at(i, j)) + "; it must be finite");
      if (i == j && at(i, i) < 0.0)
        throw ModelError(name, entry(what, i, i) + " is " + to_text(at(i, i)) + "; allowed is >= 0");
    }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const double scale = std::sqrt(at(i, i)) * std::sqrt(at(j, j));
      if (!(std::abs(at(i, j) - at(j, i)) <= round_off * scale))
        throw ModelError(name, entry(what, i, j) + " is " + to_text(at(i, j)) + ", but " + entry(what, j, i) + " is " +
                                   to_text(at(j, i)) + "; the matrix must be symmetric");
      if (scale == 0.0 && at(i, j) != 0.0)
        throw ModelError(name,
                         entry(what, i, j) + " is " + to_text(at(i, j)) +
                             ", but a diagonal entry beside it is zero; the matrix must be positive semidefinite");
      L[n * i + j] = scale == 0.0 ? 0.0 : at(i, j) / scale;
    }
  for (int k = 0; k < n; ++k) {
    const double pivot = L[n * k + k];
    for (int i = k; i < n; ++i)
      if (pivot < -round_off || (pivot <= round_off && std::abs(L[n * i + k]) > std::sqrt(round_off)))
        throw ModelError(name, "the " + std::string(what) + " is not positive semidefinite, as " + entry(what, i, k) +
                                   " = " + to_text(at(i, k)) + " shows; no direction may have a negative one");
    if (pivot <= round_off) continue;
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) L[n * i + j] -= L[n * i + k] * L[n * k + j] / pivot;
  }
}

std::vector<Frame> joined(const std::vector<Frame>& a, const std::vector<Frame>& b) {
  std::vector<Frame> all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

}  // namespace

ForceId Model::add_spring(std::string name, const Frame& a, const Frame& b, const Spring& spring) {
  require_name(*parts_, "spring", name);
  require_two_bodies(*parts_, name, a, b);
  require_nonnegative(name, "stiffness (N/m)", spring.stiffness);
  require_nonnegative(name, "damping (N s/m)", spring.damping);
  require_nonnegative(name, "length (m)", spring.length);
  return keep(*parts_, parts_->forces, {std::move(name), {}, {a, b}, spring_leaf(spring)});
}

ForceId Model::add_bushing(std::string name, const Frame& a, const Frame& b, const Bushing& bushing) {
  require_name(*parts_, "bushing", name);
  require_two_bodies(*parts_, name, a, b);
  require_semidefinite(name, "stiffness", bushing.stiffness);
  require_semidefinite(name, "damping", bushing.damping);
  return keep(*parts_, parts_->forces, {std::move(name), {}, {a, b}, bushing_leaf(bushing)});
}

ForceId Model::add_joint_spring(std::string name, JointId joint, JointCoordinate coordinate,
                                const JointSpring& spring) {
  require_name(*parts_, "joint spring", name);
  const auto& held = joint_of(*parts_, name, joint);
  const JointRow row = coordinate_row(name, *held.type, coordinate);
  require_nonnegative(name, "stiffness (N m/rad or N/m)", spring.stiffness);
  require_nonnegative(name, "damping (N m s/rad or N s/m)", spring.damping);
  require_finite(name, "rest (rad or m)", {&spring.rest, 1});
  const TurnCount turns = turns_of(*parts_, held, row);
  if (!turns.known() && period_of(row) > 0.0 && std::abs(spring.rest) > 0.5 * full_turn)
    throw ModelError(name, "rest is " + to_text(spring.rest) +
                               " rad; in space an angle is known within a turn only, and rest is from -pi to pi; a "
                               "spring that is wound further needs planar bodies");
  return keep(*parts_, parts_->forces, {std::move(name), {}, held.frames, joint_spring_leaf(row, turns, spring)});
}

InputId Model::add_wrench(std::string name, const Frame& at) {
  require_name(*parts_, "wrench", name);
  require_wrench_frame(*parts_, name, at);
  const int first = static_cast<int>(parts_->inputs.size());
  constexpr const char* parts[] = {".force_x", ".force_y", ".force_z", ".moment_x", ".moment_y", ".moment_z"};
  for (const char* part : parts) require_name(*parts_, "input", name + part);
  for (const char* part : parts) keep(*parts_, parts_->inputs, {name + part, 0.0});
  keep(*parts_, parts_->forces, {std::move(name), {}, {at}, wrench_leaf(first)});
  return {first};
}

ForceId Model::add_wrench(std::string name, const Frame& at, const GivenWrench& wrench) {
  require_name(*parts_, "wrench", name);
  require_wrench_frame(*parts_, name, at);
  if (!wrench.wrench) throw ModelError(name, "no function of time was given");
  return keep(*parts_, parts_->forces, {std::move(name), {}, {at}, wrench_leaf(wrench)});
}

InputId Model::add_motor(std::string name, JointId joint, JointCoordinate coordinate, Motor motor) {
  require_name(*parts_, "motor", name);
  const auto& held = joint_of(*parts_, name, joint);
  const JointRow row = coordinate_row(name, *held.type, coordinate);
  const double now = initial_value(*parts_, held, row);
  const std::vector<Frame> frames = held.frames;
  const int first = static_cast<int>(parts_->inputs.size());
  std::vector<Parts::Input> inputs;
  switch (motor) {
    case Motor::velocity:
      inputs = {{name + ".velocity", 0.0}};
      break;
    case Motor::position:
      inputs = {{name + ".position", now}, {name + ".rate", 0.0}};
      break;
    case Motor::torque:
      inputs = {{name + ".torque", 0.0}};
      break;
  }
  if (inputs.empty()) throw ModelError(name, "this kind of motor does not exist; it is velocity, position or torque");
  for (const auto& input : inputs) require_name(*parts_, "input", input.name);

  for (auto& input : inputs) keep(*parts_, parts_->inputs, std::move(input));
  if (motor == Motor::torque) {
    keep(*parts_, parts_->forces, {std::move(name), {}, frames, torque_leaf(row, first)});
    return {first};
  }
  const bool velocity = motor == Motor::velocity;
  const Drive drive{
      .position = velocity ? -1 : first, .rate = velocity ? first : first + 1, .function = {}, .velocity = {}};
  auto leaf = coordinate_joint({{{row, 1.0}}, 0.0, period_of(row), drive});
  keep(*parts_, parts_->joints, {std::move(name), {}, frames, std::move(leaf), {}});
  return {first};
}

JointId Model::add_motor(std::string name, JointId joint, JointCoordinate coordinate, const PositionMotor& motor) {
  require_name(*parts_, "motor", name);
  const auto& held = joint_of(*parts_, name, joint);
  const JointRow row = coordinate_row(name, *held.type, coordinate);
  if (!motor.position) throw ModelError(name, "no function of time was given; see position_motor()");
  auto leaf = coordinate_joint({{{row, 1.0}}, 0.0, period_of(row), {.function = motor, .velocity = {}}});
  const std::vector<Frame> frames = held.frames;
  return keep(*parts_, parts_->joints, {std::move(name), {}, frames, std::move(leaf), {}});
}

JointId Model::add_motor(std::string name, JointId joint, JointCoordinate coordinate, const VelocityMotor& motor) {
  require_name(*parts_, "motor", name);
  const auto& held = joint_of(*parts_, name, joint);
  const JointRow row = coordinate_row(name, *held.type, coordinate);
  if (!motor.velocity) throw ModelError(name, "no function of time was given");
  auto leaf = coordinate_joint({{{row, 1.0}}, 0.0, period_of(row), {.function = {}, .velocity = motor}});
  const std::vector<Frame> frames = held.frames;
  return keep(*parts_, parts_->joints, {std::move(name), {}, frames, std::move(leaf), {}});
}

ForceId Model::add_motor(std::string name, JointId joint, JointCoordinate coordinate, const TorqueMotor& motor) {
  require_name(*parts_, "motor", name);
  const auto& held = joint_of(*parts_, name, joint);
  const JointRow row = coordinate_row(name, *held.type, coordinate);
  if (!motor.torque) throw ModelError(name, "no function of time was given");
  return keep(*parts_, parts_->forces, {std::move(name), {}, held.frames, torque_leaf(row, motor)});
}

JointId Model::add_gear(std::string name, JointId a, int teeth_a, JointId b, int teeth_b) {
  require_name(*parts_, "gear", name);
  const auto &first = joint_of(*parts_, name, a), &second = joint_of(*parts_, name, b);
  const JointRow rows[] = {coordinate_row(name, *first.type, JointCoordinate::angle),
                           coordinate_row(name, *second.type, JointCoordinate::angle)};
  if (a.index == b.index)
    throw ModelError(name, "both gears sit on the joint '" + first.name + "'; give two different joints");
  for (const int teeth : {teeth_a, teeth_b})
    if (teeth == 0 || teeth > most_teeth || teeth < -most_teeth)
      throw ModelError(name, "a gear has " + std::to_string(teeth) + " teeth; allowed is 1 to " +
                                 std::to_string(most_teeth) + ", negative for an internal gear");
  // Angles are known up to whole turns: their sum up to the greatest common divisor of the teeth.
  const double ratio = static_cast<double>(teeth_b) / teeth_a;
  const double period = full_turn * std::gcd(teeth_a, teeth_b) / std::abs(teeth_a);
  const double now = initial_value(*parts_, first, rows[0]) + ratio * initial_value(*parts_, second, rows[1]);
  auto leaf = coordinate_joint({{{rows[0], 1.0}, {rows[1], ratio}}, now, period, {}});
  std::vector<Frame> frames = joined(first.frames, second.frames);
  return keep(*parts_, parts_->joints, {std::move(name), {}, std::move(frames), std::move(leaf), {}});
}

JointId Model::add_rack(std::string name, JointId pinion, double radius, JointId slider) {
  require_name(*parts_, "rack", name);
  const auto &turning = joint_of(*parts_, name, pinion), &sliding = joint_of(*parts_, name, slider);
  const JointRow angle = coordinate_row(name, *turning.type, JointCoordinate::angle);
  const JointRow slide = coordinate_row(name, *sliding.type, JointCoordinate::slide);
  if (pinion.index == slider.index)
    throw ModelError(name, "pinion and rack are the same joint '" + turning.name + "'; a screw joint does that");
  if (radius == 0.0 || !std::isfinite(radius))
    throw ModelError(name, "the radius is " + to_text(radius) + " m; it must be finite and not zero");
  const double now = initial_value(*parts_, sliding, slide) - radius * initial_value(*parts_, turning, angle);
  auto leaf = coordinate_joint({{{slide, 1.0}, {angle, -radius}}, now, full_turn * std::abs(radius), {}});
  std::vector<Frame> frames = joined(sliding.frames, turning.frames);
  return keep(*parts_, parts_->joints, {std::move(name), {}, std::move(frames), std::move(leaf), {}});
}

ContactId Model::add_limits(std::string name, JointId joint, JointCoordinate coordinate, double lower, double upper,
                            ContactLaw law) {
  require_name(*parts_, "limits", name);
  const auto& held = joint_of(*parts_, name, joint);
  const JointRow row = coordinate_row(name, *held.type, coordinate);
  require_law(name, law);
  if (law.mu > 0.0)
    throw ModelError(name, "friction mu is " + to_text(law.mu) + ", but limits have no tangent; set mu = 0");
  if (!(lower < upper))
    throw ModelError(name,
                     "lower is " + to_text(lower) + " and upper is " + to_text(upper) + "; lower must be below upper");
  const bool from_below = std::isfinite(lower), from_above = std::isfinite(upper);
  if (!from_below && !from_above) throw ModelError(name, "both limits are infinite; give at least one");
  LimitRange range{lower, upper, 0.5 * lower + 0.5 * upper, turns_of(*parts_, held, row)};
  if (period_of(row) > 0.0 && !range.turns.known() && !(upper - lower < full_turn))
    throw ModelError(name, "lower is " + to_text(lower) + " and upper is " + to_text(upper) +
                               " rad; in space an angle is known within a turn only: give both limits, less than a "
                               "turn apart");
  if (range.turns.known() && from_below && from_above) start_between(*parts_, held, range);
  auto leaf = limits_leaf(row, range);
  const std::vector<Frame> frames = held.frames;
  return keep(*parts_, parts_->contacts, {std::move(name), law, std::move(leaf), {}, frames, -1, -1});
}

}  // namespace esc
