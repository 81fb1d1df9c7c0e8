#include <utility>

#include <escapement/formula/points.hpp>

#include "src/formula/frame_points.hpp"
#include "src/formula/gap_pool.hpp"

namespace esc {

namespace {

using ad::Expr;
using formula::GapItem;
using formula::run;

// The coordinates are the positions of the points, one after the other: 3 or 6 numbers. After the second rates of the
// rows the curvature gives their slopes.
class PointGaps final : public formula::FormulaGapPool<PointGaps> {
 public:
  static void coordinates(const ContactPlace& place, const double* q, double* x) {
    formula::place_points(place.anchors, q, x);
  }

  void evaluate(double t, const double* q, std::span<Contact> mine, ContactSet& set) const override {
    double scratch[formula::stack_scratch];
    for (Contact& contact : mine) {
      const GapItem& item = items_[contact.item];
      scratch[0] = t;
      const formula::Points points = formula::place_points(item.place.anchors, q, scratch + 1);
      const double* from = run(item.values, scratch) + item.first_value(contact);
      contact.gap = *from++;
      double* G = set.G.data() + contact.first_value;
      for (int row = 0; row < contact.row_count; ++row) {
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
      const GapItem& item = items_[contact.item];
      scratch[0] = t;
      const auto turning = formula::move_points(item.place.anchors, q, v, scratch + 1);
      const double* values = run(item.curvature, scratch);
      const int first = static_cast<int>(contact.key.feature) * item.rows;
      for (int row = 0; row < contact.row_count; ++row) {
        const double* slope = values + item.contacts * item.rows + (first + row) * item.n;
        double sum = values[first + row];
        for (int f = 0; f < item.n / 3; ++f) sum += dot(formula::taken(slope + 3 * f), turning[f]);
        out[contact.first_row + row] = sum;
      }
    }
  }
};

class PointGapLeaf final : public formula::FormulaGapLeaf<PointGaps> {
 public:
  using FormulaGapLeaf::FormulaGapLeaf;
  int frames() const override { return p_.n / 3; }
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
  return std::make_unique<PointGapLeaf>(
      compile_gaps(recording, formula::parse_contacts(recording, contacts), rates_and_slopes));
}

}  // namespace esc
