// The friction cone of the contacts of a scheme, as its contact problems, modes and residuals need it.
#pragma once

#include <span>
#include <vector>

#include <escapement/cone_problem.hpp>
#include <escapement/contact.hpp>
#include <escapement/friction_cone.hpp>
#include <escapement/scratch.hpp>

namespace esc {

// The cone of a contact's law, by its rows, where the cone is round.
inline ConeKind cone_of(const RowBlock& contact) {
  return contact.row_count == 1 ? ConeKind::positive : contact.row_count == 2 ? ConeKind::coulomb2 : ConeKind::coulomb3;
}

class FrictionShape {
 public:
  FrictionShape() = default;  // round
  // Throws OptionError if the number of directions is odd: friction would differ forwards and backwards.
  FrictionShape(FrictionCone cone, int directions);

  bool round() const { return d_.empty(); }
  std::span<const double> directions() const { return d_; }  // as ConeProblem::directions; none: round
  ConeBlock block(const Contact& contact, int first) const {
    if (contact.row_count < 3 || round()) return {cone_of(contact), first, contact.law.mu, 0, 0};
    return {ConeKind::polyhedral, first, contact.law.mu, 0, static_cast<int>(d_.size() / 2)};
  }
  // What Coulomb's law bounds by mu P_N, of two rows T: their norm, or that whose unit ball is the polygon.
  double size(const double* T) const;
  // N s, where a contact in space slips faster than `slow`: how far its friction is from opposing the slip. Round:
  // |P_T + mu P_N U_T / |U_T||; polygon: the dissipation that it lacks, per slip.
  double misdirection(double mu, const double* P, const double* U, double slow) const;

 private:
  CacheVector d_;
};

}  // namespace esc
