#include "papers/reproduce/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>
#include <string_view>

namespace esc::papers {

void Report::claim(std::string quantity, std::string paper, const Judgement& judgement) {
  lines.push_back(
      {std::move(quantity), std::move(paper), judgement.here, judgement.holds ? Verdict::agrees : Verdict::fails, {}});
}

void Report::deviation(std::string quantity, std::string paper, const Judgement& claimed, const Judgement& instead,
                       std::string reason) {
  const Verdict verdict = claimed.holds ? Verdict::agrees : instead.holds ? Verdict::deviates : Verdict::fails;
  lines.push_back({std::move(quantity), std::move(paper), claimed.holds ? claimed.here : instead.here, verdict,
                   claimed.holds ? std::string() : std::move(reason)});
}

void Report::show(std::string quantity, std::string paper, std::string here, std::string reason) {
  lines.push_back({std::move(quantity), std::move(paper), std::move(here), Verdict::shown, std::move(reason)});
}

bool Report::holds() const {
  return std::none_of(lines.begin(), lines.end(), [](const Line& line) { return line.verdict == Verdict::fails; });
}

Judgement near(double value, double wanted, double relative) {
  return near_absolute(value, wanted, relative * std::abs(wanted));
}

Judgement near_absolute(double value, double wanted, double tolerance) {
  return {text(value, 8), std::abs(value - wanted) <= tolerance};
}

Judgement within(double value, double low, double high) { return {text(value), low <= value && value <= high}; }
Judgement at_most(double value, double bound) { return {text(value), value <= bound}; }
Judgement at_least(double value, double bound) { return {text(value), value >= bound}; }
Judgement both(const Judgement& a, const Judgement& b) { return {a.here + ", " + b.here, a.holds && b.holds}; }

std::string text(double value, int digits) {
  char out[40];
  std::snprintf(out, sizeof out, "%.*g", digits, value);
  return out;
}

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::deviates:
      return "deviates";
    case Verdict::fails:
      return "FAILS";
    case Verdict::shown:
      return "shown";
  }
  return "";
}

namespace {

std::array<std::string, 4> cells(const Line& line) {
  return {line.quantity, line.paper, line.here, std::string(to_string(line.verdict))};
}

}  // namespace

void print_text(const Report& report, std::ostream& out) {
  const std::array<std::string, 4> head{"quantity", "paper", "here", "verdict"};
  std::array<std::size_t, 4> width{};
  for (std::size_t i = 0; i < width.size(); ++i) width[i] = head[i].size();
  for (const Line& line : report.lines)
    for (std::size_t i = 0; i < width.size(); ++i) width[i] = std::max(width[i], cells(line)[i].size());

  const auto print = [&](const std::array<std::string, 4>& row) {
    for (std::size_t i = 0; i < 3; ++i) out << row[i] << std::string(width[i] - row[i].size(), ' ') << " | ";
    out << row[3] << '\n';
  };
  print(head);
  const std::string* said = nullptr;
  for (const Line& line : report.lines) {
    print(cells(line));
    if (line.reason.empty() || (said != nullptr && *said == line.reason)) continue;
    out << "    " << line.reason << '\n';
    said = &line.reason;
  }
  for (const std::string& remark : report.remarks) out << '\n' << remark << '\n';
}

void print_markdown(const Report& report, std::ostream& out) {
  out << "| quantity | paper | here | verdict |\n|---|---|---|---|\n";
  for (const Line& line : report.lines) {
    for (std::string cell : cells(line)) {
      for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2) cell.insert(at, 1, '\\');
      out << "| " << cell << ' ';
    }
    out << "|\n";
  }
  std::vector<std::string> said;
  for (const Line& line : report.lines) {
    if (line.reason.empty() || std::find(said.begin(), said.end(), line.reason) != said.end()) continue;
    said.push_back(line.reason);
    const auto count = std::count_if(report.lines.begin(), report.lines.end(),
                                     [&](const Line& other) { return other.reason == line.reason; });
    out << (said.size() == 1 ? "\n" : "") << "- " << line.quantity
        << (count > 1 ? " (and " + std::to_string(count - 1) + " more)" : "") << ": " << line.reason << '\n';
  }
  for (const std::string& remark : report.remarks) out << "\n```text\n" << remark << "\n```\n";
}

}  // namespace esc::papers
