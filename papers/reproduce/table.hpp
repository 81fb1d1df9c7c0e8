// Named columns of numbers: what a reproduction computes, writes as CSV and draws.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace esc::papers {

struct Series {
  std::string name;
  std::string unit;  // "1" where there is none
  std::vector<double> values;
};

struct Table {
  std::string name;  // also of the file, without its suffix
  std::vector<Series> columns;

  std::span<const double> operator[](std::string_view column) const;  // throws std::out_of_range
  int place(std::string_view column) const;                           // throws std::out_of_range
  int rows() const { return columns.empty() ? 0 : static_cast<int>(columns.front().values.size()); }
};

// At most about 2 x `pairs` rows: of each run of rows those with the least and the greatest value of the column, so
// that no peak is lost.
Table thinned(const Table& table, std::string_view column, int pairs);

// One header line "name [unit]", then a line per row; shortest digits that read back exactly.
void write_csv(const Table& table, std::ostream& out);

}  // namespace esc::papers
