#include <escapement/formula/drives.hpp>

#include <algorithm>
#include <utility>

#include "src/formula/recording.hpp"

namespace esc {

namespace {

using ad::Expr;
using formula::Recording;

constexpr FormulaContents of_time{.time = true};
constexpr FormulaContents of_time_and_inputs{.time = true, .inputs = true};

// N functions of (t, u).
template <std::size_t N>
class TimeFunction {
 public:
  TimeFunction(const Recording& recording, const std::array<Expr, N>& values, const std::string& field)
      : inputs_(recording.inputs),
        program_(formula::compile_for_stack(recording, arguments(recording), values, field)) {}

  std::array<double, N> operator()(double t, const double* u) const {
    double scratch[formula::stack_scratch];
    double* to = scratch;
    *to++ = t;
    for (const int i : inputs_) *to++ = u[i];
    const double* out = formula::run(program_, scratch);
    std::array<double, N> result;
    std::copy_n(out, N, result.begin());
    return result;
  }

 private:
  static std::vector<Expr> arguments(const Recording& recording) {
    std::vector<Expr> list{recording.r.t};
    formula::append(list, recording.r.u);
    return list;
  }

  std::vector<int> inputs_;
  ad::Program program_;
};

}  // namespace

PositionMotor formula_position(const FormulaScope& scope, const std::string& text) {
  const Recording recording(scope, formula::OfTime{});
  const Expr x = recording.parse(text, {"position", "the position of a motor", of_time});
  const Expr rate = derivative(x, recording.r.t);
  const std::vector<double> none(scope.inputs.size());
  return {[drive = TimeFunction<3>(recording, {x, rate, derivative(rate, recording.r.t)}, "position"), none](double t) {
    return drive(t, none.data());
  }};
}

VelocityMotor formula_velocity(const FormulaScope& scope, const std::string& text) {
  const Recording recording(scope, formula::OfTime{});
  const Expr rate = recording.parse(text, {"velocity", "the velocity of a motor", of_time_and_inputs});
  return {TimeFunction<2>(recording, {rate, derivative(rate, recording.r.t)}, "velocity")};
}

TorqueMotor formula_torque(const FormulaScope& scope, const std::string& text) {
  const Recording recording(scope, formula::OfTime{});
  const Expr torque = recording.parse(text, {"torque", "the torque of a motor", of_time_and_inputs});
  return {
      [drive = TimeFunction<1>(recording, {torque}, "torque")](double t, const double* u) { return drive(t, u)[0]; }};
}

GivenWrench formula_wrench(const FormulaScope& scope, const std::array<std::string, 6>& texts) {
  const Recording recording(scope, formula::OfTime{});
  std::array<Expr, 6> values;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string field = (i < 3 ? "force[" : "moment[") + std::to_string(i % 3) + "]";
    values[i] = recording.parse_optional(texts[i], {field, i < 3 ? "a force" : "a moment", of_time_and_inputs});
  }
  return {TimeFunction<6>(recording, values, "force")};
}

}  // namespace esc
