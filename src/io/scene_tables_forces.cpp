// Tables of joints, contacts and forces, and of the simulation.
#include <algorithm>
#include <deque>
#include <map>
#include <string>

#include <escapement/schemes/halve.hpp>
#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

#include "src/io/scene_tables.hpp"

namespace esc::io {

namespace {

using field::boolean;
using field::choice;
using field::Count;
using field::formula;
using field::integer;
using field::list;
using field::number;
using field::table;
using field::text;

constexpr Field let_field{"let", Type::definitions, "",   {}, "names for parts of these formulas", 0, 0,
                          {},    nullptr,           false};
constexpr Field frame_a = table("a", frame_table, "first frame");
constexpr Field frame_b = table("b", frame_table, "second frame");
constexpr Field joint_field = text("joint", "name of a joint with an angle or a slide");
constexpr Field coordinate_field = choice("coordinate", joint_coordinate_names,
                                          "the angle of b about z of a, or the slide of b along the axis; needed "
                                          "only for a joint that has both")
                                       .optional();

// Joints.

constexpr std::array two_frames{frame_a, frame_b};
constexpr std::array distance_fields{frame_a, frame_b,
                                     number("length", "m", positive_range, "distance of the origins")};
constexpr std::array screw_fields{frame_a, frame_b,
                                  number("lead", "m", {}, "slide per turn; right-handed if positive")};
constexpr std::array gear_fields{
    list(Type::texts, "joints", "", {2, 2}, "the joints whose angles the gears tie"),
    list(Type::integers, "teeth", "", {2, 2}, "numbers of teeth; negative for an internal gear", Range{-1e6, 1e6})};
constexpr std::array rack_fields{text("pinion", "name of the joint that turns"),
                                 text("slider", "name of the joint that slides"),
                                 number("radius", "m", {}, "radius of the pinion; negative on its other side")};
constexpr std::array formula_joint_fields{
    list(Type::formulas, "equations", "m or rad", {1, 6}, "functions of t and coordinates that stay zero"), let_field};

constexpr std::array point_joint_fields{
    frame_a, table("b", frame_table, "second frame").optional(),
    list(Type::formulas, "equations", "m", {1, 6},
         "functions of t and of the places of the frames, a.x, a.y, a.z and b.x, b.y, b.z, that stay zero"),
    let_field};

constexpr std::array joint_fields{name_field};
constexpr std::array joint_kinds{
    Kind{"spherical", "free: all rotations", two_frames},
    Kind{"revolute", "free: rotation about z", two_frames},
    Kind{"prismatic", "free: slide along x of a", two_frames},
    Kind{"cylindrical", "free: rotation about z, slide along z of a", two_frames},
    Kind{"universal", "free: rotations about x of a and y of b", two_frames},
    Kind{"planar", "free: rotation about z, slides along x and y of a", two_frames},
    Kind{"fixed", "free: nothing", two_frames},
    Kind{"distance", "free: all but the distance of the origins", distance_fields},
    Kind{"screw", "free: rotation about z with a slide along z", screw_fields},
    Kind{"gear", "teeth a times angle a + teeth b times angle b stays constant", gear_fields},
    Kind{"rack", "slide - radius times angle stays constant", rack_fields},
    Kind{"formula", "functions of coordinates that stay zero", formula_joint_fields},
    Kind{"points", "functions of the places of one or two frames that stay zero", point_joint_fields},
};

// Contacts.

constexpr Field e_field = number("e", "1", {0.0, 1.0}, "restitution");
constexpr Field mu_field = number("mu", "1", nonnegative_range, "Coulomb friction");
constexpr std::array combination_fields{
    choice("combine_e", combination_names, "how the restitution of two materials becomes one").or_else("minimum"),
    choice("combine_mu", combination_names, "how the friction of two materials becomes one").or_else("minimum")};

constexpr std::array pair_fields{
    list(Type::texts, "shapes", "", {2, 2}, "the two shapes"),
    name_field,
    number("e", "1", {0.0, 1.0}, "restitution; needed unless both shapes have materials").optional(),
    number("mu", "1", nonnegative_range, "Coulomb friction; needed unless both shapes have materials").optional(),
    combination_fields[0],
    combination_fields[1]};
constexpr std::array every_pair_fields{
    boolean("every_pair",
            "true: every pair of shapes on different bodies that their groups admit, except bodies tied "
            "by a joint; named \"<a>/<b>\""),
    combination_fields[0], combination_fields[1]};
constexpr std::array gap_fields{
    list(Type::formulas, "gap", "m", {1, 100},
         "gap as a function of t and coordinates, or of t and the places of frames; positive where open; or several"),
    name_field,
    table("a", frame_table, "a frame: the formulas then use its place a.x, a.y, a.z and no coordinates").optional(),
    table("b", frame_table, "a second frame, with the place b.x, b.y, b.z").optional(),
    list(Type::formula_rows, "slip", "m", {0, 100},
         "functions whose rates are the tangential velocities: none, one or two; for several gaps a list for each")
        .optional(),
    e_field.or_else("0"),
    mu_field.or_else("0"),
    let_field};
constexpr std::array limit_fields{
    joint_field,
    name_field,
    coordinate_field,
    number("lower", "rad or m", {}, "lower end; an angle in space needs both ends, less than a turn apart").optional(),
    number("upper", "rad or m", {}, "upper end").optional(),
    e_field.or_else("0")};

constexpr std::array contact_kinds{
    Kind{"pair", "two shapes", pair_fields},
    Kind{"every-pair", "all pairs of shapes, with the laws of their materials", every_pair_fields},
    Kind{"gap", "a gap by a formula", gap_fields}, Kind{"limits", "the ends of a joint's travel", limit_fields}};

// Forces.

constexpr std::array force_fields{name_field};
constexpr Field tangents_field =
    choice("tangents", tangents_names,
           "implicit: with its derivatives, for stiff forces; none: without them, cheaper, for loads and soft forces")
        .or_else("implicit");
constexpr std::array gravity_fields{
    list(Type::numbers, "acceleration", "m/s^2", {2, 3}, "acceleration of every body and bar, (x, y) or (x, y, z)")};
constexpr std::array spring_fields{frame_a,
                                   frame_b,
                                   number("stiffness", "N/m", nonnegative_range, "stiffness"),
                                   number("damping", "N s/m", nonnegative_range, "damping").or_else("0"),
                                   number("length", "m", nonnegative_range, "length without tension").or_else("0"),
                                   tangents_field};
constexpr std::array damper_fields{frame_a, frame_b, number("damping", "N s/m", nonnegative_range, "damping"),
                                   tangents_field};
constexpr std::array joint_spring_fields{
    joint_field,
    coordinate_field,
    number("stiffness", "N m/rad or N/m", nonnegative_range, "stiffness").or_else("0"),
    number("damping", "N m s/rad or N s/m", nonnegative_range, "damping").or_else("0"),
    number("rest", "rad or m", {}, "value without tension; in space an angle from -pi to pi, by the short way")
        .or_else("0"),
    tangents_field};
constexpr std::array bushing_fields{
    frame_a, frame_b,
    list(Type::matrix, "stiffness", "N/m, N m/rad", {6, 6},
         "against three displacements and three rotations, in the axes of a"),
    list(Type::matrix, "damping", "N s/m, N m s/rad", {6, 6}, "against the rates of the same").optional(),
    tangents_field};
constexpr std::array motor_fields{
    joint_field, coordinate_field,
    formula("velocity", "rad/s or m/s", "holds the rate at this number, or function of t and inputs").optional(),
    formula("position", "rad or m", "holds the coordinate at this function of t").optional(),
    formula("torque", "N m or N", "exerts this number, or function of t and inputs, along the coordinate").optional()};
constexpr std::array wrench_fields{
    table("at", frame_table, "the frame at whose origin it acts"),
    list(Type::formulas, "force", "N", {2, 3}, "in the axes of the world: numbers, or functions of t and inputs")
        .or_else("[0, 0, 0]"),
    list(Type::formulas, "moment", "N m", {3, 3}, "in the axes of the world: numbers, or functions of t and inputs")
        .or_else("[0, 0, 0]")};
constexpr std::array formula_force_fields{
    list(Type::texts, "coordinates", "", {1, 200}, "the coordinates it acts on, \"<item>.<coordinate>\""),
    list(Type::formulas, "force", "N or N m", {1, 200},
         "one for each coordinate: formulas of t, these coordinates, their rates and inputs")
        .optional(),
    formula("potential", "J", "a potential energy of t and these coordinates").optional(),
    choice("audit", force_kind_names, "which line of the energy audit its work goes to").or_else("applied"),
    tangents_field,
    let_field};

constexpr std::array force_kinds{
    Kind{"gravity", "acts on every body and bar", gravity_fields},
    Kind{"spring", "spring and damper along the line between two frames", spring_fields},
    Kind{"damper", "damper along the line between two frames", damper_fields},
    Kind{"joint-spring", "spring and damper on the angle or slide of a joint", joint_spring_fields},
    Kind{"bushing", "stiffness and damping between two frames in all directions", bushing_fields},
    Kind{"motor", "drives the angle or slide of a joint; give one of velocity, position, torque", motor_fields},
    Kind{"wrench", "a given force and moment at a frame", wrench_fields},
    Kind{"formula", "a generalised force on coordinates", formula_force_fields},
};

// The tables whose rows come from options structs; built once, then constant.
struct Built {
  std::deque<std::string> texts;
  std::vector<Field> fields;
  Table table;
};

Field field_of(const FieldInfo& info, std::deque<std::string>& texts) {
  const auto keep = [&](const std::string& text) -> std::string_view { return texts.emplace_back(text); };
  Field field{keep(info.name), Type::number, keep(info.unit), info.range, keep(info.doc), 0, 0, info.names, nullptr};
  field.type = info.type == "integer"  ? Type::integer
               : info.type == "choice" ? Type::choice
               : info.type == "scheme" ? Type::scheme
                                       : Type::number;
  return field.or_else(keep(info.fallback));
}

std::vector<std::string_view> scheme_names() {
  std::vector<std::string_view> names;
  for (const SchemeEntry& entry : schemes()) names.push_back(entry.name);
  return names;
}

Field scheme_field(std::string_view fallback) {
  static const std::vector<std::string_view> names = scheme_names();
  return choice("scheme", names, "time-stepping scheme").or_else(fallback);
}

// By scheme: the rows of its options, after `first`.
std::map<std::string_view, Built> option_tables(std::string_view name, const std::vector<Field>& first) {
  std::map<std::string_view, Built> all;
  for (const SchemeEntry& entry : schemes()) {
    Built& b = all[entry.name];
    b.fields = first;
    for (const FieldInfo& info : entry.options()) b.fields.push_back(field_of(info, b.texts));
    b.table = {name, "", b.fields};
  }
  return all;
}

}  // namespace

const Table joint_table{"joint", "Two frames held together, or a function of coordinates that stays zero.",
                        joint_fields, joint_kinds};
const Table contact_table{"contact",
                          "What may touch: a pair of shapes, every pair, a gap formula, or limits of a joint.",
                          {},
                          contact_kinds,
                          true};
const Table force_table{"force", "A force, a motor, or gravity.", force_fields, force_kinds};

const Table& simulation_table() {
  static const Built built = [] {
    Built b;
    b.fields.push_back(scheme_field(default_scheme));
    for (const FieldInfo& info : describe<SimulateOptions>()) {
      b.fields.push_back(field_of(info, b.texts));
      b.fields.back().required = info.name == "step" || info.name == "until";
    }
    b.fields.push_back(
        integer("frames", {0.0, 1e9}, "states kept for results, at most; 0: every step").or_else("2000"));
    b.fields.push_back(
        Field{"options", Type::table, "", {}, "options of the scheme, [simulation.options]", 0, 0, {}, nullptr, false});
    return b;
  }();
  static const Table table{"simulation", "How to run the scene.", built.fields};
  return table;
}

const Table& scheme_table(std::string_view scheme) {
  static const auto built = option_tables("simulation.options", {});
  return built.at(scheme).table;
}

const Table& inner_scheme_table(std::string_view scheme) {
  static const auto built = option_tables("scheme", {scheme_field(default_inner_scheme)});
  return built.at(scheme).table;
}

}  // namespace esc::io
