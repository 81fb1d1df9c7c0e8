// Models from formulas: what Model::add_coordinates, add_contact, add_force and add_joint take. All derivatives are
// exact. FormulaError::formula says which text is wrong: "gap", "slip[1]" ("gap[2]", "slip[2][1]" where an item has
// several gaps), "force[2]", "mass[0][1]", "kinetic", "potential", "joint[0]".
//
//   const FormulaScope scope{.coordinates = {"theta"}, .parameters = {{"m", 1.0}, {"l", 0.5}}};
//   model.add_coordinates("pendulum", {"theta"},
//       formula_block(scope, FormulaEnergies{.kinetic = "m/2*(l*dot(theta))^2", .potential = "-m*9.81*l*cos(theta)"}),
//       {0.1}, {0.0});
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <escapement/formula.hpp>
#include <escapement/model.hpp>

namespace esc {

// A named input of the System: u[index], in the order in which the Model got its inputs.
struct FormulaInput {
  std::string name;
  int index = 0;
};

struct FormulaDefinition {
  std::string name;
  std::string text;
};

// What the formulas of one item may use.
struct FormulaScope {
  // In the order in which the item gets them. "crank.phi" may be written "phi" where no other name is or ends so.
  std::vector<std::string> coordinates;
  std::vector<FormulaInput> inputs = {};
  ParameterValues parameters = {};
  std::vector<FormulaDefinition> definitions = {};  // each may use those before it; errors name "definitions.<name>"
};

// Which coordinates of the scope the texts mention, directly or in definitions, ascending.
[[nodiscard]] ESC_API std::vector<int> used_coordinates(const FormulaScope& scope, std::span<const std::string> texts);

// Contacts g(t, q) >= 0 of one item, features 0, 1, ...; rates of the slips are the tangential velocities.
struct FormulaContact {
  std::string gap;                     // m
  std::vector<std::string> slip = {};  // m; none, one in the plane, two in space: as many for every gap of an item
};
[[nodiscard]] ESC_API std::unique_ptr<ContactLeaf> formula_gap(const FormulaScope& scope,
                                                               const std::vector<FormulaContact>& contacts);

// A generalised force on the coordinates of the scope: their components, or -dV/dq of a potential, or both together.
struct FormulaForce {
  std::vector<std::string> force = {};  // one for each coordinate (t, q, v, u), or none
  std::string potential = {};           // J, of t and q; may be empty
  ForceOptions options = {};            // the kind is that of `force`
};
[[nodiscard]] ESC_API std::unique_ptr<ForceLeaf> formula_force(const FormulaScope& scope, const FormulaForce& force);

// Rows g(t, q) = 0, at most max_joint_rows.
[[nodiscard]] ESC_API std::unique_ptr<JointLeaf> formula_joint(const FormulaScope& scope,
                                                               const std::vector<std::string>& rows);

// Lagrange's equations: see ad/lagrange.hpp.
struct FormulaEnergies {
  std::string kinetic;                  // J, of t, q and v, quadratic in v
  std::string potential = {};           // J, of t and q; may be empty
  std::vector<std::string> force = {};  // without potential, of t, q, v and u: one for each coordinate, or none
};
[[nodiscard]] ESC_API std::unique_ptr<BlockLeaf> formula_block(const FormulaScope& scope,
                                                               const FormulaEnergies& energies);
// Whether the kinetic energy has terms linear in v, whose change the energy audit does not have: ad/lagrange.hpp.
[[nodiscard]] ESC_API bool linear_in_rates(const FormulaScope& scope, const FormulaEnergies& energies);

// M(t, q) v' = F(t, q, v, u) - dV/dq: F has all terms on the right, also those of a mass that changes with q.
struct FormulaEquations {
  std::vector<std::vector<std::string>> mass = {};  // kg or kg m^2: rows of M ...
  std::vector<std::string> diagonal = {};           // ... or only its diagonal; errors name "mass[i]"
  std::vector<std::string> force = {};              // one for each coordinate, or none
  std::string potential = {};                       // J, of t and q; may be empty
};
[[nodiscard]] ESC_API std::unique_ptr<BlockLeaf> formula_block(const FormulaScope& scope,
                                                               const FormulaEquations& equations);

}  // namespace esc
