#include "src/model/joint_limits.hpp"

#include <array>
#include <cmath>
#include <utility>

#include <escapement/models/contact_pool.hpp>

namespace esc {

namespace {

constexpr std::uint32_t lower = 0, upper = 1;  // features

struct LimitItem {
  JointRow row;
  LimitRange range;
  ContactPlace place;
};

class JointLimits final : public SampledPool<JointLimits, LimitItem> {
 public:
  using Item = LimitItem;

  template <class Wanted>
  void find(int i, double, const double* q, const Wanted& wanted, ContactSet& set) const {
    const Item& item = items_[i];
    const double s = coordinate(item, q, place(item.place.anchors[0], q).frame, place(item.place.anchors[1], q).frame);
    for (const std::uint32_t feature : {lower, upper}) {
      const double g = gap(item, feature, s);
      if (wanted(feature, g) && !std::isinf(limit(item, feature))) emit(item.place, {i, feature, 1, g}, set);
    }
  }

  void evaluate(double, const double* q, std::span<Contact> mine, ContactSet& set) const override {
    for (Contact& contact : mine) {
      const Item& item = items_[contact.item];
      const Anchor &a = item.place.anchors[0], &b = item.place.anchors[1];
      const auto A = place(a, q), B = place(b, q);
      contact.gap = gap(item, contact.key.feature, coordinate(item, q, A.frame, B.frame));
      write_row(scaled(sign(contact.key.feature), row_wrench(item.row, A.frame, B.frame)), a, A, b, B,
                set.G.data() + contact.first_value);
      set.g_t[contact.first_row] = 0.0;
    }
  }

  void curvature(double, const double* q, const double* v, std::span<const Contact> mine, double* out) const override {
    for (const Contact& contact : mine) {
      const Item& item = items_[contact.item];
      const Anchor &a = item.place.anchors[0], &b = item.place.anchors[1];
      const auto A = place_along(a, q, v), B = place_along(b, q, v);
      out[contact.first_row] =
          sign(contact.key.feature) * row_rate(row_wrench(item.row, A.frame, B.frame), a, A, b, B, v).d[0];
    }
  }

 private:
  static double coordinate(const Item& item, const double* q, const Pose<double>& A, const Pose<double>& B) {
    const double s = row_value(item.row, A, B);
    if (item.row.kind != RowKind::angle) return s;
    return item.range.turns.among_turns(s, item.range.middle, item.place.anchors[0], item.place.anchors[1], q);
  }
  static double limit(const Item& item, std::uint32_t feature) {
    return feature == lower ? item.range.lower : item.range.upper;
  }
  static double sign(std::uint32_t feature) { return feature == lower ? 1.0 : -1.0; }
  static double gap(const Item& item, std::uint32_t feature, double s) {
    return sign(feature) * (s - limit(item, feature));
  }
};

class JointLimitsLeaf final : public ContactLeaf {
 public:
  JointLimitsLeaf(const JointRow& coordinate, const LimitRange& range) : coordinate_(coordinate), range_(range) {}
  int frames() const override { return 2; }
  bool has_slip() const override { return false; }
  std::string_view gap_unit() const override { return period_of(coordinate_) > 0.0 ? "rad" : "m"; }
  std::type_index type() const override { return typeid(JointLimits); }
  std::unique_ptr<ContactSource> new_pool() const override { return std::make_unique<JointLimits>(); }
  void append(ContactSource& pool, ContactPlace place) const override {
    static_cast<JointLimits&>(pool).append({coordinate_, range_, std::move(place)});
  }

 private:
  JointRow coordinate_;
  LimitRange range_;
};

}  // namespace

std::unique_ptr<ContactLeaf> limits_leaf(const JointRow& coordinate, const LimitRange& range) {
  return std::make_unique<JointLimitsLeaf>(coordinate, range);
}

}  // namespace esc
