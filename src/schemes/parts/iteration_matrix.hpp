// Mhat = M + sv C + sq K with the joint rows, and its factors; for theta-methods sv = h theta and sq = h^2 theta^2.
// Components that cannot change are a cache, factored once per (sq, sv); the others are scratch.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include <escapement/scratch.hpp>
#include <escapement/system.hpp>

#include "src/model/system_factor.hpp"

namespace esc {

// The joint rows of an iterate, and how they turn as its velocities grow by w: along retract(q, s w).
struct MovingRows {
  const JointSet& set;
  Point at;
  double s = 0.0;  // 0: they do not turn
  std::span<const double> lambda;
};

class IterationMatrix {
 public:
  IterationMatrix(const System& system, Scratch& scratch);

  // Brings the cache up to date for this step size; false if a component is singular.
  [[nodiscard]] bool prepare(const Point& at, TangentWeights weights) {
    return weights == weights_ || factor_constant(at, weights);
  }
  [[nodiscard]] bool prepare(const Point& at, double h, double theta) {
    return prepare(at, {h * h * theta * theta, h * theta});
  }
  // Factors the varying components from mass(), the tangents at this point and the joint rows; with keep_jointed only
  // those without joints, and the others keep their factors.
  [[nodiscard]] bool factor_varying(const Point& at, TangentWeights weights, const MovingRows& joints,
                                    bool keep_jointed);
  [[nodiscard]] bool factor_varying(const Point& at, double h, double theta, const MovingRows& joints,
                                    bool keep_jointed) {
    return factor_varying(at, {h * h * theta * theta, h * theta}, joints, keep_jointed);
  }

  // mass() and F at this point. With linearise(), where the system has it, the tangents too, for the next
  // factor_varying() there.
  void dynamics(const Point& at, std::span<double> F) {
    known_ = false;
    system_.dynamics(at, M_, F, Part::varying);
  }
  void linearise(const Point& at, double h, double theta, std::span<double> F);

  // The first block whose varying mass, as the caller has filled it, is not positive definite; -1: none. Masses that
  // are not finite do not count.
  [[nodiscard]] int lost_mass() { return system_.constant_mass() ? -1 : look_for_lost_mass(); }
  std::span<double> mass() { return M_; }  // constant blocks are kept; the caller fills the varying ones
  std::span<const double> mass() const { return M_; }
  SystemFactor& factor() { return factor_; }
  const SystemFactor& factor() const { return factor_; }
  void invalidate() { weights_ = none; }

 private:
  bool factor_constant(const Point& at, TangentWeights weights);
  void clear_varying();
  int look_for_lost_mass();
  void poison();

  const System& system_;
  CacheVector M_, A_;       // blocks that may change are scratch
  std::vector<double>& T_;  // G, and how it turns
  std::vector<double>& pivots_;
  std::vector<char> without_loops_;  // by component; in a loop T would hide that rows of G depend on each other
  SystemFactor factor_;
  bool varying_without_joints_ = false;
  bool known_ = false;  // whether A_ has the tangents of the last point, and nothing else
  static constexpr TangentWeights none{-1.0, -1.0};
  TangentWeights weights_ = none;  // of the cache
};

// Where a mass is lost no force is right: the step ends as one that is not finite, and the scheme says why.
inline void note_mass(IterationMatrix& matrix, Scratch& scratch, std::span<double> F) {
  const int lost = matrix.lost_mass();
  if (lost < 0) return;
  scratch.lost_mass = lost;
  std::fill(F.begin(), F.end(), std::numeric_limits<double>::quiet_NaN());
}

}  // namespace esc
