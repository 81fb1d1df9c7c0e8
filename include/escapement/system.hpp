// System: a compiled Model. Immutable arrays; evaluates masses, forces, tangents and contacts into the caller's
// workspace. One System may serve many schemes in many threads.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <escapement/block_matrix.hpp>
#include <escapement/contact.hpp>
#include <escapement/export.hpp>
#include <escapement/model.hpp>
#include <escapement/source.hpp>
#include <escapement/state.hpp>

namespace esc {

// `varying` skips what a cache may keep: blocks whose mass (or mass and tangents) cannot change.
enum class Part : std::uint8_t { all, varying };

class ESC_API System {
 public:
  System(System&&) noexcept;
  System& operator=(System&&) noexcept;
  ~System();

  int nq() const { return static_cast<int>(initial_.q.size()); }
  int nv() const { return static_cast<int>(initial_.v.size()); }
  const State& initial_state() const { return initial_; }

  // A fingerprint of what stands where in a State: names and units of coordinates, velocities, inputs, joint rows and
  // pairs, in order. Systems of one layout differ in numbers only, and take each other's states: to go on with another
  // mass, or in another process. A System that was moved from has a layout that no state has.
  std::uint64_t layout() const { return layout_.value; }
  // Throws ModelError, which says what is wrong, if x is not a state of this layout.
  void require(const State& x) const;

  // Names. Coordinates are "<item>.<coordinate>"; unknown names throw ModelError.
  std::span<const CoordinateName> coordinates() const { return coordinates_; }  // of q
  std::span<const CoordinateName> velocities() const { return velocities_; }    // of v; the same on a vector space
  int coordinate(std::string_view name) const;
  int velocity(std::string_view name) const;
  int input(std::string_view name) const;
  int output(std::string_view name) const;
  std::span<const std::string> input_names() const { return input_names_; }
  std::span<const std::string> output_names() const { return output_names_; }
  std::string contact_name(ContactKey key) const;
  ContactKey contact_key(std::string_view name, unsigned feature = 0) const;
  std::span<const std::string> pair_names() const { return pair_names_; }
  std::span<const std::string> pair_units() const { return pair_units_; }  // of their gaps: m, or rad
  int pairs() const { return static_cast<int>(pair_names_.size()); }
  std::span<const ContactLaw> pair_laws() const { return pair_laws_; }  // by ContactKey::pair
  // The columns of G that a pair has entries in.
  std::span<const Segment> pair_segments(std::uint32_t pair) const { return pair_segments_[pair]; }
  std::span<const std::string> joint_names() const { return joint_names_; }
  int joint(std::string_view name) const;
  // What compile() allowed but a user should know: redundant joints, inertia that no solid has, a start beside its
  // joints.
  std::span<const std::string> warnings() const { return warnings_; }

  // Structure.
  std::span<const MatrixBlock> blocks() const { return blocks_; }
  std::string block_name(int block) const;  // of the body or the coordinates
  int block_of(int velocity) const { return block_of_[velocity]; }
  int matrix_size() const { return matrix_size_; }    // values of M: the blocks
  int tangent_size() const { return tangent_size_; }  // values of Mhat: the blocks, then the couplings
  std::span<const Coupling> couplings() const { return couplings_; }
  std::span<const Component> components() const { return components_; }
  int component_of(int velocity) const { return component_of_block_[block_of_[velocity]]; }
  int scratch_size() const { return scratch_size_; }
  bool constant_matrix() const { return linear_; }  // every component is linear: the iteration matrix is constant
  // Linear, and no force beside the blocks: F is affine in (q, v), and one solve is the step between impacts.
  bool one_solve() const { return linear_ && force_sources_.empty() && joint_sources_.empty(); }
  bool constant_mass() const { return all_constant_mass_; }
  double penetration_tolerance() const { return penetration_tolerance_; }
  double joint_tolerance() const { return joint_tolerance_; }

  // M, F and A = sq K + sv C with K = -dF/dq, C = -dF/dv; y += alpha A x. Blocks that Part leaves out keep their
  // values.
  void mass(const Point& at, std::span<double> M, Part part) const;
  void force(const Point& at, std::span<double> F) const;
  void dynamics(const Point& at, std::span<double> M, std::span<double> F, Part part) const;
  void add_tangent(const Point& at, double sq, double sv, std::span<double> A, Part part) const;
  // dynamics() and add_tangent() of what varies, at once. Only where linearises().
  bool linearises() const { return linearises_; }
  void linearise(const Point& at, const TangentWeights& s, std::span<double> F, std::span<double> M,
                 std::span<double> A) const;
  void add_times(std::span<const double> A, double alpha, std::span<const double> x, std::span<double> y) const;
  Energy energy(const Point& at) const;
  Power power(const Point& at) const;

  // The manifold.
  void retract(std::span<const double> q, std::span<const double> xi, std::span<double> out) const;
  void difference(std::span<const double> q1, std::span<const double> q0, std::span<double> xi) const;
  void interpolate(std::span<const double> q0, std::span<const double> q1, double s, std::span<double> out) const;

