// What is measured on the runs of every example.
#pragma once

#include <string_view>

#include "papers/reproduce/report.hpp"
#include "papers/reproduce/runs.hpp"

namespace esc::papers::bruels {

double smallest(const Run& run, std::string_view column);
double largest(const Run& run, std::string_view column);  // magnitude
double largest_rise(const Run& run);                      // of the total energy in one step, J
// The value at the row whose time is nearest.
double at(const Run& run, std::string_view column, double t);

// Largest differences of these rows of "P" from the given ones, to a relative tolerance.
struct Impulse {
  double t, P;
  std::string_view column = "P";
};
Judgement has_impulses(const Run& run, std::span<const Impulse> wanted, double relative);

// Adds the data of a run under this name.
void keep(Report& report, const Run& run, const std::string& name);
// A curve per table: the same columns of each.
std::vector<Curve> curves(const std::string& x, const std::string& y,
                          std::initializer_list<std::pair<const char*, const char*>> tables_titles);

}  // namespace esc::papers::bruels
