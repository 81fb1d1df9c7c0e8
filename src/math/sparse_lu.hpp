// LU of a square matrix of small dense blocks whose pattern is (nearly) symmetric: multifrontal, nodes eliminated by
// minimum degree. Rows are exchanged inside a front only, so the matrix should be scaled, with a symmetric part that is
// positive or diagonal blocks that lead. A pivot of less than 1e-14 is replaced by 1e-14: the caller iterates.
// Memory grows to a high-water mark; the order is kept as long as the pattern stays.
#pragma once

#include <span>
#include <vector>

namespace esc {

class SparseLu {
 public:
  // Node i has sizes[i] rows; the entries k in [row_start[i], row_start[i + 1]) are its blocks, in columns column[k].
  void analyse(std::span<const int> sizes, std::span<const int> row_start, std::span<const int> column);
  // Block k, row-major. factor() does not change it.
  double* block(int k) { return values_.data() + value_start_[k]; }
  // Multiplications of factor(), a few percent off: what a caller may find too many.
  double cost() const { return cost_; }

  int factor();           // how many pivots were replaced
  void solve(double* x);  // x <- A^-1 x
  int rows() const { return rows_; }

 private:
  struct Front {
    int first = 0, count = 0;   // nodes eliminated here: sequence_[first ... first + count)
    int children = 0;           // fronts before this one whose updates it takes
    int pivots = 0, later = 0;  // rows eliminated, rows left
    int entries = 0;            // first of its entries in entries_
    std::ptrdiff_t store = 0;   // of its factors: pivots x (pivots + later), then later x pivots
    int exchange = 0;           // first of its pivot rows in exchange_
  };

  bool same_pattern(std::span<const int> sizes, std::span<const int> row_start, std::span<const int> column) const;
  void order();
  void eliminate_node(int node);
  void find_fronts();
  void add_fronts();
  void sort_entries();
  int place(const Front& front);  // local_ of its nodes
  void assemble(const Front& front, std::ptrdiff_t& top);
  int eliminate(const Front& front);
  void update(const Front& front, double* row) const;
  void keep(const Front& front, std::ptrdiff_t& top);
  const std::vector<int>& later_nodes(const Front& front) const {
    return adjacent_[sequence_[front.first + front.count - 1]];
  }

  int nodes_ = 0, rows_ = 0;
  double cost_ = 0.0;
  std::vector<int> sizes_, row_start_, column_;
  std::vector<int> row_of_;                 // by entry
  std::vector<int> value_start_;            // by entry
  std::vector<int> offset_;                 // by node: its first row in x
  std::vector<std::vector<int>> adjacent_;  // by node: neighbours, and once eliminated those eliminated after it
  std::vector<int> merged_;
  std::vector<int> position_;  // by node: when it is eliminated, -1 before
  std::vector<int> weight_;    // by node: its rows and those of its neighbours
  std::vector<int> parent_, child_, sibling_, stack_of_nodes_;
  std::vector<int> sequence_;  // nodes, children before parents
  std::vector<int> front_of_;  // by node
  std::vector<Front> fronts_;
  std::vector<int> entries_;  // by front
  std::vector<int> local_;    // by node: its first row in the present front
  std::vector<double> values_, front_, stack_, factors_, rhs_;
  std::vector<int> waiting_;  // fronts whose updates are on the stack
  std::vector<int> exchange_;
};

}  // namespace esc
