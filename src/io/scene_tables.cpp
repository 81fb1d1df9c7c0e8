// Tables of the scene itself, of bodies and of what sits on them. Those of joints, contacts and forces are in
// scene_tables_forces.cpp.
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
using field::tables;
using field::text;

constexpr Range unit_range{0.0, 1.0};

// Frames and shapes.

constexpr std::array turned_fields{
    list(Type::numbers, "rotation", "1", {4, 4}, "unit quaternion (w, x, y, z)").optional(),
    list(Type::numbers, "axis", "1", {3, 3}, "instead of rotation: the axis of a turn, of any length").optional(),
    number("angle", "rad", {}, "angle of that turn; about z without an axis").optional()};

constexpr std::array frame_fields{
    text("body", "the body it sits on, or \"ground\"").or_else("ground"),
    list(Type::numbers, "position", "m", {2, 3}, "its origin, (x, y) or (x, y, z)").or_else("[0, 0, 0]"),
    choice("axes", axes_names,
           "body: position and rotation are in the axes of the body; world: they say where the frame is at "
           "the start")
        .or_else("body"),
    turned_fields[0],
    turned_fields[1],
    turned_fields[2]};

constexpr Field radius_field = number("radius", "m", positive_range, "radius");
constexpr std::array round_fields{radius_field};
constexpr std::array rectangle_fields{number("half_length", "m", positive_range, "half of the side along x"),
                                      number("half_height", "m", positive_range, "half of the side along y")};
constexpr std::array long_fields{radius_field,
                                 number("half_length", "m", positive_range, "half of the length along z")};
constexpr std::array capsule_fields{radius_field,
                                    number("half_length", "m", nonnegative_range, "half of the segment along z")};
constexpr std::array box_fields{list(Type::numbers, "half_sizes", "m", {3, 3}, "half of the sides", positive_range)};
constexpr std::array pin_fields{
    radius_field, number("half_length", "m", positive_range, "half of the length along z"),
    number("shoulder", "m", positive_range, "two shoulders face each other at z = -shoulder and +shoulder").optional()};
constexpr std::array hole_fields{
    radius_field,
    number("half_length", "m", positive_range, "the plate is |z| <= half_length; without it the hole has no ends")
        .optional()};
constexpr std::array channel_fields{number("half_width", "m", positive_range, "solid where |y| > half_width")};
constexpr std::array height_fields{
    list(Type::numbers, "spacing", "m", {2, 2}, "of the vertices along x and y", positive_range),
    integer("columns", {2.0, 1e5}, "vertices along x"),
    list(Type::numbers, "heights", "m", {4, 0}, "of the vertices, row by row along x")};

constexpr std::array geometry_kinds{
    Kind{"vertex", "the origin of its frame; planar and in space", {}},
    Kind{"disc", "planar", round_fields},
    Kind{"half-plane", "planar; solid below the x axis", {}},
    Kind{"ring", "planar; a hole, solid outside", round_fields},
    Kind{"rectangle", "planar", rectangle_fields},
    Kind{"sphere", "in space", round_fields},
    Kind{"half-space", "in space; solid below the xy plane", {}},
    Kind{"capsule", "in space; all points within the radius of a segment along z", capsule_fields},
    Kind{"box", "in space", box_fields},
    Kind{"cylinder", "in space; its axis along z", long_fields},
    Kind{"pin", "in space; a cylinder that runs in a hole", pin_fields},
    Kind{"hole", "in space; a bore along z, solid outside", hole_fields},
    Kind{"rim", "in space; the edge of a disc, a circle about z", round_fields},
    Kind{"channel", "in space; two walls", channel_fields},
    Kind{"height-field", "in space; solid below triangles over a grid", height_fields},
};

constexpr std::array<Field, 0> no_fields{};

constexpr std::array solid_kinds{
    Kind{"disc", "planar, density in kg/m^2", round_fields},
    Kind{"rectangle", "planar, density in kg/m^2", rectangle_fields},
    Kind{"sphere", "in space, density in kg/m^3", round_fields},
    Kind{"box", "in space, density in kg/m^3", box_fields},
    Kind{"cylinder", "in space, its axis along z, density in kg/m^3", long_fields},
    Kind{"capsule", "in space, along z, density in kg/m^3", capsule_fields},
};

