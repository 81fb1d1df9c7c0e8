// How wide a column of a results file is.
#pragma once

namespace esc::io {

// How many numbers a row has. A column of numbers has one dimension; one of vectors has two, also where they are short.
struct Width {
  int count = 1;
  bool vector = false;
  constexpr Width(int numbers = 1) : count(numbers), vector(numbers > 1) {}
  static constexpr Width of_vector(int numbers) {
    Width width(numbers);
    width.vector = true;
    return width;
  }
  constexpr operator int() const { return count; }
};

}  // namespace esc::io
