// Small statistics, for the papers' figures and for tests.
#pragma once

#include <cmath>
#include <span>

namespace esc::examples {

// Mean and standard deviation.
class Sample {
 public:
  void add(double value) {
    const double before = mean_;
    mean_ += (value - mean_) / ++count_;
    squares_ += (value - before) * (value - mean_);
  }
  int count() const { return count_; }
  double mean() const { return mean_; }
  double deviation() const { return std::sqrt(squares_ / count_); }

 private:
  int count_ = 0;
  double mean_ = 0.0, squares_ = 0.0;
};

// The order of convergence: slope of log error over log h, least squares.
inline double slope(std::span<const double> h, std::span<const double> error) {
  const auto n = static_cast<double>(h.size());
  double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double a = std::log(h[i]), b = std::log(error[i]);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace esc::examples
