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
  virtual int dofs() const = 0;
  virtual Storage storage() const = 0;
  virtual int half_bandwidth() const = 0;
  virtual bool constant_mass() const = 0;
  virtual bool linear() const = 0;
  virtual void check(const std::string& name) const = 0;
  virtual std::type_index type() const = 0;
  virtual std::unique_ptr<BlockSource> new_pool() const = 0;
  virtual void append(BlockSource& pool, const Slot& slot, const std::array<double, 3>& gravity) const = 0;
};

class ESC_API ForceLeaf {
 public:
  virtual ~ForceLeaf() = default;
  virtual int arity() const = 0;      // number of coordinates it takes
  virtual bool implicit() const = 0;  // its tangents enter the iteration matrix: the blocks it ties are merged
  virtual bool linear() const = 0;
  virtual std::type_index type() const = 0;
  virtual std::unique_ptr<ForceSource> new_pool() const = 0;
  // velocities[i]: which velocity (and coordinate) is argument i; values[i * n + j]: where A(i, j) stands, -1 if
  // dropped.
  virtual void append(ForceSource& pool, std::span<const int> velocities, std::span<const int> values) const = 0;
};

// What a contact pool needs to know of one of its items.
struct ContactPlace {
  std::uint32_t pair = 0;
  std::uint16_t source = 0;
  ContactLaw law;
  std::vector<Segment> segments;
};

class ESC_API ContactLeaf {
 public:
  virtual ~ContactLeaf() = default;
  virtual int arity() const = 0;  // number of coordinates it takes
  virtual bool has_slip() const = 0;
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
enum class Combination : std::uint8_t { minimum, mean, maximum };

class ESC_API Model {
 public:
  Model();
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  void set_gravity(std::array<double, 3> gravity);   // m/s^2, on bodies; default none
  void set_penetration_tolerance(double tolerance);  // m; an initial gap below minus this is an error; default 1e-9

  // Coordinates q with their own mass and force; see models/lagrangian.hpp for the ways to give them.
  BlockId add_coordinates(std::string name, std::vector<std::string> coordinate_names, std::unique_ptr<BlockLeaf> leaf,
                          std::vector<double> q, std::vector<double> v);
  BlockId add_planar_body(std::string name, const PlanarBody& body);
  BlockId add_bar(std::string name, const Bar& bar);

  // A gap function g(t, q) of some coordinates, see models/gap.hpp.
  ContactId add_contact(std::string name, std::vector<Coordinates> coordinates, std::unique_ptr<ContactLeaf> leaf,
                        ContactLaw law);
  ShapeId add_shape(std::string name, const Frame& frame, Geometry geometry, Material material = {},
                    PairFilter filter = {});
  ContactId add_contact(std::string name, ShapeId a, ShapeId b, ContactLaw law);
  // Every pair of shapes on different bodies that the filters admit, named "<a>/<b>".
  void add_contacts(Combination restitution, Combination friction);

  // A generalised force of some coordinates, see models/force.hpp.
  ForceId add_force(std::string name, std::vector<Coordinates> coordinates, std::unique_ptr<ForceLeaf> leaf);

  InputId add_input(std::string name, double value = 0.0);
  OutputId add_output(std::string name, OutputFunction function);

  struct Parts;
  const Parts& parts() const { return *parts_; }  // for compile()

 private:
  std::unique_ptr<Parts> parts_;
};

}  // namespace esc
