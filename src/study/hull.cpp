#include "src/study/hull.hpp"

#include <limits>
#include <vector>

#include <Eigen/QR>

namespace esc::study {

namespace {

constexpr double no_slope = 1e-13;  // of a unit column
constexpr double no_weight = 1e-13;

// The least-squares solution over the columns of the set alone.
Eigen::VectorXd solved(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const std::vector<Eigen::Index>& set) {
  Eigen::MatrixXd part(A.rows(), static_cast<Eigen::Index>(set.size()));
  for (std::size_t i = 0; i < set.size(); ++i) part.col(static_cast<Eigen::Index>(i)) = A.col(set[i]);
  return part.completeOrthogonalDecomposition().solve(b);
}

}  // namespace

Eigen::VectorXd nearest_to_origin(const Eigen::MatrixXd& points) {
  Eigen::MatrixXd A(points.rows() + 1, points.cols());
  A << points, Eigen::RowVectorXd::Ones(points.cols());
  Eigen::VectorXd b = Eigen::VectorXd::Zero(A.rows()), w = Eigen::VectorXd::Zero(A.cols());
  b[points.rows()] = 1.0;
  std::vector<Eigen::Index> set;  // columns whose weight may be positive
  for (Eigen::Index round = 0; round < 3 * A.cols() + 10; ++round) {
    // The column that lowers the residual most joins the set.
    Eigen::VectorXd slope = A.transpose() * (b - A * w);
    for (const Eigen::Index j : set) slope[j] = -std::numeric_limits<double>::infinity();
    Eigen::Index best = 0;
    if (!(slope.maxCoeff(&best) > no_slope * A.col(best).norm())) break;
    set.push_back(best);

    // Back to the first weight that becomes negative, which leaves it.
    for (bool feasible = false; !feasible && !set.empty();) {
      const Eigen::VectorXd z = solved(A, b, set);
      double way = 1.0;
      for (std::size_t i = 0; i < set.size(); ++i)
        if (const double to = z[static_cast<Eigen::Index>(i)]; to <= 0.0)
          way = std::min(way, w[set[i]] / (w[set[i]] - to));
      feasible = way == 1.0;
      std::vector<Eigen::Index> left;
      for (std::size_t i = 0; i < set.size(); ++i) {
        w[set[i]] += way * (z[static_cast<Eigen::Index>(i)] - w[set[i]]);
        if (w[set[i]] > 0.0 && (feasible || w[set[i]] > no_weight))
          left.push_back(set[i]);
        else
          w[set[i]] = 0.0;
      }
      if (left.size() == set.size()) break;
      set = left;
    }
  }
  return w.sum() > 0.0 ? (w / w.sum()).eval() : w;
}

}  // namespace esc::study
