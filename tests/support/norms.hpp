// Error norms over a grid, and orders of convergence.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace esc::test {

// Of the errors e_k at the grid times t_k: max |e_k|, h sum |e_k|, sqrt(h sum e_k^2).
class ErrorNorms {
 public:
  void add(double error) {
    largest_ = std::max(largest_, std::abs(error));
    sum_ += std::abs(error);
    squares_ += error * error;
  }
  double inf() const { return largest_; }
  double l1(double h) const { return h * sum_; }
  double l2(double h) const { return std::sqrt(h * squares_); }

 private:
  double largest_ = 0.0, sum_ = 0.0, squares_ = 0.0;
};

// Mean, standard deviation and extremes of samples.
class Sample {
 public:
  void add(double value) {
    const double before = mean_;
    ++count_;
    mean_ += (value - mean_) / count_;
    squares_ += (value - before) * (value - mean_);
    smallest_ = count_ == 1 ? value : std::min(smallest_, value);
    largest_ = count_ == 1 ? value : std::max(largest_, value);
  }
  int count() const { return count_; }
  double mean() const { return mean_; }
  double deviation() const { return count_ > 0 ? std::sqrt(squares_ / count_) : 0.0; }
  double min() const { return smallest_; }
  double max() const { return largest_; }

 private:
  int count_ = 0;
  double mean_ = 0.0, squares_ = 0.0, smallest_ = 0.0, largest_ = 0.0;
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

}  // namespace esc::test
