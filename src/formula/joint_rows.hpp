// The rows of a joint as expressions, whatever their coordinates stand for.
#pragma once

#include <string>
#include <vector>

#include "src/formula/recording.hpp"

namespace esc::formula {

struct JointRows {
  std::vector<ad::Expr> g;
  std::vector<ad::Expr> slopes;        // of every row in every coordinate, by rows
  std::vector<ad::Expr> g_t;           // partial derivatives in t
  std::vector<ad::Expr> second_rates;  // d^2/dt^2 along (1, v) at constant v

  std::vector<ad::Expr> values() const;  // g, slopes, g_t
};

// Throws FormulaError naming "joint[i]".
JointRows parse_joint(const Recording& recording, const std::vector<std::string>& rows);

// The leaf of a pool of joints with these programs; Pool::Item is {programs, place}.
template <class Pool, class Programs>
class FormulaJointLeaf : public JointLeaf {
 public:
  explicit FormulaJointLeaf(Programs programs) : p_(std::move(programs)) {}
  int rows() const override { return p_.rows; }
  std::type_index type() const override { return typeid(FormulaJointLeaf); }
  std::unique_ptr<JointSource> new_pool() const override { return std::make_unique<Pool>(); }
  void append(JointSource& pool, JointPlace place) const override {
    static_cast<Pool&>(pool).append({p_, std::move(place)});
  }

 protected:
  Programs p_;
};

}  // namespace esc::formula
