// Model: the mutable description. Bodies, coordinates, shapes, forces, contacts, inputs and outputs, by name.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <typeindex>
#include <vector>

#include <escapement/contact.hpp>
#include <escapement/error.hpp>
#include <escapement/export.hpp>
#include <escapement/models/anchor.hpp>
#include <escapement/models/forces.hpp>
#include <escapement/models/joints.hpp>
#include <escapement/models/motor.hpp>
#include <escapement/models/shapes.hpp>
#include <escapement/source.hpp>

namespace esc {

// Where an item stands in the arrays of a System.
struct Slot {
  int q0 = 0;
  int v0 = 0;
  int a0 = 0;      // first value of its part of a BlockMatrix
  int stride = 0;  // see MatrixView
};

struct CoordinateName {
  std::string name;
  std::string unit;
};

// Some coordinates of one block; the whole block where count is -1.
struct Coordinates {
  BlockId block;
  int first = 0;
  int count = -1;
  Coordinates(BlockId id, int first_coordinate = 0, int coordinate_count = -1)
      : block(id), first(first_coordinate), count(coordinate_count) {}
};

// Type-erased leaves: what the Model keeps until compile() sorts them into pools by type.
class ESC_API BlockLeaf {
 public:
  virtual ~BlockLeaf() = default;
  virtual int dofs() const = 0;                       // velocities
  virtual int coordinates() const { return dofs(); }  // more than velocities on a manifold
  virtual BodyKind body() const { return BodyKind::ground; }
  virtual Storage storage() const = 0;
  virtual int half_bandwidth() const = 0;
  virtual bool constant_mass() const = 0;
  virtual bool linear() const = 0;
  virtual void check(const std::string& name) const = 0;
  virtual std::type_index type() const = 0;
  virtual std::unique_ptr<BlockSource> new_pool() const = 0;
  virtual void append(BlockSource& pool, const Slot& slot, const std::array<double, 3>& gravity) const = 0;
};

// What a force pool needs to know of one of its items.
struct ForcePlace {
  std::vector<Anchor> anchors;   // of its frames, if it acts on frames
  std::vector<int> coordinates;  // which q is argument i, if it acts on coordinates
  std::vector<int> velocities;   // which v is argument i: of the frames' bodies one after the other, or coordinates
  std::vector<int> values;       // [i * n + j]: where A(i, j) stands, -1 if dropped
};

class ESC_API ForceLeaf {
 public:
  virtual ~ForceLeaf() = default;
  virtual int arity() const { return 0; }   // number of coordinates it takes, or
  virtual int frames() const { return 0; }  // number of frames it acts on
  virtual bool implicit() const = 0;        // its tangents enter the iteration matrix: the blocks it ties are merged
  virtual bool linear() const = 0;
  virtual std::type_index type() const = 0;
  virtual std::unique_ptr<ForceSource> new_pool() const = 0;
  virtual void append(ForceSource& pool, ForcePlace place) const = 0;
};

// What a joint pool needs to know of one of its items.
struct JointPlace {
  int first_row = 0;
  int first_value = 0;             // of G: rows x width, the columns in the order of the segments
  std::vector<Anchor> anchors;     // of its frames, if it ties frames; every body that moves has a segment, in order
  std::vector<Segment> arguments;  // its coordinates in q, if it ties coordinates
  std::vector<Segment> segments;   // its columns of G
};

class ESC_API JointLeaf {
 public:
  virtual ~JointLeaf() = default;
  virtual int rows() const = 0;
  virtual int arity() const { return 0; }         // number of coordinates it ties, or
  virtual int frames() const { return 0; }        // number of frames
  virtual bool position() const { return true; }  // false: rows on velocities only
  virtual std::type_index type() const = 0;
  virtual std::unique_ptr<JointSource> new_pool() const = 0;
  virtual void append(JointSource& pool, JointPlace place) const = 0;
};

// What a contact pool needs to know of one of its items.
struct ContactPlace {
  std::uint32_t pair = 0;
  std::uint16_t source = 0;
  ContactLaw law;
  std::vector<Anchor> anchors;     // of its frames, if it is between frames
  std::vector<Segment> arguments;  // its coordinates in q, if it is a gap function of coordinates
  std::vector<Segment> segments;   // its columns of G
};

class ESC_API ContactLeaf {
 public:
  virtual ~ContactLeaf() = default;
  virtual int arity() const { return 0; }   // number of coordinates it takes, or
  virtual int frames() const { return 0; }  // number of frames it is between
  virtual bool has_slip() const = 0;
  virtual std::string_view gap_unit() const { return "m"; }  // or "rad"
  virtual std::type_index type() const = 0;
  virtual std::unique_ptr<ContactSource> new_pool() const = 0;
  virtual void append(ContactSource& pool, ContactPlace place) const = 0;
};

using OutputFunction =
    std::function<double(double t, std::span<const double> q, std::span<const double> v, std::span<const double> u)>;

struct PlanarBody {
  double mass = 1.0;                        // kg, > 0
  double inertia = 1.0;                     // kg m^2 about the centre of mass, > 0
  std::array<double, 3> pose{0, 0, 0};      // x, y (m) of the centre of mass, phi (rad)
  std::array<double, 3> velocity{0, 0, 0};  // m/s, m/s, rad/s
};

// A rigid body in space. Its axes have their origin in the centre of mass.
struct RigidBody {
  double mass = 1.0;                           // kg, > 0
  std::array<double, 3> inertia{1, 1, 1};      // kg m^2, Jxx, Jyy, Jzz about the centre of mass
  std::array<double, 3> products{0, 0, 0};     // kg m^2, Jxy, Jxz, Jyz: the off-diagonal entries of J, as they stand
  std::array<double, 3> position{0, 0, 0};     // m
  std::array<double, 4> rotation{1, 0, 0, 0};  // unit quaternion (w, x, y, z), body axes to world axes
  std::array<double, 3> velocity{0, 0, 0};     // m/s, of the centre of mass, world axes
  std::array<double, 3> angular_velocity{0, 0, 0};  // rad/s, body axes
  bool allow_unphysical_inertia = false;  // moments that break the triangle inequality: a warning, not an error
};

// Mass and inertia of a solid of this shape and density (kg/m^3), its centre of mass at the origin of the shape's
// frame.
[[nodiscard]] ESC_API RigidBody solid(const Geometry& shape, double density);

// Linear-elastic bar of linear rod elements, acary Eq. (71); coordinates are the axial displacements of the nodes.
struct Bar {
  double length = 1.0;        // m
  double section = 1.0;       // m^2
  double young = 1.0;         // Pa
  double density = 1.0;       // kg/m^3
  int elements = 1;           // >= 1
  double displacement = 0.0;  // m, initial, of every node
  double velocity = 0.0;      // m/s, initial, of every node
};

// How the materials of two shapes become the law of their contact.
enum class Combination : std::uint8_t {
  minimum,
  mean,  // (a + b) / 2
  maximum,
  geometric_mean,  // sqrt(a b)
  product,
};

// e or mu of a contact from those of the two materials.
[[nodiscard]] ESC_API double combine(Combination rule, double a, double b);

// What compile() does with initial positions and velocities that break the joints.
enum class Assembly : std::uint8_t {
  refuse,   // ModelError with the size of the defect
  project,  // move to a state that fits: from not too far away the nearest one, in the metric of the mass
};

// Every function throws ModelError on a Model that was moved from.
class ESC_API Model {
 public:
  Model();
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  void set_gravity(std::array<double, 3> gravity);   // m/s^2, on bodies; default none
  void set_penetration_tolerance(double tolerance);  // m; an initial gap below minus this is an error; default 1e-9
  // Initial joint residuals beyond this (m or rad, and per second) are an error, or are projected away; default 1e-9.
  void set_joint_tolerance(double tolerance);
  void set_assembly(Assembly assembly);  // default refuse

