// Joints and contacts by formulas of where points of bodies are: for bodies in space, whose own coordinates are no
// plain numbers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <escapement/formula/leaves.hpp>
#include <escapement/model.hpp>

namespace esc {

// Rows g(t, p) = 0, at most max_joint_rows, of one or two frames: a.x, a.y, a.z are where the origin of the first one
// is in the world (m), b.x, b.y, b.z that of the second. The coordinates of the scope are not used.
//
//   model.add_joint("wire", {Frame{bead}}, formula_point_joint(scope, 1, {"a.y - a.x^2", "a.z"}));
[[nodiscard]] ESC_API std::unique_ptr<JointLeaf> formula_point_joint(FormulaScope scope, int frames,
                                                                     const std::vector<std::string>& rows);

// Gaps g(t, p) >= 0 of one or two frames, and slips, by the same names.
//
//   model.add_contact("wavy floor", {Frame{bead}}, formula_point_gap(scope, 1, {{"a.z - sin(a.x)"}}), {.e = 0.5});
[[nodiscard]] ESC_API std::unique_ptr<ContactLeaf> formula_point_gap(FormulaScope scope, int frames,
                                                                     const std::vector<FormulaContact>& contacts);

}  // namespace esc
