// Model -> System.
#include <utility>

#include "src/model/compiler.hpp"

namespace esc {

System Compiler::compile() {
  if (parts_.blocks.empty()) throw ModelError("model", "there is no body and no coordinate; add at least one");
  find_components();
  lay_out_blocks();
  lay_out_couplings();
  lay_out_joints();
  make_block_pools();
  make_force_pools();
  make_joint_pools();
  make_contact_pools();
  finish_flags();
  finish_layout();
  check_initial_state();
  return std::move(system_);
}

System compile(const Model& model) { return Compiler(model.parts()).compile(); }

}  // namespace esc
