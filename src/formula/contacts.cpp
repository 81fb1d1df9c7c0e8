#include <algorithm>
#include <utility>

#include <escapement/models/contact_pool.hpp>

#include "src/formula/contact_rows.hpp"

namespace esc {

namespace {

using ad::Expr;
using formula::gather;
using formula::Recording;
using formula::RowsOfContacts;
using formula::run;

// Without friction only the rows of the gaps are evaluated.
struct GapPrograms {
  int n = 0, contacts = 0, slips = 0;
  bool affine = false;                         // every gap, in (t, q)
  ad::Program gaps;                            // (t, q) -> g of every contact
  ad::Program rows, rows_with_slip;            // (t, q) -> for every contact g, then G and g_t of each row
  ad::Program curvature, curvature_with_slip;  // (t, q, v) -> for every contact each row
};

struct FormulaGapItem {
  int n, contacts, rows;
  bool affine;
  ad::Program gaps, values, curvature;
  ContactPlace place;
};

class FormulaGaps final : public SampledPool<FormulaGaps, FormulaGapItem> {
 public:
  using Item = FormulaGapItem;

  template <class Wanted>
  void find(int i, double t, const double* q, const Wanted& wanted, ContactSet& set) const {
    double scratch[formula::stack_scratch];
    const Item& item = items_[i];
    scratch[0] = t;
    gather(item.place.arguments, q, scratch + 1);
    const double* g = run(item.gaps, scratch);
    for (int k = 0; k < item.contacts; ++k) {
      const auto feature = static_cast<std::uint32_t>(k);
      if (wanted(feature, g[k])) emit(item.place, {i, feature, item.rows, g[k]}, set);
    }
  }

  double bend(int item) const { return items_[item].affine ? 0.0 : any_gap; }

  void evaluate(double t, const double* q, std::span<Contact> mine, ContactSet& set) const override {
    double scratch[formula::stack_scratch];
    const double* values = nullptr;
    int current = -1;
    for (Contact& contact : mine) {
      const Item& item = items_[contact.item];
      if (contact.item != current) {
        current = contact.item;
        scratch[0] = t;
        gather(item.place.arguments, q, scratch + 1);
        values = run(item.values, scratch);
      }
      const double* from = values + contact.key.feature * (1 + item.rows * (item.n + 1));
      contact.gap = *from++;
      for (int row = 0; row < contact.rows; ++row) {
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
      const Item& item = items_[contact.item];
      if (contact.item != current) {
        current = contact.item;
        scratch[0] = t;
        gather(item.place.segments, v, gather(item.place.arguments, q, scratch + 1));
        values = run(item.curvature, scratch);
      }
      for (int row = 0; row < contact.rows; ++row)
        out[contact.first_row + row] = values[contact.key.feature * item.rows + row];
    }
  }
};

class FormulaGapLeaf final : public ContactLeaf {
 public:
  explicit FormulaGapLeaf(GapPrograms programs) : p_(std::move(programs)) {}
  int arity() const override { return p_.n; }
  bool has_slip() const override { return p_.slips > 0; }
  std::type_index type() const override { return typeid(FormulaGapLeaf); }
  std::unique_ptr<ContactSource> new_pool() const override { return std::make_unique<FormulaGaps>(); }
  void append(ContactSource& pool, ContactPlace place) const override {
    const bool slip = place.law.mu > 0.0;
    static_cast<FormulaGaps&>(pool).append({p_.n, p_.contacts, slip ? 1 + p_.slips : 1, p_.affine, p_.gaps,
                                            slip ? p_.rows_with_slip : p_.rows,
                                            slip ? p_.curvature_with_slip : p_.curvature, std::move(place)});
  }

 private:
  GapPrograms p_;
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
  const std::size_t rows = f[0].size();

  const std::vector<Expr> position = recording.position(), motion = recording.motion();
  const auto compiled = [&](const std::vector<Expr>& inputs, const std::vector<Expr>& outputs) {
    return formula::compile_for_stack(recording, inputs, outputs, "gap");
  };
  GapPrograms p{
      recording.n(), static_cast<int>(f.size()), static_cast<int>(rows) - 1, are_affine(f), {}, {}, {}, {}, {}};
  p.gaps = compiled(position, formula::gaps_of(f));
  p.rows = compiled(position, values_and_slopes(recording, f, 1));
  p.rows_with_slip = compiled(position, values_and_slopes(recording, f, rows));
  p.curvature = compiled(motion, second_rates(recording, f, 1));
  p.curvature_with_slip = compiled(motion, second_rates(recording, f, rows));
  return std::make_unique<FormulaGapLeaf>(std::move(p));
}

}  // namespace esc
