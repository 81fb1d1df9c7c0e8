#include "papers/bruels/measures.hpp"

#include <algorithm>
#include <cmath>

namespace esc::papers::bruels {

double smallest(const Run& run, std::string_view column) {
  const auto values = run.data[column];
  return *std::min_element(values.begin(), values.end());
}

double largest(const Run& run, std::string_view column) {
  double magnitude = 0.0;
  for (const double value : run.data[column]) magnitude = std::max(magnitude, std::abs(value));
  return magnitude;
}

double largest_rise(const Run& run) {
  const auto energy = run.data["energy.total"];
  double rise = 0.0;
  for (std::size_t k = 1; k < energy.size(); ++k) rise = std::max(rise, energy[k] - energy[k - 1]);
  return rise;
}

double at(const Run& run, std::string_view column, double time) {
  const auto t = run.data["t"];
  std::size_t best = 0;
  for (std::size_t k = 1; k < t.size(); ++k)
    if (std::abs(t[k] - time) < std::abs(t[best] - time)) best = k;
  return run.data[column][best];
}

Judgement has_impulses(const Run& run, std::span<const Impulse> wanted, double relative) {
  double worst = 0.0;
  for (const auto& [t, P, column] : wanted) worst = std::max(worst, std::abs(at(run, column, t) / P - 1.0));
  return {"differ by at most " + text(worst, 2) + " (relative)", worst <= relative};
}

void keep(Report& report, const Run& run, const std::string& name) {
  report.tables.push_back(run.data);
  report.tables.back().name = name;
}

std::vector<Curve> curves(const std::string& x, const std::string& y,
                          std::initializer_list<std::pair<const char*, const char*>> tables_titles) {
  std::vector<Curve> all;
  for (const auto& [table, title] : tables_titles) all.push_back({table, x, y, title});
  return all;
}

}  // namespace esc::papers::bruels
