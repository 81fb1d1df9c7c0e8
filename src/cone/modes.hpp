// Which contacts are open, stick or slip, and Newton steps on the equations that follow from it.
#pragma once

#include <cstdint>
#include <vector>

#include "src/cone/best_point.hpp"
#include "src/cone/linear_cones.hpp"

namespace esc::cone {

class Modes {
 public:
  // From an impulse p and y = u + mu |u_T| e_N, in units in which W is one. A contact that rests to round-off sticks,
  // and so does one whose p is inside its cone by more than y over `inside`; one that moves is open or slips, and p
  // says which.
  void choose(const ConeProblem& own, const std::vector<double>& p, const std::vector<double>& y, double inside);
  // From p, until the best point is within tol or a few steps are made.
  void polish(const ConeProblem& own, const std::vector<double>& p, double tol, LinearCones& linear, BestPoint& best);

 private:
  enum class Mode : std::uint8_t { open, stick, slip };
  void write_equations(const ConeProblem& own);

  std::vector<Mode> mode_;
  std::vector<ConeRows> rows_;
  std::vector<double> p_, u_, dp_;
};

}  // namespace esc::cone
