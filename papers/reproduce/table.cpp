#include "papers/reproduce/table.hpp"

#include <algorithm>
#include <charconv>
#include <ostream>
#include <stdexcept>

namespace esc::papers {

int Table::place(std::string_view column) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == column) return static_cast<int>(i);
  throw std::out_of_range("table " + name + " has no column " + std::string(column));
}

std::span<const double> Table::operator[](std::string_view column) const { return columns[place(column)].values; }

Table thinned(const Table& table, std::string_view column, int pairs) {
  const int rows = table.rows(), length = std::max(1, rows / pairs);
  if (length <= 2) return table;
  const std::span<const double> values = table[column];
  Table out{table.name, {}};
  for (const Series& series : table.columns) out.columns.push_back({series.name, series.unit, {}});
  for (int first = 0; first < rows; first += length) {
    const auto begin = values.begin() + first, end = values.begin() + std::min(rows, first + length);
    const auto [least, greatest] = std::minmax_element(begin, end);
    const auto a = std::min(least, greatest) - values.begin(), b = std::max(least, greatest) - values.begin();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      out.columns[i].values.push_back(table.columns[i].values[a]);
      if (b != a) out.columns[i].values.push_back(table.columns[i].values[b]);
    }
  }
  return out;
}

void write_csv(const Table& table, std::ostream& out) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    out << (i > 0 ? "," : "") << table.columns[i].name << " [" << table.columns[i].unit << ']';
  out << '\n';
  char digits[32];
  for (int row = 0; row < table.rows(); ++row)
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto end = std::to_chars(digits, digits + sizeof digits, table.columns[i].values[row]).ptr;
      out.write(digits, end - digits) << (i + 1 < table.columns.size() ? ',' : '\n');
    }
}

}  // namespace esc::papers
