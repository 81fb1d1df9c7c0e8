// What gaps of coordinates and gaps of points share: their programs, the pool that runs them, the leaf that owns them.
#pragma once

#include <memory>
#include <utility>

#include <escapement/models/contact_pool.hpp>

#include "src/formula/contact_rows.hpp"

namespace esc::formula {

// x are the coordinates of the formulas, x' their rates. Without friction only the rows of the gaps are evaluated.
struct GapPrograms {
  int n = 0, contacts = 0, slips = 0;          // n numbers in x
  bool affine = false;                         // every gap, in (t, q)
  ad::Program gaps;                            // (t, x) -> g of every contact
  ad::Program rows, rows_with_slip;            // (t, x) -> for every contact g, then g_x and g_t of each row
  ad::Program curvature, curvature_with_slip;  // (t, x, x') -> for every contact each row, then what the pool asks for
};

// second_rates(recording, contacts, rows) gives the outputs of the curvature.
template <class SecondRates>
GapPrograms compile_gaps(const Recording& recording, const RowsOfContacts& f, const SecondRates& second_rates) {
  const std::size_t rows = f[0].size();
  const std::vector<ad::Expr> position = recording.position(), motion = recording.motion();
  const auto compiled = [&](const std::vector<ad::Expr>& inputs, const std::vector<ad::Expr>& outputs) {
    return compile_for_stack(recording, inputs, outputs, "gap");
  };
  GapPrograms p;
  p.n = recording.n();
  p.contacts = static_cast<int>(f.size());
  p.slips = static_cast<int>(rows) - 1;
  p.gaps = compiled(position, gaps_of(f));
  p.rows = compiled(position, values_and_slopes(recording, f, 1));
  p.rows_with_slip = compiled(position, values_and_slopes(recording, f, rows));
  p.curvature = compiled(motion, second_rates(recording, f, 1));
  p.curvature_with_slip = compiled(motion, second_rates(recording, f, rows));
  return p;
}

struct GapItem {
  int n, contacts, rows;
  bool affine;
  ad::Program gaps, values, curvature;
  ContactPlace place;

  // Where the gap, the slopes and g_t of a contact begin in what `values` gives.
  int first_value(const Contact& contact) const { return static_cast<int>(contact.key.feature) * (1 + rows * (n + 1)); }
};

// The pool gives
//   static void coordinates(const ContactPlace& place, const double* q, double* x);
// and evaluate and curvature, which differ in how the slopes g_x become rows of G.
template <class Pool>
class FormulaGapPool : public SampledPool<Pool, GapItem> {
 public:
  template <class Wanted>
  void find(int i, double t, const double* q, const Wanted& wanted, ContactSet& set) const {
    double scratch[stack_scratch];
    const GapItem& item = this->items_[i];
    scratch[0] = t;
    Pool::coordinates(item.place, q, scratch + 1);
    const double* g = run(item.gaps, scratch);
    for (int k = 0; k < item.contacts; ++k) {
      const auto feature = static_cast<std::uint32_t>(k);
      if (wanted(feature, g[k])) emit(item.place, {i, feature, item.rows, g[k]}, set);
    }
  }

  double bend(int item) const { return this->items_[item].affine ? 0.0 : any_gap; }
};

template <class Pool>
class FormulaGapLeaf : public ContactLeaf {
 public:
  explicit FormulaGapLeaf(GapPrograms programs) : p_(std::move(programs)) {}
  bool has_slip() const override { return p_.slips > 0; }
  std::type_index type() const override { return typeid(FormulaGapLeaf); }
  std::unique_ptr<ContactSource> new_pool() const override { return std::make_unique<Pool>(); }
  void append(ContactSource& pool, ContactPlace place) const override {
    const bool slip = place.law.mu > 0.0;
    static_cast<Pool&>(pool).append({p_.n, p_.contacts, slip ? 1 + p_.slips : 1, p_.affine, p_.gaps,
                                     slip ? p_.rows_with_slip : p_.rows, slip ? p_.curvature_with_slip : p_.curvature,
                                     std::move(place)});
  }

 protected:
  GapPrograms p_;
};

}  // namespace esc::formula
