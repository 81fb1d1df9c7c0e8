#include "papers/reproduce/plot.hpp"

#include <algorithm>
#include <stdexcept>

namespace esc::papers {

namespace {

study::Curve curve_of(const Curve& curve, const std::vector<Table>& tables) {
  const auto table = std::ranges::find(tables, curve.table, &Table::name);
  if (table == tables.end()) throw std::out_of_range("there is no table " + curve.table);
  const study::FileColumns columns{curve.table + ".csv", table->place(curve.x) + 1, table->place(curve.y) + 1};
  return {curve.title, columns, curve.style};
}

}  // namespace

study::Figure figure_of(const Plot& plot, const std::vector<Table>& tables) {
  study::Figure figure{.across = plot.across};
  for (const auto& [title, x, y, curves] : plot.panels) {
    figure.panels.push_back({title, x, y, {}});
    for (const Curve& curve : curves) figure.panels.back().curves.push_back(curve_of(curve, tables));
  }
  return figure;
}

}  // namespace esc::papers