constexpr std::array shape_fields{
    text("name", "its name in contacts; within a body it is \"<body>.<name>\""),
    text("body", "the body it sits on, or \"ground\"; not within [[body.shape]]").or_else("ground"),
    list(Type::numbers, "position", "m", {2, 3}, "of the shape's frame, in the axes of the body").or_else("[0, 0, 0]"),
    turned_fields[0],
    turned_fields[1],
    turned_fields[2],
    text("material", "name of a [[material]]").optional(),
    integer("group", {1.0, 32.0}, "for contacts of every pair: the group it is in").or_else("1"),
    list(Type::integers, "touches", "", {0, 32}, "for contacts of every pair: only shapes of these groups",
         Range{1.0, 32.0})
        .optional()};

// Bodies.

constexpr std::array body_fields{
    name_field, number("mass", "kg", positive_range, "mass; give it or a density").optional(),
    number("density", "kg/m^3", positive_range,
           "instead of mass and inertia, of solid or of the only shape; planar: kg/m^2")
        .optional(),
    table("solid", solid_table,
          "the solid that has this density, about the centre of mass; without it the body's only shape has it")
        .optional(),
    tables("shape", shape_table, "shapes that sit on the body, [[body.shape]]").optional()};

constexpr std::array planar_body_fields{
    number("inertia", "kg m^2", positive_range, "about the centre of mass").optional(),
    list(Type::numbers, "pose", "m, m, rad", {3, 3}, "x, y of the centre of mass, angle").or_else("[0, 0, 0]"),
    list(Type::numbers, "velocity", "m/s, m/s, rad/s", {3, 3}, "of the centre of mass, and rate of the angle")
        .or_else("[0, 0, 0]")};

constexpr std::array space_body_fields{
    list(Type::numbers, "inertia", "kg m^2", {3, 3}, "Jxx, Jyy, Jzz about the centre of mass", nonnegative_range)
        .optional(),
    list(Type::numbers, "products", "kg m^2", {3, 3}, "Jxy, Jxz, Jyz: off-diagonal entries of the inertia matrix")
        .or_else("[0, 0, 0]"),
    boolean("allow_unphysical_inertia", "true: moments that no solid has give a warning, not an error")
        .or_else("false"),
    list(Type::numbers, "position", "m", {3, 3}, "of the centre of mass").or_else("[0, 0, 0]"),
    turned_fields[0],
    turned_fields[1],
    turned_fields[2],
    list(Type::numbers, "velocity", "m/s", {3, 3}, "of the centre of mass, axes of the world").or_else("[0, 0, 0]"),
    list(Type::numbers, "angular_velocity", "rad/s", {3, 3}, "angular velocity").or_else("[0, 0, 0]"),
    choice("angular_velocity_axes", axes_names, "the axes in which it is given").or_else("body")};

constexpr std::array body_kinds{
    Kind{"planar", "a body in the xy plane; coordinates x, y, phi", planar_body_fields},
    Kind{"space", "a body in space; its axes have their origin in the centre of mass", space_body_fields}};

// Coordinates.

constexpr std::array coordinates_fields{
    name_field,
    list(Type::texts, "names", "", {1, 200}, "names of the coordinates, for formulas"),
    list(Type::numbers, "start", "", {1, 200}, "their values at the start; 0 where not given").optional(),
    list(Type::numbers, "rates", "", {1, 200}, "their rates at the start; 0 where not given").optional(),
    formula("potential", "J", "potential energy, of t and the coordinates").optional(),
    list(Type::formulas, "force", "", {1, 200}, "generalised forces without potential, one for each coordinate")
        .optional(),
    Field{"let", Type::definitions, "", {}, "names for parts of these formulas", 0, 0, {}, nullptr, false}};

constexpr std::array energy_fields{
    formula("kinetic", "J", "kinetic energy, of t, the coordinates and their rates dot(x)")};
