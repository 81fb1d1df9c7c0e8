// Anderson's mixing for Newton loops that update their frames as a fixed point x -> f(x). Where that is slow or runs in
// a cycle, the next iterate is the combination of the last ones whose defects f(x) - x cancel best: the secant method
// of many directions, which is Newton's method with the tangents that the loop leaves out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <escapement/scratch.hpp>

namespace esc {

class Mixing {
 public:
  explicit Mixing(Scratch& scratch);

  static constexpr int patience = 8;  // iterations that a loop makes by itself

  void begin() { kept_ = 0; }
  std::vector<double>& weights() {
    return weights_;
  }  // of the squares of defects, by component: the caller writes them
  // The iterate that an iteration starts from, in one or two parts ...
  void start(std::span<const double> first, std::span<const double> second = {});
  // ... and where it has led, which the mixed iterate replaces.
  void mix(std::span<double> first, std::span<double> second = {});

 private:
  static constexpr int memory = 6;  // iterations
  double product(const double* a, const double* b) const;
  double* column(std::vector<double>& list, int k) { return list.data() + static_cast<std::size_t>(k) * x_.size(); }
  void weigh(double* share);

  std::vector<double>& x_;
  std::vector<double>&points_, &defects_;  // of the last iterations: f(x) and f(x) - x, a ring
  std::vector<double>& weights_;
  int kept_ = 0;  // iterations since begin()
};

}  // namespace esc
