// The metric of a projection as a function of the place, acary (59), given by the user: metric = user.
#pragma once

#include <span>

#include <escapement/export.hpp>

namespace esc {

class ESC_API ProjectionMetric {
 public:
  virtual ~ProjectionMetric() = default;
  // N^-1 at (t, q), symmetric and positive definite, one block per MatrixBlock: System::matrix_size() values laid out
  // as System::blocks() says, which come as zeros. Called in every Newton iteration, and by the certificate at the end
  // of the step: the same place must give the same bits.
  virtual void inverse(double t, std::span<const double> q, std::span<double> N_inverse) const = 0;
};

}  // namespace esc
