// What a user asks of a joint at a state: its coordinates and its reaction.
#include <limits>
#include <string>

#include <escapement/system.hpp>

#include "src/model/joint_rows.hpp"
#include "src/model/standard_joints.hpp"

namespace esc {

namespace {

struct WorldWrench {
  Vec3<double> force, moment;  // about the centre of mass of the body
};

// G^T lambda on the body whose columns start at `column` of the joint's rows.
WorldWrench wrench_on(const Anchor& anchor, const Pose<double>& body, const Joint& joint, const JointSet& set,
                      int column, std::span<const double> lambda) {
  double sum[6] = {};
  for (int row = 0; row < joint.row_count; ++row)
    for (int j = 0; j < anchor.dofs(); ++j)
      sum[j] += set.G[joint.first_value + row * joint.width + column + j] * lambda[joint.first_row + row];
  if (anchor.kind == BodyKind::planar) return {{sum[0], sum[1], 0.0}, {0.0, 0.0, sum[2]}};
  return {{sum[0], sum[1], sum[2]}, body.R * Vec3<double>{sum[3], sum[4], sum[5]}};
}

std::array<double, 3> scaled(double s, const Vec3<double>& a) { return {s * a.x, s * a.y, s * a.z}; }

}  // namespace

const System::JointFrames& System::frames_of(int joint) const {
  if (joint < 0 || joint >= static_cast<int>(joints_.size()))
    throw ModelError("joint", "there is no joint number " + std::to_string(joint));
  if (joint_frames_[joint].anchors.size() != 2)
    throw ModelError(joint_names_[joint], "it is not a joint between two frames");
  return joint_frames_[joint];
}

Reaction System::reaction(const State& x, int joint) const {
  const JointFrames& frames = frames_of(joint);
  require(x);
  if (!(x.impulse_time > 0.0)) return {};
  std::vector<double> scratch(scratch_size_);
  JointSet set;
  evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, set);
  return reaction(x, joint, frames, set);
}

void System::reactions(const State& x, std::span<Reaction> out) const {
  require(x);
  if (out.size() != joints_.size())
    throw ModelError("reactions", "there is room for " + std::to_string(out.size()) + " of them; the system has " +
                                      std::to_string(joints_.size()) + " joints");
  std::vector<double> scratch(scratch_size_);
  JointSet set;
  evaluate({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()}, set);
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const int joint = static_cast<int>(i);
    if (joint_frames_[i].anchors.size() != 2)
      out[i] = {{none, none, none}, {none, none, none}};
    else
      out[i] = x.impulse_time > 0.0 ? reaction(x, joint, joint_frames_[i], set) : Reaction{};
  }
}

Reaction System::reaction(const State& x, int joint, const JointFrames& frames, const JointSet& set) const {
  const Anchor &a = frames.anchors[0], &b = frames.anchors[1];
  const auto A = place(a, x.q.data()), B = place(b, x.q.data());
  const bool on_b = b.kind != BodyKind::ground;
  const Placed<double>& body = on_b ? B : A;
  const WorldWrench w = wrench_on(on_b ? b : a, body.body, joints_[joint], set, on_b ? a.dofs() : 0, x.joint_impulse);
  const Vec3<double> moment = w.moment - cross(B.frame.p - body.body.p, w.force);
  const double scale = (on_b ? 1.0 : -1.0) / x.impulse_time;
  return {scaled(scale, to_frame(A.frame.R, w.force)), scaled(scale, to_frame(A.frame.R, moment))};
}

double System::joint_coordinate(const State& x, int joint, JointCoordinate coordinate) const {
  const JointFrames& frames = frames_of(joint);
  if (!frames.type) throw ModelError(joint_names_[joint], "it has no coordinates");
  const JointRow row = coordinate_row(joint_names_[joint], *frames.type, coordinate);
  require(x);
  return row_value(row, place(frames.anchors[0], x.q.data()).frame, place(frames.anchors[1], x.q.data()).frame);
}

double System::joint_rate(const State& x, int joint, JointCoordinate coordinate) const {
  const JointFrames& frames = frames_of(joint);
  if (!frames.type) throw ModelError(joint_names_[joint], "it has no coordinates");
  const JointRow row = coordinate_row(joint_names_[joint], *frames.type, coordinate);
  require(x);
  const auto A = place_along(frames.anchors[0], x.q.data(), x.v.data());
  const auto B = place_along(frames.anchors[1], x.q.data(), x.v.data());
  return row_value(row, A.frame, B.frame).d[0];
}

}  // namespace esc
