// The semismooth Newton iteration of bruels (37)-(46), with friction: one linear problem S_t x = -r over
//   x = [dv~, d shift / h, dW;  h dlambda~, d nu / h, dLambda;  d nu_N / h, dP]
// by blocks, joints and contacts. A contact is in A where nu_N - r g >= 0 and in B where P_N - r u_N >= 0 (38), u being
// what Newton's law is about; outside its multiplier is zero. Friction is Alart's and Curnier's: sticks where
// |P_T - r U_T| <= mu P_N, and P_T = mu P_N (P_T - r U_T) / |P_T - r U_T| elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/model/kkt_factor.hpp"
#include "src/schemes/parts/alpha_corrections.hpp"
#include "src/schemes/parts/alpha_step.hpp"
#include "src/schemes/parts/row_changes.hpp"

namespace esc {

class AlphaMonolithic {
  Scratch& memory_;

 public:
  AlphaMonolithic(const System& system, AlphaStep& motion, AlphaCorrections& corrections, double r, Scratch& scratch);

  void begin() {  // a step: no active set has been met
    met_ = 0;
    cycles_ = false;
  }
  // One iteration from the iterate, where AlphaStep::update() and AlphaCorrections::evaluate() have been: moves v~,
  // lambda~, W, shift and all multipliers. False: the matrix is singular, or too large; nothing has moved.
  [[nodiscard]] bool solve();
  // Whether the active sets of the last solve() are those of an earlier one in this step, with others between.
  bool cycles() const { return cycles_; }
  // At the new iterate: how far velocities are from the laws of the contacts, m/s.
  double law_defect();
  void settle();  // at a solution: no multiplier is negative by round-off
  void invalidate() { kkt_.forget(); }

  // The matrix (44) of the present iterate, without its factors. False: too large.
  [[nodiscard]] bool form() { return (know_contacts(), choose(), prepare()) && (fill(true), true); }
  KktFactor& matrix() { return kkt_; }

 private:
  enum class Friction : std::uint8_t { none, stick, slip };
  struct Row {          // of a contact that corrections know
    int law = -1;       // in the contacts of velocities; -1: at position level only
    double mass = 0.0;  // kg, about what it pushes
    bool in_A = false, in_B = false;
    Friction friction = Friction::none;
    double direction[2] = {}, trial = 0.0;  // of P_T - r U_T, and its length
  };
  using Mix = std::array<std::array<double, 3>, 3>;
  struct Place {  // a velocity
    int node = 0, local = 0;
  };
  struct Entry {  // of the values of M, K, C
    Place row, column;
    int edge = 0, value = 0;
  };

  void know_contacts();
  void choose();
  void note_sets();
  double mass_of(const ContactSet& set, const Contact& contact) const;
  [[nodiscard]] bool prepare() { return kkt_.shape(nodes_) && (find_changes(), find_way(), true); }
  void find_changes();
  void fill(bool turning);
  void change_of_joint(int item, int column, const double* dG, const double* dg_t);
  void change_of_contact(int item, int column, const double* dG, const double* dg_t);
  void change_of_mass(const MatrixBlock& block, int j, const double* dM);
  void find_way();
  void add_way();
  void fill_changes(bool turning);
  void change_joint(int item, bool turning);
  void change_contact(int item, bool turning);
  void add_turning(const KktFactor::Item& item, int level, double weight, const double* K);
  void fill_rest();
  void fill_joint(int item);
  void fill_contact(int item);
  template <class F>
  void each_entry(F&& f);
  template <class F>
  void each_coupled(F&& f);
  Mix mix_of(int k) const;
  double change_of_direction(int k, int a, int b) const;
  void find_residual();
  void project_to_least_norm();
  void apply();

  const Contact& contact(int k) const;
  const ContactSet& set_of(int k) const;

  const System& system_;
  AlphaStep& motion_;
  AlphaCorrections& corrections_;
  double r_;
  KktFactor kkt_;
  RowChanges changes_;
  std::vector<KktFactor::ContactNode> nodes_;
  std::vector<Row> rows_;
  std::vector<int> items_of_law_, items_of_normal_, first_square_, first_value_;
  std::array<std::uint64_t, 64> sets_{};
  int met_ = 0;
  bool cycles_ = false;
  std::vector<double>&x_ = memory_.vector(), &W_ = memory_.vector(), &r_p_ = memory_.vector(), &r_v_ = memory_.vector(),
  &K_ = memory_.vector(), &C_ = memory_.vector(), &dM_U_ = memory_.vector(), &dM_W_ = memory_.vector();
  // d(Gb^T lambda~)/dq, d(G^T nu)/dq, d(G^T P)/dq by item; d(Gb v~)/dq and d(G v)/dq laid out as G.
  std::vector<double>&H_s_ = memory_.vector(), &H_p_ = memory_.vector(), &H_v_ = memory_.vector(),
  &T_s_ = memory_.vector(), &T_v_ = memory_.vector(), &nu_ = memory_.vector();
  std::vector<double>&J_ = memory_.vector(), &n_ = memory_.vector(), &dq_ = memory_.vector(), &q_up_ = memory_.vector(),
  &q_down_ = memory_.vector();
};

}  // namespace esc
