// Forces, motors and gravity.
#include <algorithm>
#include <array>

#include <escapement/formula/drives.hpp>

#include "src/formula/lexer.hpp"
#include "src/io/scene_builder.hpp"
#include "src/io/scene_tables.hpp"
#include "src/model/model_parts.hpp"

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

bool on_planar_body(const Model& model, const Frame& frame) {
  const auto& blocks = model.parts().blocks;
  const int body = frame.body.index;
  return body >= 0 && body < static_cast<int>(blocks.size()) && blocks[body].leaf->body() == BodyKind::planar;
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
  if (along == JointCoordinate::angle) doubt_angle(name, "rest", data.rest);
  added(force, [&] { return scene_.model.add_joint_spring(name, of.id, along, data); });
}

void Builder::add_bushing(Reader& force, const std::string& name) {
  const Bushing data{.stiffness = full(force.matrix("stiffness")),
                     .damping = full(force.matrix("damping")),
                     .tangents = tangents(force)};
  const Frame a = frame(force.table("a")), b = frame(force.table("b"));
  added(force, [&] { return scene_.model.add_bushing(name, a, b, data); });
}

// Whether formulas change in time: with t, or with an input. One that cannot be read does not.
bool Builder::vary(const std::vector<FormulaText>& formulas) const {
  const auto moves = [&](const formula::Token& token) {
    const auto same = [&](const FormulaInput& input) { return token.is(input.name); };
    return token.is("t") || std::any_of(inputs_.begin(), inputs_.end(), same);
  };
  for (const FormulaText& text : formulas) try {
      formula::Lexer lexer(text.text);
      for (auto token = lexer.next(); token.kind != formula::TokenKind::end; token = lexer.next())
        if (moves(token)) return true;
    } catch (const FormulaError&) {
      return false;
    }
  return false;
}

double Builder::constant(const Reader& item, const std::string& key, const FormulaText& formula) {
  return constants_.evaluate(formula.at, formula.text, item.item() + ": " + key);
}

// A velocity or torque that does not change is the value of an input at the start, as which a program may change it.
void Builder::add_motor(Reader& force, const std::string& name) {
  std::vector<std::string> given;
  for (const char* key : {"velocity", "position", "torque"})
    if (force.has(key)) given.emplace_back(key);
  if (given.size() != 1)
    force.refuse("a motor takes one of velocity, position and torque; given are " + std::to_string(given.size()));
  const NamedJoint& of = joint(force, "joint", force.text("joint"));
  const JointCoordinate along = coordinate(force, of);
  const std::string& key = given[0];
  const FormulaText formula = force.formula(key);
  const auto add = [&](const auto& motor) {
    return added(force, [&] { return scene_.model.add_motor(name, of.id, along, motor); });
  };
  if (key != "position" && !vary({formula})) {
    const double value = constant(force, key, formula);
    scene_.model.set_input(add(key == "velocity" ? Motor::velocity : Motor::torque), value);
    return;
  }
  Labels labels;
  const std::string text = labelled(labels, key, formula);
  const FormulaScope drive{{}, inputs_, constants_.values(), {}};
  if (key == "position")
    add(made(force, labels, [&] { return formula_position(drive, text); }));
  else if (key == "velocity")
    add(made(force, labels, [&] { return formula_velocity(drive, text); }));
  else
    add(made(force, labels, [&] { return formula_torque(drive, text); }));
}

void Builder::add_wrench(Reader& force, const std::string& name) {
  const Frame at = frame(force.table("at"));
  const std::vector<FormulaText> linear = force.formulas("force"), moment = force.formulas("moment");
  if (vary(linear) || vary(moment)) {
    Labels labels;
    std::array<std::string, 6> texts;
    std::ranges::copy(labelled(labels, "force", linear), texts.begin());
    std::ranges::copy(labelled(labels, "moment", moment), texts.begin() + 3);
    const FormulaScope drive{{}, inputs_, constants_.values(), {}};
    const GivenWrench wrench = made(force, labels, [&] { return formula_wrench(drive, texts); });
    added(force, [&] { return scene_.model.add_wrench(name, at, wrench); });
    return;
  }
  const InputId first = added(force, [&] { return scene_.model.add_wrench(name, at); });
  std::array<double, 6> wrench{};
  for (std::size_t i = 0; i < linear.size(); ++i) wrench[i] = constant(force, "force", linear[i]);
  for (std::size_t i = 0; i < moment.size(); ++i) wrench[3 + i] = constant(force, "moment", moment[i]);
  for (int i = 0; i < 6; ++i) scene_.model.set_input({first.index + i}, wrench[i]);
  if (on_planar_body(scene_.model, at) && (wrench[2] != 0.0 || wrench[3] != 0.0 || wrench[4] != 0.0))
    scene_.doubts.push_back(
        {name, "force '" + name + "' has a force along z or a moment about x or y; planar bodies do not feel it"});
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
