// Joints, and contacts between shapes and at the limits of joints.
#include <limits>

#include "src/io/scene_builder.hpp"
#include "src/io/scene_tables.hpp"

namespace esc::io {

namespace {

JointType joint_type(Reader& joint) {
  const std::string_view kind = joint.kind();
  if (kind == "revolute") return Revolute{};
  if (kind == "prismatic") return Prismatic{};
  if (kind == "cylindrical") return Cylindrical{};
  if (kind == "universal") return Universal{};
  if (kind == "planar") return PlanarJoint{};
  if (kind == "fixed") return Fixed{};
  if (kind == "distance") return Distance{joint.number("length")};
  if (kind == "screw") return Screw{joint.number("lead")};
  return Spherical{};
}

}  // namespace

const Builder::NamedJoint& Builder::joint(Reader& reader, std::string_view key, const std::string& name) const {
  const auto found = joints_.find(name);
  if (found == joints_.end())
    reader.refuse(key, "there is no joint " + in_quotes(name) + did_you_mean(name, names_of(joints_)));
  return found->second;
}

// Only a joint that turns and slides leaves a choice.
JointCoordinate Builder::coordinate(Reader& reader, const NamedJoint& joint) const {
  if (reader.has("coordinate")) return static_cast<JointCoordinate>(reader.choice("coordinate"));
  if (joint.kind == "cylindrical" || joint.kind == "screw")
    reader.refuse("a " + joint.kind + " joint turns and slides; say coordinate = \"angle\" or \"slide\"");
  return joint.kind == "prismatic" ? JointCoordinate::slide : JointCoordinate::angle;
}

void Builder::add_joint(Reader item) {
  const std::string name = name_of(item);
  keep_place(name, item);
  JointId id;
  if (item.kind() == "gear") {
    const auto pair = item.texts("joints");
    const auto teeth = item.numbers("teeth");
    const JointId a = joint(item, "joints", pair[0]).id, b = joint(item, "joints", pair[1]).id;
    id = added(item, [&] {
      return scene_.model.add_gear(name, a, static_cast<int>(teeth[0]), b, static_cast<int>(teeth[1]));
    });
  } else if (item.kind() == "rack") {
    const JointId pinion = joint(item, "pinion", item.text("pinion")).id;
    const JointId slider = joint(item, "slider", item.text("slider")).id;
    const double radius = item.number("radius");
    id = added(item, [&] { return scene_.model.add_rack(name, pinion, radius, slider); });
  } else if (item.kind() == "formula") {
    id = add_formula_joint(item, name);
  } else if (item.kind() == "points") {
    id = add_point_joint(item, name);
  } else {
    const JointType type = joint_type(item);
    const Frame a = frame(item.table("a")), b = frame(item.table("b"));
    id = added(item, [&] { return scene_.model.add_joint(name, type, a, b); });
  }
  item.finish();
  joints_[name] = {id, std::string(item.kind())};
}

ContactLaw law_of(Reader& contact) { return {.e = contact.number("e"), .mu = contact.number("mu")}; }

const Builder::Shape& Builder::shape(Reader& reader, const std::string& name) const {
  const auto found = shapes_.find(name);
  if (found == shapes_.end())
    reader.refuse("shapes", "there is no shape " + in_quotes(name) + did_you_mean(name, names_of(shapes_)) +
                                "; a shape within a body is called <body>.<shape>");
  return found->second;
}

void Builder::add_pair(Reader& contact) {
  const std::string name = name_of(contact);
  keep_place(name, contact);
  const auto pair = contact.texts("shapes");
  const Shape &a = shape(contact, pair[0]), &b = shape(contact, pair[1]);
  const auto given = [&](std::string_view key, std::string_view rule, double Material::*value) {
    if (contact.has(key)) {
      if (contact.has(rule)) contact.refuse(rule, std::string(key) + " is given: there is nothing to combine");
      return contact.number(key);
    }
    for (int i = 0; i < 2; ++i)
      if (!(i == 0 ? a : b).has_material)
        contact.refuse("'" + std::string(key) + "' is missing, and shape " + in_quotes(pair[i]) +
                       " has no material; give " + std::string(key) + ", or both shapes a material");
    return combine(static_cast<Combination>(contact.choice(rule)), a.material.*value, b.material.*value);
  };
  const ContactLaw law{.e = given("e", "combine_e", &Material::e), .mu = given("mu", "combine_mu", &Material::mu)};
  contact.finish();
  added(contact, [&] { return scene_.model.add_contact(name, a.id, b.id, law); });
}

void Builder::add_limits(Reader& contact) {
  const std::string name = name_of(contact);
  keep_place(name, contact);
  const NamedJoint& of = joint(contact, "joint", contact.text("joint"));
  const JointCoordinate along = coordinate(contact, of);
  if (!contact.has("lower") && !contact.has("upper")) contact.refuse("limits need 'lower', 'upper' or both");
  constexpr double none = std::numeric_limits<double>::infinity();
  const double lower = contact.has("lower") ? contact.number("lower") : -none;
  const double upper = contact.has("upper") ? contact.number("upper") : none;
  const double e = contact.number("e");
  if (along == JointCoordinate::angle) {
    doubt_angle(name, "lower", lower);
    doubt_angle(name, "upper", upper);
  }
  contact.finish();
  added(contact, [&] { return scene_.model.add_limits(name, of.id, along, lower, upper, {.e = e}); });
}

void Builder::add_contact(Reader contact) {
  if (contact.kind() == "pair") return add_pair(contact);
  if (contact.kind() == "gap") return add_gap(contact);
  if (contact.kind() == "limits") return add_limits(contact);

  if (!contact.boolean("every_pair")) contact.refuse("every_pair", "every_pair is false; omit the contact");
  const auto e = static_cast<Combination>(contact.choice("combine_e"));
  const auto mu = static_cast<Combination>(contact.choice("combine_mu"));
  contact.finish();
  for (const auto& [name, shape] : shapes_)
    if (!shape.has_material)
      contact.refuse("shape " + in_quotes(name) + " has no material; contacts of every pair take their laws from them");
  added(contact, [&] {
    scene_.model.add_contacts(e, mu);
    return 0;
  });
}

}  // namespace esc::io
