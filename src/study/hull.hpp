// Whether the origin is in the convex hull of some points.
#pragma once

#include <Eigen/Core>

namespace esc::study {

// The weights, >= 0 and with sum 1, of the point of the hull that is nearest to the origin; the points are columns.
// Lawson and Hanson's non-negative least squares for [points; 1 ... 1] w = (0, ..., 0, 1).
Eigen::VectorXd nearest_to_origin(const Eigen::MatrixXd& points);

}  // namespace esc::study
