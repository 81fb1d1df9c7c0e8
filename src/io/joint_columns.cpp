#include "src/io/joint_columns.hpp"

namespace esc::io {

std::vector<JointColumn> joint_columns(const System& system) {
  std::vector<JointColumn> columns;
  const State x = system.initial_state();
  const auto add = [&](int joint, JointCoordinate coordinate, const std::string& what, const std::string& unit) {
    try {
      static_cast<void>(system.joint_coordinate(x, joint, coordinate));
    } catch (const ModelError&) {
      return;  // it has no such coordinate
    }
    const std::string name = system.joint_names()[static_cast<std::size_t>(joint)] + "." + what;
    columns.push_back({{name, unit}, {name + "_rate", unit + "/s"}, joint, coordinate});
  };
  for (int joint = 0; joint < static_cast<int>(system.joint_names().size()); ++joint) {
    add(joint, JointCoordinate::angle, "angle", "rad");
    add(joint, JointCoordinate::slide, "slide", "m");
  }
  return columns;
}

JointValues joint_values(const System& system, const std::vector<JointColumn>& columns, const FrameTable& frames) {
  JointValues values;
  State x = system.initial_state();
  const auto part = [](const std::vector<double>& column, std::size_t row, std::vector<double>& to) {
    std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(row * to.size()), to.size(), to.begin());
  };
  for (std::size_t row = 0; row < frames.t.size(); ++row) {
    x.t = frames.t[row];
    part(frames.q, row, x.q);
    part(frames.v, row, x.v);
    part(frames.u, row, x.u);
    for (const JointColumn& column : columns) {
      values.position.push_back(system.joint_coordinate(x, column.joint, column.coordinate));
      values.rate.push_back(system.joint_rate(x, column.joint, column.coordinate));
    }
  }
  return values;
}

}  // namespace esc::io
