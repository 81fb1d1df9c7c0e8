// The one place that runs gnuplot.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "src/study/figure.hpp"

namespace esc::study {

// There is no picture. what() says why, and what helps.
class FigureError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool gnuplot_installed();
void require_gnuplot();  // throws FigureError, which says how to get it

// By the ending of its name, .svg or .png; none: another ending.
std::optional<Picture> picture_of(const std::string& path);

// Draws into the file, .png or else .svg; files of curves are found from `folder`. Throws FigureError; then what the
// file had before is still there.
void draw(const Figure& figure, const std::string& path, const std::string& folder = ".");

}  // namespace esc::study
