// How contacts that are redundant share their load. Where W is singular many impulses give the same motion; the one
// of least norm among those that keep the laws is unique, and as symmetric as the contacts are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <escapement/cone_problem.hpp>
#include <escapement/scratch.hpp>

namespace esc {

class LoadSharing {
 public:
  explicit LoadSharing(Scratch& scratch)
      : axes_(scratch.vector()),
        A_(scratch.vector()),
        Q_(scratch.vector()),
        c_(scratch.vector()),
        y_(scratch.vector()),
        z_(scratch.vector()),
        F_(scratch.vector()),
        H_(scratch.vector()),
        D_(scratch.vector()),
        trial_(scratch.vector()) {}

  // What a contact may do without a change of the motion.
  enum class May : std::uint8_t { nothing, push, slip, stick };
  // p of least norm with the same W p, in place; W is dense. b are the velocities of the solution: a contact that slips
  // without a load yet has its friction against them. False: p is the only one, or none was found, and is untouched.
  [[nodiscard]] bool share(ConeProblem& problem, std::span<const May> may);
  // Whether two impulses may act, and are so far from redundant that a W of an iteration before says so.
  [[nodiscard]] bool alone(const ConeProblem& problem, std::span<const May> may);

 private:
  void reserve(int rows);
  void find_axes(const ConeProblem& problem, std::span<const May> may);
  bool clearly_apart(const ConeProblem& problem) const;  // of two axes
  int find_rows(const ConeProblem& problem);  // Q: an orthonormal basis of the rows of W along the axes; its size
  void project(std::span<const double> x, std::vector<double>& z) const;  // on the cones
  void differentiate(std::span<const double> x);                          // H = Q (d project / dx) Q^T
  bool newton(int rank);
  void expand(int rank, std::span<const double> y);  // trial = Q^T y

  struct Cone {
    int first, size;  // axes
    double mu;        // of more than one axis
  };
  std::vector<Cone> cones_;
  // Unit vectors in the space of p: row of the first entry, entries.
  struct Axis {
    int row, size;
  };
  std::vector<Axis> lines_;
  std::vector<double>&axes_, &A_, &Q_, &c_, &y_, &z_, &F_, &H_, &D_, &trial_;
};

}  // namespace esc
