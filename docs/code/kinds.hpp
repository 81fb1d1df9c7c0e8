// The models of docs/joints.md, docs/forces.md and docs/shapes.md that stand beside a scene: every kind once. The scene
// of the same name describes the same model, and tests/scene_docs_test.cpp compares their motions.
#pragma once

#include <escapement/model.hpp>

namespace esc::docs {

Model joints();
Model forces();
Model shapes_in_the_plane();
Model shapes_in_space();

}  // namespace esc::docs
