// The field tables of a scene.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "src/io/scene_fields.hpp"

namespace esc::io {

extern const Table scene_table, world_table, input_table, material_table, shape_table, frame_table, solid_table;
extern const Table body_table, coordinates_table, bar_table, joint_table, contact_table, force_table;

inline constexpr Field name_field = field::text("name", "its name in results, messages and other tables");

inline constexpr std::array<std::string_view, 5> combination_names{"minimum", "mean", "maximum", "geometric-mean",
                                                                   "product"};
inline constexpr std::array<std::string_view, 2> assembly_names{"refuse", "project"};
inline constexpr std::array<std::string_view, 2> axes_names{"body", "world"};
inline constexpr std::array<std::string_view, 2> joint_coordinate_names{"angle", "slide"};
inline constexpr std::array<std::string_view, 2> tangents_names{"implicit", "none"};
inline constexpr std::array<std::string_view, 2> force_kind_names{"applied", "damping"};

// [simulation]: from the options of simulate() and the registry of schemes.
const Table& simulation_table();
// [simulation.options] of a scheme.
const Table& scheme_table(std::string_view scheme);
// A scheme that another one holds: its name, then its options.
const Table& inner_scheme_table(std::string_view scheme);

// Every table of the reference, in the order of the page.
std::vector<const Table*> all_tables();

}  // namespace esc::io
