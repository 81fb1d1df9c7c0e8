// What a reproduction finds: lines with a verdict each, tables, plots and remarks.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "papers/reproduce/plot.hpp"
#include "papers/reproduce/table.hpp"

namespace esc::papers {

// A predicate's answer: what was found, and whether it is what was asked for.
struct Judgement {
  std::string here;
  bool holds = false;
};

enum class Verdict {
  agrees,    // the paper's value or statement is found here
  deviates,  // it is not, for a reason that is given, and what is found instead is what that reason predicts
  fails,     // neither
  shown,     // nothing is asked: the paper's own parameters make the number hang on round-off
};

struct Line {
  std::string quantity, paper, here;
  Verdict verdict = Verdict::fails;
  std::string reason;
};

struct Report {
  std::vector<Line> lines;
  std::vector<Table> tables;
  std::vector<Plot> plots;
  std::vector<std::string> remarks;  // printed after the lines, as they are

  void claim(std::string quantity, std::string paper, const Judgement& judgement);
  // A statement that is known not to hold: `instead` judges what holds in its place, and is what is printed.
  void deviation(std::string quantity, std::string paper, const Judgement& claimed, const Judgement& instead,
                 std::string reason);
  void show(std::string quantity, std::string paper, std::string here, std::string reason);
  bool holds() const;  // no line fails
};

// Predicates on one number.
Judgement near(double value, double wanted, double relative);
Judgement near_absolute(double value, double wanted, double tolerance);
Judgement within(double value, double low, double high);
Judgement at_most(double value, double bound);
Judgement at_least(double value, double bound);
Judgement both(const Judgement& a, const Judgement& b);

std::string text(double value, int digits = 6);  // %.<digits>g
std::string_view to_string(Verdict verdict);

void print_text(const Report& report, std::ostream& out);
void print_markdown(const Report& report, std::ostream& out);

}  // namespace esc::papers
