// From the tables of a scene to a Model.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <escapement/formula/leaves.hpp>
#include <escapement/io/scene.hpp>
#include <escapement/model.hpp>

#include "src/io/scene_reader.hpp"

namespace esc::io {

class Builder {
 public:
  Builder(Constants& constants, Scene& scene) : constants_(constants), scene_(scene) {}

  // Bodies, coordinates and bars, then shapes, joints, contacts, forces: each in the order of the file.
  void build(Reader& scene);

 private:
  struct Shape {
    ShapeId id;
    bool has_material = false;
    Material material;
  };
  struct NamedJoint {
    JointId id;
    std::string kind;
  };

  void add_world(Reader world);
  void add_input(Reader input);
  void add_material(Reader material);
  void add_body(Reader body);
  BlockId add_planar_body(Reader& body, const std::string& name);
  BlockId add_space_body(Reader& body, const std::string& name);
  void add_coordinates(Reader coordinates);
  void add_bar(Reader bar);
  void add_shape(Reader shape, const std::string& body);
  void add_joint(Reader joint);
  void add_contact(Reader contact);
  void add_pair(Reader& contact);
  void add_gap(Reader& contact);
  void add_limits(Reader& contact);
  void add_force(Reader force);
  void add_spring(Reader& force, const std::string& name);
  void add_joint_spring(Reader& force, const std::string& name);
  void add_bushing(Reader& force, const std::string& name);
  void add_motor(Reader& force, const std::string& name);
  void add_wrench(Reader& force, const std::string& name);
  JointId add_formula_joint(Reader& item, const std::string& name);
  JointId add_point_joint(Reader& item, const std::string& name);
  void add_formula_force(Reader& force, const std::string& name);

  // The name of an item, which is a word and new; and where it stands.
  std::string name_of(Reader& item);
  void keep_place(const std::string& name, const Reader& item);
  BlockId keep_block(const std::string& name, BlockId id, const std::vector<std::string>& coordinates);

  // Notes an angle (rad) of more than a turn under this key, which is one in degrees more often than not.
  void doubt_angle(const std::string& item, const std::string& key, double angle);
  Frame frame(Reader reader);
  std::vector<Frame> points(Reader& item);
  BlockId body(Reader& reader, std::string_view key);
  const NamedJoint& joint(Reader& reader, std::string_view key, const std::string& name) const;
  JointCoordinate coordinate(Reader& reader, const NamedJoint& joint) const;
  const Shape& shape(Reader& reader, const std::string& name) const;
  Geometry solid_shape(Reader& body);
  PairFilter filter(Reader& shape);

  // Formulas. `labels` tell where the texts stand that FormulaError::formula names.
  using Labels = std::map<std::string, FormulaText>;
  std::string labelled(Labels& labels, const std::string& label, const FormulaText& formula);
  std::vector<std::string> labelled(Labels& labels, const std::string& label, const std::vector<FormulaText>& list);
  FormulaScope scope(Reader& item, Labels& labels);  // without coordinates
  double constant(const Reader& item, const std::string& key, const FormulaText& formula);
  bool vary(const std::vector<FormulaText>& formulas) const;
  void index_coordinates();
  int meaning(const FormulaScope& scope, const std::string& name) const;
  std::vector<int> used_coordinates(const Reader& item, FormulaScope& scope, const Labels& labels) const;
  std::vector<int> chosen_coordinates(Reader& item) const;
  void check_syntax(const Reader& item, const FormulaScope& scope, const Labels& labels) const;
  std::vector<Coordinates> narrow(const Reader& item, FormulaScope& scope, const Labels& labels) const;
  void check_coordinate_names(const Reader& item, const std::vector<std::string>& names) const;
  std::vector<Coordinates> grouped(const std::vector<int>& coordinates) const;
  template <class Make>
  auto made(const Reader& item, const Labels& labels, Make make) const;

  template <class Add>
  auto added(const Reader& item, Add add) const;

  struct NamedCoordinate {
    std::string name;
    BlockId block;
    int index = 0;
  };

  Constants& constants_;
  Scene& scene_;
  std::map<std::string, BlockId, std::less<>> bodies_;  // what frames may sit on
  std::map<std::string, Shape, std::less<>> shapes_;
  std::map<std::string, NamedJoint, std::less<>> joints_;
  std::map<std::string, Material, std::less<>> materials_;
  std::map<std::string, TextPlace, std::less<>> names_;
  std::vector<NamedCoordinate> coordinates_;               // all that formulas may use
  std::map<std::string_view, std::vector<int>> meanings_;  // full and short names of coordinates -> which
  std::vector<FormulaInput> inputs_;
  bool has_gravity_ = false;
};

// Rotation by the keys rotation, or axis and angle.
std::array<double, 4> rotation_of(Reader& reader);
Geometry geometry_of(Reader& reader);
ContactLaw law_of(Reader& contact);

[[noreturn]] void refuse_formula(const Reader& item, const FormulaError& error,
                                 const std::map<std::string, FormulaText>& labels);
// Without the name of the item that a ModelError begins with.
std::string message_of(const ModelError& error);
// The names of a map, for did_you_mean.
template <class Map>
std::vector<std::string_view> names_of(const Map& map) {
  std::vector<std::string_view> names;
  for (const auto& entry : map) names.push_back(entry.first);
  return names;
}

template <class Add>
auto Builder::added(const Reader& item, Add add) const {
  try {
    return add();
  } catch (const ModelError& error) {
    item.refuse(message_of(error));
  }
}

template <class Make>
auto Builder::made(const Reader& item, const Labels& labels, Make make) const {
  try {
    return make();
  } catch (const FormulaError& error) {
    refuse_formula(item, error, labels);
  }
}

}  // namespace esc::io
