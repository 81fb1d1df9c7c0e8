// Forces, motors and gravity.
#include <array>
#include <utility>

#include <escapement/ad/program.hpp>

#include "src/io/scene_builder.hpp"
#include "src/io/scene_tables.hpp"

namespace esc::io {

namespace {

Tangents tangents(Reader& force) { return static_cast<Tangents>(force.choice("tangents")); }

std::array<double, 36> full(const std::vector<std::vector<double>>& rows) {
  std::array<double, 36> matrix{};
  for (std::size_t i = 0; i < 6 && !rows.empty(); ++i)
    if (rows.size() == 1)
      matrix[7 * i] = rows[0][i];
    else
      for (std::size_t j = 0; j < 6; ++j) matrix[6 * i + j] = rows[i][j];
  return matrix;
}

constexpr int most_registers = 512;

// A function of time with its first two derivatives.
PositionMotor motion_of(const std::string& text, const ParameterValues& parameters) {
  ad::Tape tape;
  const ad::Expr t = tape.input();
  FormulaNames names(tape);
  names.set_time(t);
  for (const auto& [name, value] : parameters) names.add_parameter(name, value);
  const ad::Expr x = parse(text, names, {"the position of a motor", {.time = true}}).value;
  const ad::Expr rate = ad::derivative(x, t);
  const std::array<ad::Expr, 3> outputs{x, rate, ad::derivative(rate, t)};
  ad::Program program = ad::compile(std::array{t}, outputs);
  if (program.registers > most_registers) throw FormulaError(0, text.size(), "the formula is too long");
  return {[program = std::move(program)](double time) {
    std::array<double, most_registers> registers;
    std::array<double, 3> result{};
    program.run(&time, result.data(), registers.data());
    return result;
  }};
}

}  // namespace

void Builder::add_spring(Reader& force, const std::string& name) {
  const bool spring = force.kind() == "spring";
  const Spring data{.stiffness = spring ? force.number("stiffness") : 0.0,
                    .damping = force.number("damping"),
                    .length = spring ? force.number("length") : 0.0,
                    .tangents = tangents(force)};
  const Frame a = frame(force.table("a")), b = frame(force.table("b"));
  added(force, [&] { return scene_.model.add_spring(name, a, b, data); });
}

void Builder::add_joint_spring(Reader& force, const std::string& name) {
  const NamedJoint& of = joint(force, "joint", force.text("joint"));
  const JointSpring data{.stiffness = force.number("stiffness"),
                         .damping = force.number("damping"),
                         .rest = force.number("rest"),
                         .tangents = tangents(force)};
  const JointCoordinate along = coordinate(force, of);
  added(force, [&] { return scene_.model.add_joint_spring(name, of.id, along, data); });
}

void Builder::add_bushing(Reader& force, const std::string& name) {
  const Bushing data{.stiffness = full(force.matrix("stiffness")),
                     .damping = full(force.matrix("damping")),
                     .tangents = tangents(force)};
  const Frame a = frame(force.table("a")), b = frame(force.table("b"));
  added(force, [&] { return scene_.model.add_bushing(name, a, b, data); });
}

void Builder::add_motor(Reader& force, const std::string& name) {
  int given = 0;
  for (const std::string_view key : {"velocity", "position", "torque"}) given += force.has(key) ? 1 : 0;
  if (given != 1) force.refuse("a motor has one of velocity, position and torque; here are " + std::to_string(given));
  const NamedJoint& of = joint(force, "joint", force.text("joint"));
  const JointCoordinate along = coordinate(force, of);
  if (force.has("position")) {
    Labels labels;
    const std::string text = labelled(labels, "", force.formula("position"));
    const PositionMotor motor = made(force, labels, [&] { return motion_of(text, constants_.values()); });
    added(force, [&] { return scene_.model.add_motor(name, of.id, along, motor); });
    return;
  }
  const bool velocity = force.has("velocity");
  const double value = force.number(velocity ? "velocity" : "torque");
  const InputId input = added(
      force, [&] { return scene_.model.add_motor(name, of.id, along, velocity ? Motor::velocity : Motor::torque); });
  scene_.model.set_input(input, value);
}

void Builder::add_wrench(Reader& force, const std::string& name) {
  const Frame at = frame(force.table("at"));
  const auto linear = force.array<3>("force"), moment = force.array<3>("moment");
  const InputId first = added(force, [&] { return scene_.model.add_wrench(name, at); });
  for (int i = 0; i < 3; ++i) {
    scene_.model.set_input({first.index + i}, linear[i]);
    scene_.model.set_input({first.index + 3 + i}, moment[i]);
  }
}

void Builder::add_force(Reader force) {
  const std::string name = name_of(force);
  keep_place(name, force);
  const std::string_view kind = force.kind();
  if (kind == "gravity") {
    if (has_gravity_) force.refuse("there is gravity already; a scene has one");
    has_gravity_ = true;
    scene_.model.set_gravity(force.array<3>("acceleration"));
  } else if (kind == "spring" || kind == "damper") {
    add_spring(force, name);
  } else if (kind == "joint-spring") {
    add_joint_spring(force, name);
  } else if (kind == "bushing") {
    add_bushing(force, name);
  } else if (kind == "motor") {
    add_motor(force, name);
  } else if (kind == "wrench") {
    add_wrench(force, name);
  } else {
    add_formula_force(force, name);
  }
  force.finish();
}

}  // namespace esc::io