  // Coordinates q with their own mass and force; see models/lagrangian.hpp for the ways to give them.
  BlockId add_coordinates(std::string name, std::vector<std::string> coordinate_names, std::unique_ptr<BlockLeaf> leaf,
                          std::vector<double> q, std::vector<double> v);
  BlockId add_planar_body(std::string name, const PlanarBody& body);
  BlockId add_rigid_body(std::string name, const RigidBody& body);
  BlockId add_bar(std::string name, const Bar& bar);

  // A gap function g(t, q) of some coordinates, see models/gap.hpp, or of frames.
  ContactId add_contact(std::string name, std::vector<Coordinates> coordinates, std::unique_ptr<ContactLeaf> leaf,
                        ContactLaw law);
  ContactId add_contact(std::string name, std::vector<Frame> frames, std::unique_ptr<ContactLeaf> leaf, ContactLaw law);
  ShapeId add_shape(std::string name, const Frame& frame, Geometry geometry, Material material = {},
                    PairFilter filter = {});
  ContactId add_contact(std::string name, ShapeId a, ShapeId b, ContactLaw law);
  // Every pair of shapes on different bodies that the filters admit, named "<a>/<b>"; e and mu of the two materials
  // combine by these rules. Two bodies that share a joint already added are left out (a body and ground are not).
  void add_contacts(Combination restitution, Combination friction);

