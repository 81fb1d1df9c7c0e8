// The kinds of joints between two frames A and B. Each frame sits on a body or on ground; both bodies are planar, or
// both are rigid bodies in space.
//
//              stays free             in the plane
//   Spherical  all rotations          rotation (as Revolute)
//   Revolute   rotation about z       rotation
//   Prismatic  slide along x of A     slide along x of A
//   Cylindrical  rotation about z, slide along z of A
//   Universal  rotations about x of A and y of B, which stay perpendicular
//   PlanarJoint  rotation about z, slides along x and y of A
//   Fixed      nothing                nothing
//   Distance   all but the distance of the origins
//   Screw      rotation about z with a slide along z of lead per turn
#pragma once

#include <cstdint>
#include <variant>

namespace esc {

struct Spherical {};
struct Revolute {};
struct Prismatic {};
struct Cylindrical {};
struct Universal {};
struct PlanarJoint {};
struct Fixed {};
struct Distance {
  double length = 1.0;  // m, > 0
};
struct Screw {
  double lead = 1e-3;  // m per turn, right-handed if positive
};
using JointType =
    std::variant<Spherical, Revolute, Prismatic, Cylindrical, Universal, PlanarJoint, Fixed, Distance, Screw>;

// What a joint leaves free, as a number: the angle of B about z of A in (-pi, pi], or the slide of B along the axis.
enum class JointCoordinate : std::uint8_t { angle, slide };

}  // namespace esc