constexpr std::array mass_fields{
    list(Type::formula_matrix, "mass", "", {1, 0}, "mass matrix; force must have all other terms of the equations")};

constexpr std::array coordinates_kinds{Kind{"energies", "Lagrange's equations from energies", energy_fields},
                                       Kind{"equations", "mass times acceleration is force", mass_fields}};

constexpr std::array bar_fields{name_field,
                                number("length", "m", positive_range, "length"),
                                number("section", "m^2", positive_range, "area of the cross section"),
                                number("young", "Pa", positive_range, "Young's modulus"),
                                number("density", "kg/m^3", positive_range, "density"),
                                integer("elements", {1.0, 1e5}, "number of elements; the coordinates are u0, u1, ..."),
                                number("displacement", "m", {}, "of every node at the start").or_else("0"),
                                number("velocity", "m/s", {}, "of every node at the start").or_else("0")};

constexpr std::array material_fields{text("name", "its name in shapes"),
                                     number("e", "1", unit_range, "restitution").or_else("0"),
                                     number("mu", "1", nonnegative_range, "Coulomb friction").or_else("0")};

constexpr std::array input_fields{
    name_field, number("value", "", {}, "its value at the start; formulas of forces may use it").or_else("0")};

constexpr std::array world_fields{
    choice("assembly", assembly_names, "a start that breaks the joints is refused, or moved to one that fits")
        .or_else("refuse"),
    number("joint_tolerance", "m or rad", positive_range, "a start that misses the joints by less is accepted")
        .or_else("1e-9"),
    number("penetration_tolerance", "m", nonnegative_range, "a start that overlaps by less is accepted")
        .or_else("1e-9")};

constexpr std::array scene_fields{
    integer("version", {1.0, 1.0}, "version of the format: 1"),
    text("title", "one line that says what the scene shows").optional(),
    list(Type::texts, "include", "", {0, 0}, "files that are read first, relative to this one").optional(),
    Field{
        "parameters", Type::definitions, "", {}, "numbers, and formulas of other parameters", 0, 0, {}, nullptr, false},
    table("world", world_table, "what holds for the whole model").optional(),
    tables("input", input_table, "named inputs").optional(),
    tables("material", material_table, "what surfaces are made of").optional(),
    tables("body", body_table, "rigid bodies").optional(),
    tables("coordinates", coordinates_table, "Lagrangian coordinates with their own mass and force").optional(),
    tables("bar", bar_table, "linear-elastic bars").optional(),
    tables("shape", shape_table, "shapes on ground, or on any body").optional(),
    tables("joint", joint_table, "what is held together").optional(),
    tables("contact", contact_table, "what may touch").optional(),
    tables("force", force_table, "forces and motors").optional(),
    Field{"simulation", Type::table, "", {}, "how to run it", 0, 0, {}, nullptr, true}};

}  // namespace

const Table frame_table{"frame", "A frame on a body or on ground.", frame_fields};
const Table solid_table{"solid", "A homogeneous solid.", no_fields, solid_kinds};
const Table shape_table{"shape", "A shape that may touch others.", shape_fields, geometry_kinds};
const Table body_table{"body", "A rigid body.", body_fields, body_kinds};
const Table coordinates_table{
    "coordinates", "Coordinates with their own mass and force, by formulas: from energies, or from mass and force.",
    coordinates_fields, coordinates_kinds, true};
const Table bar_table{"bar", "A linear-elastic bar of linear elements; coordinates are the displacements of its nodes.",
                      bar_fields};
const Table material_table{"material", "Restitution and friction of a surface.", material_fields};
const Table input_table{"input", "A number that a controller may change while the scene runs.", input_fields};
const Table world_table{"world", "What holds for the whole model.", world_fields};
const Table scene_table{"scene", "The file itself.", scene_fields};

std::vector<const Table*> all_tables() {
  return {&scene_table,   &world_table, &body_table,     &solid_table,       &coordinates_table,
          &bar_table,     &shape_table, &material_table, &joint_table,       &frame_table,
          &contact_table, &force_table, &input_table,    &simulation_table()};
}

}  // namespace esc::io
