// The tables of results_layout.hpp as datasets of a file.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "src/io/results_hdf5.hpp"
#include "src/io/results_layout.hpp"

namespace esc::io {

inline std::string column_path(std::string_view table, const char* column) { return std::string(table) + "/" + column; }

// A table that grows at its end.
template <class Table>
class TableWriter {
 public:
  // A chunk has at most so many rows, and 128 KiB: one that a block does not fill is compressed again with the next.
  void create(File& file, const Widths& widths, std::int64_t chunk) {
    const std::string table(table_name(Table{}));
    if (!file.has(table)) file.make_group(table);
    Table none;
    each_column(none, widths, [&](auto& values, const char* name, Width width, const char* unit, const char* what) {
      if (width == 0) return;
      const std::int64_t rows = std::clamp<std::int64_t>((1 << 14) / width.count, 1, chunk);
      using T = typename std::decay_t<decltype(values)>::value_type;
      columns_.push_back(file.make_column<T>({column_path(table, name), width, rows, unit, what}));
    });
  }
  void open(File& file, const Widths& widths, std::int64_t rows) {
    const std::string table(table_name(Table{}));
    rows_ = rows;
    Table none;
    each_column(none, widths, [&](auto&, const char* name, Width width, auto&&...) {
      if (width == 0) return;
      columns_.push_back(file.open_column(column_path(table, name), width));
      file.set_rows(columns_.back(), rows);
    });
  }
  void append(File& file, Table& table, const Widths& widths) {
    const std::int64_t count = rows_of(table);
    std::size_t i = 0;
    each_column(table, widths, [&](auto& values, const char*, Width width, auto&&...) {
      if (width == 0) return;
      file.append(columns_[i++], rows_, values);
    });
    rows_ += count;
    clear(table, widths);
  }
  std::int64_t rows() const { return rows_; }
  void close() { columns_.clear(); }

 private:
  std::vector<Column> columns_;
  std::int64_t rows_ = 0;
};

// Rows of a table in a file; all its columns must agree, and have the units of this version.
template <class Table>
std::int64_t stored_rows(const File& file, const Widths& widths) {
  const std::string table(table_name(Table{}));
  std::int64_t rows = -1;
  Table none;
  each_column(none, widths, [&](auto&, const char* name, Width width, const std::string& unit, auto&&...) {
    if (width == 0) return;
    const std::string path = column_path(table, name);
    const std::int64_t found = file.rows(path, width);
    if (!unit.empty() && file.text(path, "unit") != unit)
      file.fail("the unit of the dataset " + path + " is not " + unit + ", as it must be");
    if (rows >= 0 && found != rows) file.fail("the dataset " + path + " does not have as many rows as its table");
    rows = found;
  });
  return rows;
}

template <class Table>
Table read_table(const File& file, const Widths& widths, const RowRange& range) {
  const std::string name_of_table(table_name(Table{}));
  Table table;
  each_column(table, widths, [&](auto& values, const char* name, Width width, auto&&...) {
    using T = typename std::decay_t<decltype(values)>::value_type;
    if (width > 0) values = file.read<T>(column_path(name_of_table, name), width, range);
  });
  return table;
}

}  // namespace esc::io
