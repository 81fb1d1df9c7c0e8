// Ways to give a set of Lagrangian coordinates: a leaf struct (models/block_pool.hpp), functions, or energies.
#pragma once

#include <memory>
#include <utility>

#include <escapement/models/block_pool.hpp>

namespace esc {

namespace detail {

template <int N, class Mass, class Force, class Potential>
struct LagrangianLeaf {
  static constexpr int size = N;
  Mass mass_function;
  Force force_function;
  Potential potential_function;

  void mass(double t, const double* q, MatrixView M) const { mass_function(t, q, M); }
  template <class S>
  void force(const S& t, const S* q, const S* v, S* F) const {
    force_function(t, q, v, F);
  }
  double potential(double t, const double* q) const { return potential_function(t, q); }
};

struct NoPotential {
  double operator()(double, const double*) const { return 0.0; }
};

}  // namespace detail

// mass(t, q, M) fills M(i, j); force(t, q, v, F) is generic in its scalar type and fills F; potential(t, q) is
// optional.
template <int N, class Mass, class Force, class Potential = detail::NoPotential>
std::unique_ptr<BlockLeaf> lagrangian(Mass mass, Force force, Potential potential = {}) {
  return block(
      detail::LagrangianLeaf<N, Mass, Force, Potential>{std::move(mass), std::move(force), std::move(potential)});
}

}  // namespace esc
