#include "src/math/spelling.hpp"

#include <algorithm>
#include <vector>

namespace esc {

namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// How many letters must be inserted, removed, replaced or exchanged with their neighbour to make b from a.
int edit_distance(const std::string& a, const std::string& b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

// The nearest candidates to an unknown name, at most three.
class Nearest {
 public:
  explicit Nearest(std::string_view name) : name_(lower_case(name)) {}

  void consider(std::string_view candidate) {
    constexpr std::size_t longest = 100;
    if (candidate.size() > longest || name_.size() > longest) return;
    const std::string lower = lower_case(candidate);
    const std::string last_part = lower.substr(lower.rfind('.') + 1);
    const int allowed = std::max(1, static_cast<int>(name_.size()) / 3);
    const int distance = last_part == name_ ? 0 : edit_distance(name_, lower);
    if (distance > allowed || distance >= static_cast<int>(lower.size())) return;
    if (distance < best_) found_.clear();
    best_ = std::min(best_, distance);
    const bool is_new = std::find(found_.begin(), found_.end(), candidate) == found_.end();
    if (distance == best_ && found_.size() < 3 && is_new) found_.emplace_back(candidate);
  }

  std::string question() const {
    if (found_.empty()) return "";
    std::string text = "; did you mean ";
    for (std::size_t i = 0; i < found_.size(); ++i)
      text += std::string(i == 0 ? "'" : i + 1 < found_.size() ? ", '" : " or '") + found_[i] + "'";
    return text + "?";
  }

 private:
  std::string name_;
  int best_ = 1000;
  std::vector<std::string> found_;
};

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  Nearest nearest(word);
  for (const std::string_view candidate : known) nearest.consider(candidate);
  return nearest.question();
}

}  // namespace esc
