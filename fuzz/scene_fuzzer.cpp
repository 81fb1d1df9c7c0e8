// Text is read as a scene and compiled; text without a line end is taken for a formula in a small scene. Both succeed
// or throw SceneError: anything else is a bug.
#include <cstddef>
#include <cstdint>
#include <string>

#include <escapement/formula/leaves.hpp>
#include <escapement/io/scene.hpp>

namespace {

void read_scene(const std::string& text) {
  try {
    const esc::io::Scene scene = esc::io::parse_scene(text, "no_such_folder/scene.toml");
    const esc::System system = esc::io::compile_scene(scene);
    const esc::State& x = system.initial_state();
    esc::ContactSet contacts;
    system.detect(x.t, x.q, esc::any_gap, contacts);
  } catch (const esc::io::SceneError&) {
  }
}

void read_formula(const std::string& text) {
  const esc::FormulaScope scope{.coordinates = {"a.x", "a.y", "b.phi"}, .parameters = {{"k", 2.0}, {"m", 0.5}}};
  try {
    static_cast<void>(esc::formula_gap(scope, {{text, {"a.x"}}}));
    static_cast<void>(esc::formula_force(scope, {.force = {text, "0", "1"}}));
    static_cast<void>(esc::formula_joint(scope, {text}));
  } catch (const esc::FormulaError& error) {
    if (error.position > text.size()) __builtin_trap();
  }
  try {
    static_cast<void>(esc::formula_block(scope, esc::FormulaEnergies{.kinetic = text}));
  } catch (const esc::FormulaError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.find('\n') == std::string::npos)
    read_formula(text);
  else
    read_scene(text);
  return 0;
}
