#include <utility>

#include <escapement/formula/points.hpp>
#include <escapement/models/contact_pool.hpp>

#include "src/formula/contact_rows.hpp"
#include "src/formula/frame_points.hpp"

namespace esc {

namespace {

using ad::Expr;
using formula::run;

// p are the positions of the points, one after the other: 3 or 6 numbers. Without friction only the rows of the gaps
// are evaluated.
struct PointGapPrograms {
  int frames = 1, contacts = 0, slips = 0;
  ad::Program gaps;                            // (t, p) -> g of every contact
  ad::Program rows, rows_with_slip;            // (t, p) -> for every contact g, then g_p and g_t of each row
  ad::Program curvature, curvature_with_slip;  // (t, p, p') -> for every contact each row, then g_p of each row
};

struct PointGapItem {
  int n, contacts, rows;  // n numbers in p
  ad::Program gaps, values, curvature;
  ContactPlace place;
};

class PointGaps final : public SampledPool<PointGaps, PointGapItem> {
 public:
  using Item = PointGapItem;

  template <class Wanted>
  void find(int i, double t, const double* q, const Wanted& wanted, ContactSet& set) const {
    double scratch[formula::stack_scratch];
    const Item& item = items_[i];
    scratch[0] = t;
    formula::place_points(item.place.anchors, q, scratch + 1);
    const double* g = run(item.gaps, scratch);
    for (int k = 0; k < item.contacts; ++k) {
      const auto feature = static_cast<std::uint32_t>(k);
      if (wanted(feature, g[k])) emit(item.place, {i, feature, item.rows, g[k]}, set);
    }
  }

  void evaluate(double t, const double* q, std::span<Contact> mine, ContactSet& set) const override {
    double scratch[formula::stack_scratch];
    for (Contact& contact : mine) {
      const Item& item = items_[contact.item];
      scratch[0] = t;
      const formula::Points points = formula::place_points(item.place.anchors, q, scratch + 1);
      const double* from = run(item.values, scratch) + contact.key.feature * (1 + item.rows * (item.n + 1));
      contact.gap = *from++;
      double* G = set.G.data() + contact.first_value;
      for (int row = 0; row < contact.rows; ++row) {
        G = formula::write_slope(item.place.anchors, points, from, G);
        from += item.n;
        set.g_t[contact.first_row + row] = *from++;
      }
    }
  }

  // Of the formula along the motion, and of the points.
  void curvature(double t, const double* q, const double* v, std::span<const Contact> mine,
                 double* out) const override {
    double scratch[formula::stack_scratch];
    for (const Contact& contact : mine) {
      const Item& item = items_[contact.item];
      scratch[0] = t;
      const auto turning = formula::move_points(item.place.anchors, q, v, scratch + 1);
      const double* values = run(item.curvature, scratch);
      const int first = static_cast<int>(contact.key.feature) * item.rows;
      for (int row = 0; row < contact.rows; ++row) {
        const double* slope = values + item.contacts * item.rows + (first + row) * item.n;
        double sum = values[first + row];
        for (int f = 0; f < item.n / 3; ++f) sum += dot(formula::taken(slope + 3 * f), turning[f]);
        out[contact.first_row + row] = sum;
      }
    }
  }
};

class PointGapLeaf final : public ContactLeaf {
 public:
  explicit PointGapLeaf(PointGapPrograms programs) : p_(std::move(programs)) {}
  int frames() const override { return p_.frames; }
  bool has_slip() const override { return p_.slips > 0; }
  std::type_index type() const override { return typeid(PointGapLeaf); }
  std::unique_ptr<ContactSource> new_pool() const override { return std::make_unique<PointGaps>(); }
  void append(ContactSource& pool, ContactPlace place) const override {
    const bool slip = place.law.mu > 0.0;
    static_cast<PointGaps&>(pool).append({3 * p_.frames, p_.contacts, slip ? 1 + p_.slips : 1, p_.gaps,
                                          slip ? p_.rows_with_slip : p_.rows,
                                          slip ? p_.curvature_with_slip : p_.curvature, std::move(place)});
  }

 private:
  PointGapPrograms p_;
};

std::vector<Expr> rates_and_slopes(const formula::Recording& recording, const formula::RowsOfContacts& contacts,
                                   std::size_t rows) {
  std::vector<Expr> outputs = formula::second_rates(recording, contacts, rows);
  for (const std::vector<Expr>& f : contacts)
    for (std::size_t row = 0; row < rows; ++row) formula::append(outputs, gradient(f[row], recording.r.q));
  return outputs;
}

}  // namespace

std::unique_ptr<ContactLeaf> formula_point_gap(FormulaScope scope, int frames,
                                               const std::vector<FormulaContact>& contacts) {
  scope.coordinates = formula::names_of_points(frames);
  const formula::Recording recording(scope);
  const formula::RowsOfContacts f = formula::parse_contacts(recording, contacts);
  const std::size_t rows = f[0].size();
  const std::vector<Expr> position = recording.position(), motion = recording.motion();
  const auto compiled = [&](const std::vector<Expr>& inputs, const std::vector<Expr>& outputs) {
    return formula::compile_for_stack(recording, inputs, outputs, "gap");
  };
  PointGapPrograms p{frames, static_cast<int>(f.size()), static_cast<int>(rows) - 1, {}, {}, {}, {}, {}};
  p.gaps = compiled(position, formula::gaps_of(f));
  p.rows = compiled(position, formula::values_and_slopes(recording, f, 1));
  p.rows_with_slip = compiled(position, formula::values_and_slopes(recording, f, rows));
  p.curvature = compiled(motion, rates_and_slopes(recording, f, 1));
  p.curvature_with_slip = compiled(motion, rates_and_slopes(recording, f, rows));
  return std::make_unique<PointGapLeaf>(std::move(p));
}

}  // namespace esc
