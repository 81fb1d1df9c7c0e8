// One problem for the velocities of some contacts and the gaps of others: rows U of the former, then g / h of the
// latter; unknowns P, then tau / h. So both have the unit of a velocity and similar sizes. Dense, over all contacts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include <escapement/contact.hpp>

#include "src/math/vectors.hpp"
#include "src/schemes/parts/cone_solvers.hpp"
#include "src/schemes/parts/position_problem.hpp"
#include "src/schemes/parts/velocity_contacts.hpp"

namespace esc {

class CoupledRows {
  static ImpulseOptions exactly(ImpulseOptions options) { return (options.large_tol = 0.0, options); }

 public:
  CoupledRows(const ImpulseOptions& options, Scratch& scratch)
      : shape_(options.friction_cone, options.friction_directions), solvers_(exactly(options)) {
    scratch.on_poison([this] { problem_ = {}; });
  }

  struct Base {  // everything without the unknowns
    VelocityContacts& contacts;
    const PositionProblem& positions;
    const std::vector<double>& v;    // velocities
    const std::vector<double>& way;  // positions, from the iterate
    double h = 0.0;
    std::span<const char> held = {};  // by contact of the positions: g = 0
  };
  // rates(k, contact, out): what unknown k does to the velocities of a contact; gap(k, contact): to g / h.
  template <class Rates, class Gap>
  [[nodiscard]] SolveReport solve(const Base& base, Rates rates, Gap gap) {
    const ContactSet& set = base.contacts.set;
    const ContactSet& normals = base.positions.normals();
    const int velocities = set.rows(), rows = velocities + normals.size();
    if (!std::holds_alternative<DenseW>(problem_.W)) problem_.W.emplace<DenseW>();
    auto& W = std::get<DenseW>(problem_.W).a;
    W.assign(static_cast<std::size_t>(rows) * rows, 0.0);
    start(base, rows);
    for (const Contact& contact : set.contacts)
      for (int k = 0; k < rows; ++k) {
        double out[3] = {};
        rates(k, contact, out);
        for (int row = 0; row < contact.row_count; ++row) W[(contact.first_row + row) * rows + k] = out[row];
      }
    for (int i = 0; i < normals.size(); ++i)
      for (int k = 0; k < rows; ++k)
        W[static_cast<std::ptrdiff_t>(velocities + i) * rows + k] = gap(k, normals.contacts[i]);
    return solvers_.solve(problem_);
  }
  const std::vector<double>& solution() const { return problem_.p; }
  bool finite() const { return all_finite(problem_.b); }  // whether what the solver was given is

 private:
  // b, the cones and the first guess.
  void start(const Base& base, int rows) {
    const ContactSet& normals = base.positions.normals();
    const int velocities = base.contacts.set.rows();
    for (auto* list : {&problem_.b, &problem_.p, &problem_.u}) list->assign(rows, 0.0);
    problem_.cones.clear();
    problem_.directions.assign(shape_.directions().begin(), shape_.directions().end());
    for (const Contact& contact : base.contacts.set.contacts) {
      problem_.cones.push_back(shape_.block(contact, contact.first_row));
      base.contacts.rates(contact, base.v, &problem_.b[contact.first_row]);
    }
    for (int i = 0; i < normals.size(); ++i) {
      const Contact& contact = normals.contacts[i];
      const bool held = !base.held.empty() && base.held[i] != 0;
      problem_.cones.push_back({held ? ConeKind::free : ConeKind::positive, velocities + i, 0.0, 0, 0});
      double out = 0.0;
      times(normals, contact, base.way, &out);
      problem_.b[velocities + i] = (contact.gap + out) / base.h;
      problem_.p[velocities + i] = base.positions.tau[i] / base.h;
    }
    std::copy_n(base.contacts.P.begin(), velocities, problem_.p.begin());
  }

  FrictionShape shape_;
  ConeSolvers solvers_;
  ConeProblem problem_;
};

}  // namespace esc
