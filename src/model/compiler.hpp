// Model -> System, in the order in which compile() goes through it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <escapement/system.hpp>

#include "src/model/model_parts.hpp"
#include "src/model/planar_contacts.hpp"

namespace esc {

// By how much a start misses the joints most, and which.
struct JointDefect {
  double size = 0.0;
  std::size_t joint = 0;
};

class Compiler {
 public:
  explicit Compiler(const Model::Parts& parts) : parts_(parts) {}
  System compile();

 private:
  // compile_structure.cpp: components, the layout of q, v, M and the joint rows.
  void find_components();
  void lay_out_blocks();
  void lay_out_couplings();
  void lay_out_joints();
  void choose_owners();

  // compile_pools.cpp: the leaves sorted into pools by type.
  void make_block_pools();
  void make_force_pools();
  void make_joint_pools();
  void make_contact_pools();
  void finish_flags();
  void finish_layout();

  // compile_checks.cpp: the initial state.
  void check_initial_state();
  void check_mass(const Point& at);
  void check_joints();
  void check_joint_values(const Point& at);
  void refuse_redundancy(const Component& component, int deficiency) const;
  void find_redundant_rows();
  void assemble_positions();
  void assemble_velocities();
  void warn_of_start(const char* what, const char* unit, const JointDefect& defect);
  void check_contacts();

  int root(int block);
  std::vector<int> blocks_of(const std::vector<Coordinates>& coordinates, const std::vector<Frame>& frames) const;
  int value_index(const std::string& name, int row, int column) const;
  std::vector<int> velocities_of(const std::vector<Coordinates>& coordinates, const std::vector<Frame>& frames) const;
  std::vector<Segment> columns(const std::vector<Coordinates>& coordinates, const std::vector<Frame>& frames) const;
  std::vector<Segment> arguments(const std::vector<Coordinates>& coordinates) const;
  std::vector<Anchor> anchors(const std::vector<Frame>& frames) const;
  Anchor anchor(const Frame& frame) const;
  void require_space(const std::string& contact, const Model::Parts::Shape& shape) const;
  PlanarAnchor planar_anchor(const std::string& contact, const Model::Parts::Shape& shape) const;
  std::unique_ptr<ContactLeaf> pair_leaf(const Model::Parts::Contact& contact, ContactPlace& place) const;
  bool owned_rows_independent(const JointSet& set, int block, const std::vector<int>& joints) const;

  const Model::Parts& parts_;
  System system_;
  std::vector<int> parent_;                         // union-find over model blocks
  std::vector<Slot> slots_;                         // by model block
  std::vector<int> block_index_;                    // model block -> block of the System
  std::vector<int> joint_order_;                    // joint of the System -> model joint
  std::vector<JointPlace> joint_places_;            // by joint of the System
  std::vector<std::vector<int>> blocks_of_source_;  // matrix blocks that a block source writes to
  std::vector<std::vector<int>> blocks_of_force_;   // ... and a force source
};

}  // namespace esc
