// Bodies and shapes in a results file: model/bodies and model/shapes.
#pragma once

#include "src/io/results_hdf5.hpp"

namespace esc::io {

void write_drawing(File& file, const Drawing& drawing);
Drawing read_drawing(const File& file, const Names& names);

}  // namespace esc::io