  // A generalised force of some coordinates, see models/force.hpp ...
  ForceId add_force(std::string name, std::vector<Coordinates> coordinates, std::unique_ptr<ForceLeaf> leaf);
  // ... or between frames.
  ForceId add_force(std::string name, std::vector<Frame> frames, std::unique_ptr<ForceLeaf> leaf);

  // Two frames held together.
  JointId add_joint(std::string name, const JointType& type, const Frame& a, const Frame& b);
  // A function g(t, q) = 0 of some coordinates, or of frames.
  JointId add_joint(std::string name, std::vector<Coordinates> coordinates, std::unique_ptr<JointLeaf> leaf);
  JointId add_joint(std::string name, std::vector<Frame> frames, std::unique_ptr<JointLeaf> leaf);

  // Forces between two frames, see models/forces.hpp; any other law of a length is in models/line_force.hpp.
  ForceId add_spring(std::string name, const Frame& a, const Frame& b, const Spring& spring);
  // A given force (N) at the origin of the frame and moment (N m), in the axes of the world, from the inputs
  // "<name>.force_x" ... "<name>.moment_z"; returns the first of them.
  InputId add_wrench(std::string name, const Frame& at);
  ForceId add_wrench(std::string name, const Frame& at, const GivenWrench& wrench);
  ForceId add_bushing(std::string name, const Frame& a, const Frame& b, const Bushing& bushing);

  // On the coordinates of joints.
  ForceId add_joint_spring(std::string name, JointId joint, JointCoordinate coordinate, const JointSpring& spring);
  // Adds the inputs of the motor (models/motor.hpp) and returns the first. A position starts where the joint is.
  InputId add_motor(std::string name, JointId joint, JointCoordinate coordinate, Motor motor);
  JointId add_motor(std::string name, JointId joint, JointCoordinate coordinate, const PositionMotor& motor);
  JointId add_motor(std::string name, JointId joint, JointCoordinate coordinate, const VelocityMotor& motor);
  ForceId add_motor(std::string name, JointId joint, JointCoordinate coordinate, const TorqueMotor& motor);
  // teeth_a angle_a + teeth_b angle_b stays as it is now, in rad of joint a: two external gears turn against each
  // other, a negative number of teeth is an internal gear.
  JointId add_gear(std::string name, JointId a, int teeth_a, JointId b, int teeth_b);
  // slide - radius angle stays as it is now; radius in m, negative on the other side of the pinion.
  JointId add_rack(std::string name, JointId pinion, double radius, JointId slider);
  // lower <= coordinate <= upper, features 0 and 1; one of them may be infinite. An angle is measured within half a
  // turn of the middle between the limits, or of the only one. The gap is in rad or m.
  ContactId add_limits(std::string name, JointId joint, JointCoordinate coordinate, double lower, double upper,
                       ContactLaw law);

  // The frame on a body that is now at this place in the world (planar bodies: z = 0, rotation about z).
  Frame frame_at(BlockId body, std::array<double, 3> position, std::array<double, 4> rotation = {1, 0, 0, 0}) const;

  InputId add_input(std::string name, double value = 0.0);
  void set_input(InputId input, double value);  // at the start
  OutputId add_output(std::string name, OutputFunction function);

  struct Parts;
  const Parts& parts() const { return *parts_; }  // for compile()

 private:
  // A pointer that throws ModelError after it was moved from.
  class ESC_API Owned {
   public:
    Owned();
    Owned(Owned&&) noexcept;
    Owned& operator=(Owned&&) noexcept;
    ~Owned();
    Parts& operator*() const;
    Parts* operator->() const { return &**this; }

   private:
    std::unique_ptr<Parts> parts_;
  };
  Owned parts_;
};

}  // namespace esc
