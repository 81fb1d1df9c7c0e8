// A look at a scene before it runs: what a careful colleague would ask about. What can only be wrong (no mass, e > 1,
// shapes that overlap, joints that do not fit) is refused before, when the scene is read and compiled.
//
// topic       facts, and warnings with the limits from which on they are given
// freedom     degrees of freedom and the rank of the joints
// joints      redundant ones by name; a start that did not fit and was moved by assembly = "project", or that a raised
//             joint_tolerance accepts
// gaps        the smallest one at the start; overlaps
// contacts    shapes that are in no pair; gaps that change neither with q nor with t: they can never close; those whose
//             e has no effect with the scheme of the scene; of those closed at the start (1e-6 m): impulses that
//             cancel, since the total friction cone is not pointed (potra 9.5), and obtuse kinetic angles
// step        how many (below 10, above 1e8) and where the last one ends; a gap that closes within two steps;
//             a play of which a step crosses more than half. Play is known where one shape encloses the other (disc in
//             ring; sphere, cylinder, pin or rim in hole; box in channel), and between two gaps of which one closes as
//             the other opens. The speed is the larger one of the relative speed at the start and sqrt(2 g play), that
//             of a fall through it; where both are zero, the speed is given at which a step crosses half.
// masses      the smallest and the largest inertia; those below 1e-12 or above 1e9
// units       gravity above 30 m/s^2; sizes of shapes and radii of gyration below 1e-6 m or above 100 m; bodies in
//             space denser than 25000 kg/m^3 in the largest ball that shapes and inertia allow; radii of gyration above
//             30 times the reach of the body's shapes
// stiffness   the highest frequency; fewer than 5 steps a period
// parameters  those that nothing uses
#pragma once

#include <string>
#include <vector>

#include <escapement/io/scene.hpp>
#include <escapement/system.hpp>

namespace esc::study {

enum class Severity { fact, warning };

struct Finding {
  Severity severity = Severity::fact;
  std::string topic;
  std::string item;  // name of the joint, contact, body, shape, coordinate or parameter; empty: the whole scene
  std::string text;
};

// The system is the compiled scene. Facts first, then warnings, each in a fixed order.
[[nodiscard]] std::vector<Finding> check(const io::Scene& scene, const System& system);

}  // namespace esc::study