  // Contacts.
  void detect(double t, std::span<const double> q, double reach, ContactSet& set) const;
  // The contacts with these keys, whatever their gap, as detect() gives them, in a time that grows with the keys alone.
  // Keys of no pair, or of a feature that does not hold at q, are left out: the number found is returned. Keys that do
  // not ascend are refused with ModelError.
  int collect(double t, std::span<const double> q, std::span<const ContactKey> keys, ContactSet& set) const;
  void evaluate(double t, std::span<const double> q, ContactSet& set) const;
  void curvature(double t, std::span<const double> q, std::span<const double> v, const ContactSet& set,
                 std::span<double> out) const;
  // What a motion passes. A pair is looked at if its gap at the end is within the reach for a motion of this size,
  // which is -infinity where nothing can be passed; `near` are those, ascending.
  bool may_pass(double size) const { return !(size <= passage_free_); }
  double passage_reach(double size) const;
  Passage passage(const Sweep& sweep, std::span<const Contact> near) const;

  // Joints, in the order of their components.
  std::span<const Joint> joints() const { return joints_; }
  int joint_rows() const { return joint_rows_; }
  void evaluate(const Point& at, JointSet& set) const;
  void joint_curvature(const Point& at, std::span<double> out) const;
  void add_joint_stiffness(const Point& at, std::span<const double> lambda, std::span<const double> w,
                           std::span<double> out) const;
  void reexpress_joints(const Point& at, JointSet& set, std::span<double> lambda) const;
  void add_joint_frame_tangent(const Point& at, double s, std::span<const double> lambda, std::span<double> A,
                               std::span<double> T) const;

  // Of a joint between two frames, by its place in joints(). They allocate: for reading results, not for a step.
  Reaction reaction(const State& x, int joint) const;
  void reactions(const State& x, std::span<Reaction> out) const;  // of all joints; NaN where there are no two frames
  double joint_coordinate(const State& x, int joint, JointCoordinate coordinate) const;  // rad or m
  double joint_rate(const State& x, int joint, JointCoordinate coordinate) const;        // rad/s or m/s

  void outputs(const State& state, std::span<double> y) const;

 private:
  friend class Compiler;
  System();

  struct Layout {
    std::uint64_t value = 0;
    Layout() = default;
    ESC_API Layout(Layout&& other) noexcept;
    ESC_API Layout& operator=(Layout&& other) noexcept;
  };

  struct JointFrames {
    std::vector<Anchor> anchors;
    std::optional<JointType> type;
  };
  const JointFrames& frames_of(int joint) const;
  Reaction reaction(const State& x, int joint, const JointFrames& frames, const JointSet& set) const;

  std::vector<std::unique_ptr<BlockSource>> block_sources_;
  std::vector<std::unique_ptr<ForceSource>> force_sources_;
  std::vector<std::unique_ptr<ContactSource>> contact_sources_;
  std::vector<std::unique_ptr<JointSource>> joint_sources_;
  std::vector<char> source_constant_mass_, source_linear_;  // all blocks this source writes to are
  std::vector<char> force_linear_;
  std::vector<MatrixBlock> blocks_;
  std::vector<int> block_of_;
  std::vector<int> component_of_block_;
  std::vector<Component> components_;
  std::vector<Coupling> couplings_;
  std::vector<Joint> joints_;
  std::vector<std::vector<Segment>> joint_segments_;  // by joint
  std::vector<JointFrames> joint_frames_;
  std::vector<CoordinateName> coordinates_, velocities_;
  std::unordered_map<std::string_view, int> coordinate_index_, velocity_index_;  // by name
  std::vector<std::string> input_names_, output_names_, pair_names_, pair_units_, joint_names_, warnings_;
  std::vector<ContactLaw> pair_laws_;
  std::vector<std::vector<Segment>> pair_segments_;
  std::vector<std::uint16_t> pair_sources_;  // by ContactKey::pair, ascending
  std::vector<SweepBound> sweep_bounds_;     // by contact source
  std::vector<OutputFunction> output_functions_;
  State initial_;
  Layout layout_;
  int matrix_size_ = 0;
  int tangent_size_ = 0;
  bool linearises_ = false;  // whether all sources whose tangents vary do
  int joint_rows_ = 0;
  int joint_values_ = 0;
  int scratch_size_ = 0;
  bool linear_ = false;
  bool all_constant_mass_ = false;
  bool euclidean_ = true;
  double penetration_tolerance_ = 0.0;
  double joint_tolerance_ = 0.0;
  double passage_free_ = 0.0;  // the least of the sources'
};

// Whether the state has the layout and the sizes of the system.
inline bool fits(const System& system, const State& x) {
  return x.layout == system.layout() && static_cast<int>(x.q.size()) == system.nq() &&
         static_cast<int>(x.v.size()) == system.nv() && x.u.size() == system.initial_state().u.size() &&
         static_cast<int>(x.joint_impulse.size()) == system.joint_rows();
}

// Throws ModelError naming the item at the first defect found.
[[nodiscard]] ESC_API System compile(const Model& model);

}  // namespace esc
