#include <algorithm>
#include <utility>

#include "src/formula/gap_pool.hpp"

namespace esc {

namespace {

using ad::Expr;
using formula::GapItem;
using formula::gather;
using formula::Recording;
using formula::RowsOfContacts;
using formula::run;

class FormulaGaps final : public formula::FormulaGapPool<FormulaGaps> {
 public:
  static void coordinates(const ContactPlace& place, const double* q, double* x) { gather(place.arguments, q, x); }

  void evaluate(double t, const double* q, std::span<Contact> mine, ContactSet& set) const override {
    double scratch[formula::stack_scratch];
    const double* values = nullptr;
    int current = -1;
    for (Contact& contact : mine) {
      const GapItem& item = items_[contact.item];
      if (contact.item != current) {
        current = contact.item;
        scratch[0] = t;
        coordinates(item.place, q, scratch + 1);
        values = run(item.values, scratch);
      }
      const double* from = values + item.first_value(contact);
      contact.gap = *from++;
      for (int row = 0; row < contact.row_count; ++row) {
        double* G = set.G.data() + contact.first_value + row * item.n;
        for (int j = 0; j < item.n; ++j) G[j] = *from++;
        set.g_t[contact.first_row + row] = *from++;
      }
    }
  }

  void curvature(double t, const double* q, const double* v, std::span<const Contact> mine,
                 double* out) const override {
    double scratch[formula::stack_scratch];
    const double* values = nullptr;
    int current = -1;
    for (const Contact& contact : mine) {
      const GapItem& item = items_[contact.item];
      if (contact.item != current) {
        current = contact.item;
        scratch[0] = t;
        gather(item.place.segments, v, gather(item.place.arguments, q, scratch + 1));
        values = run(item.curvature, scratch);
      }
      for (int row = 0; row < contact.row_count; ++row)
        out[contact.first_row + row] = values[contact.key.feature * item.rows + row];
    }
  }
};

class CoordinateGapLeaf final : public formula::FormulaGapLeaf<FormulaGaps> {
 public:
  using FormulaGapLeaf::FormulaGapLeaf;
  int arity() const override { return p_.n; }
};

// Sums of inputs with constant factors. Slopes do not tell: those of abs, sign and where() are constant by parts.
bool is_affine(const Expr& f) {
  if (f.is_constant()) return true;
  using ad::Op;
  std::vector<int> degree;  // by node; 2: anything else
  for (int i = 0; i <= f.index(); ++i) {
    const ad::Node& node = f.tape()->node(i);
    const int a = node.a >= 0 && node.op != Op::input ? degree[node.a] : 0, b = node.b >= 0 ? degree[node.b] : 0;
    const int c = node.c >= 0 ? degree[node.c] : 0;
    const bool sum = node.op == Op::add || node.op == Op::sub || node.op == Op::neg;
    if (node.op == Op::input)
      degree.push_back(1);
    else if (sum)
      degree.push_back(std::max(a, b));
    else if (node.op == Op::mul)
      degree.push_back(std::min(a + b, 2));
    else
      degree.push_back(node.op == Op::div && b == 0 ? a : std::max({a, b, c}) > 0 ? 2 : 0);
  }
  return degree.back() <= 1;
}

bool are_affine(const RowsOfContacts& contacts) {
  return std::all_of(contacts.begin(), contacts.end(), [](const std::vector<Expr>& f) { return is_affine(f[0]); });
}

}  // namespace

std::unique_ptr<ContactLeaf> formula_gap(const FormulaScope& scope, const std::vector<FormulaContact>& contacts) {
  const Recording recording(scope);
  const RowsOfContacts f = parse_contacts(recording, contacts);
  formula::GapPrograms p = compile_gaps(recording, f, formula::second_rates);
  p.affine = are_affine(f);
  return std::make_unique<CoordinateGapLeaf>(std::move(p));
}

}  // namespace esc
