// Motors and wrenches by formulas of t and of the inputs of the scope; its coordinates are not used.
//
//   model.add_motor("crank", hinge, JointCoordinate::angle, formula_torque(scope, "3*sin(2*pi*t)"));
#pragma once

#include <array>
#include <string>

#include <escapement/formula/leaves.hpp>
#include <escapement/models/forces.hpp>
#include <escapement/models/motor.hpp>

namespace esc {

// Of t alone: how fast an input moves is not known. FormulaError::formula is "position".
[[nodiscard]] ESC_API PositionMotor formula_position(const FormulaScope& scope, const std::string& text);
// "velocity"
[[nodiscard]] ESC_API VelocityMotor formula_velocity(const FormulaScope& scope, const std::string& text);
// "torque"
[[nodiscard]] ESC_API TorqueMotor formula_torque(const FormulaScope& scope, const std::string& text);
// Force x y z, moment x y z; an empty text is zero. "force[0]" ... "moment[2]"
[[nodiscard]] ESC_API GivenWrench formula_wrench(const FormulaScope& scope, const std::array<std::string, 6>& texts);

}  // namespace esc
