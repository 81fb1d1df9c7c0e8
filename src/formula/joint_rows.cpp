#include "src/formula/joint_rows.hpp"

namespace esc::formula {

using ad::Expr;

JointRows parse_joint(const Recording& recording, const std::vector<std::string>& rows) {
  if (rows.empty() || rows.size() > static_cast<std::size_t>(max_joint_rows))
    throw FormulaError(
        0, 0, "a joint has 1 to " + std::to_string(max_joint_rows) + " rows, not " + std::to_string(rows.size()),
        "joint");
  JointRows found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Expr g = recording.parse(rows[i], {"joint[" + std::to_string(i) + "]", "a joint", of_position});
    found.g.push_back(g);
    append(found.slopes, gradient(g, recording.r.q));
    found.g_t.push_back(derivative(g, recording.r.t));
    found.second_rates.push_back(recording.rate(recording.rate(g)));
  }
  return found;
}

std::vector<Expr> JointRows::values() const {
  std::vector<Expr> all = g;
  append(all, slopes);
  append(all, g_t);
  return all;
}

}  // namespace esc::formula
