#include "src/math/tape_expand.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "src/math/tape_walk.hpp"

namespace esc::ad {

namespace {

constexpr std::size_t largest_graph = 20000;  // nodes below the expression
constexpr std::size_t most_terms = 1000;
constexpr double rounding = 16.0 * std::numeric_limits<double>::epsilon();

using Powers = std::vector<std::pair<int, int>>;  // (node, exponent), ascending nodes

struct Coefficient {
  double sum = 0.0;
  double magnitude = 0.0;  // sum of the absolute values added: what sum is judged against
};

using Polynomial = std::map<Powers, Coefficient>;

bool nearly_equal(double a, double b) { return std::abs(a - b) <= rounding * std::abs(a); }

void add_term(Polynomial& p, const Powers& powers, const Coefficient& c) {
  Coefficient& at = p[powers];
  at.sum += c.sum;
  at.magnitude += c.magnitude;
}

void drop_cancelled(Polynomial& p) {
  std::erase_if(p, [](const auto& term) { return std::abs(term.second.sum) <= rounding * term.second.magnitude; });
}

Powers times(const Powers& a, const Powers& b) {
  Powers product;
  auto i = a.begin(), j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->first < j->first)) {
      product.push_back(*i++);
    } else if (i == a.end() || j->first < i->first) {
      product.push_back(*j++);
    } else {
      product.emplace_back(i->first, i->second + j->second);
      ++i, ++j;
    }
  }
  return product;
}

// powers with the exponent of node changed; 0 removes it.
Powers with_exponent(const Powers& powers, int node, int change) {
  if (change > 0) return times(powers, {{node, change}});
  Powers result;
  for (const auto& [n, e] : powers) {
    const int left = n == node ? e + change : e;
    if (left > 0) result.emplace_back(n, left);
  }
  return result;
}

class Expander {
 public:
  Expander(Tape& tape, std::int64_t& effort) : tape_(tape), effort_(effort) {}
  std::optional<Polynomial> polynomial(const Expr& f);
  void join_squares(Polynomial& p);
  Expr record(const Polynomial& p);

 private:
  Polynomial atom(int index) const { return {{{{index, 1}}, {1.0, 1.0}}}; }
  Polynomial factor(int index) const { return closed(index) ? atom(index) : poly_.at(index); }
  bool closed(int index) const { return poly_.at(index).size() > 1 && !trigonometric_.at(index); }
  Polynomial sum(const Node& n);
  Polynomial product(const Node& n, int index);
  void spend(const Polynomial& p);
  bool is_sine_or_cosine(int index) const {
    const Op op = tape_.node(index).op;
    return op == Op::sin || op == Op::cos;
  }
  bool join_one_square(Polynomial& p);
  Expr monomial(const Powers& powers);

  Tape& tape_;
  std::int64_t& effort_;
  std::map<int, Polynomial> poly_;
  std::map<int, bool> trigonometric_;
};

// Nodes that are neither sums, products nor constants are atoms and end the walk.
std::optional<Polynomial> Expander::polynomial(const Expr& f) {
  const auto is_open = [](const Node& n) {
    return n.op == Op::add || n.op == Op::sub || n.op == Op::mul || n.op == Op::neg;
  };
  const std::vector<int> below = nodes_below(tape_, f.index(), is_open);
  if (below.size() > largest_graph) return std::nullopt;

  for (const int i : below) {
    const Node& n = tape_.node(i);
    const bool is_constant = n.op == Op::constant;
    trigonometric_[i] =
        is_sine_or_cosine(i) || (is_open(n) && (trigonometric_.at(n.a) || (n.b >= 0 && trigonometric_.at(n.b))));
    poly_[i] = is_constant       ? Polynomial{{{}, {n.value, std::abs(n.value)}}}
               : !is_open(n)     ? atom(i)
               : n.op == Op::mul ? product(n, i)
                                 : sum(n);
    if (poly_[i].size() > most_terms || effort_ <= 0) return std::nullopt;
  }
  return poly_.at(f.index());
}

// One for each factor of each term that is handled.
void Expander::spend(const Polynomial& p) {
  for (const auto& [powers, c] : p) effort_ -= 1 + static_cast<std::int64_t>(powers.size());
}

Polynomial Expander::sum(const Node& n) {
  spend(poly_.at(n.a));
  if (n.b >= 0) spend(poly_.at(n.b));
  if (n.op == Op::neg) {
    Polynomial p = poly_.at(n.a);
    for (auto& [powers, c] : p) c.sum = -c.sum;
    return p;
  }
  const double sign = n.op == Op::sub ? -1.0 : 1.0;
  Polynomial p = poly_.at(n.a);
  for (const auto& [powers, c] : poly_.at(n.b)) add_term(p, powers, {sign * c.sum, c.magnitude});
  drop_cancelled(p);
  return p;
}

Polynomial Expander::product(const Node& n, int index) {
  const Polynomial a = factor(n.a), b = factor(n.b);
  if (a.size() * b.size() > 4 * most_terms) return atom(index);
  Polynomial p;
  for (const auto& [x, cx] : a) {
    spend(b);
    effort_ -= static_cast<std::int64_t>(b.size() * x.size());
    for (const auto& [y, cy] : b) add_term(p, times(x, y), {cx.sum * cy.sum, cx.magnitude * cy.magnitude});
  }
  drop_cancelled(p);
  return p;
}

// k1 s^2 R + k2 c^2 R = k2 R + (k1 - k2) s^2 R for a sine s and the cosine c of the same argument, if |k1| >= |k2| and
// both have one sign; likewise with s and c exchanged. The degree falls each time.
bool Expander::join_one_square(Polynomial& p) {
  for (auto at = p.begin(); at != p.end(); ++at) {
    effort_ -= 1 + static_cast<std::int64_t>(at->first.size());
    for (const auto& [node, exponent] : at->first) {
      if (exponent < 2 || tape_.node(node).op != Op::sin) continue;
      const Expr cosine = cos(tape_.expr(tape_.node(node).a));
      const Powers rest = with_exponent(at->first, node, -2);
      const auto partner = p.find(with_exponent(rest, cosine.index(), 2));
      if (partner == p.end() || at->second.sum * partner->second.sum < 0.0) continue;

      auto [smaller, larger] = std::pair{at, partner};
      if (std::abs(smaller->second.sum) > std::abs(larger->second.sum)) std::swap(smaller, larger);
      const Coefficient c = smaller->second;
      larger->second.sum -= c.sum;
      if (std::abs(larger->second.sum) <= rounding * larger->second.magnitude) p.erase(larger);
      p.erase(smaller);
      add_term(p, rest, c);
      return true;
    }
  }
  return false;
}

void Expander::join_squares(Polynomial& p) {
  while (effort_ > 0 && join_one_square(p)) {
  }
  drop_cancelled(p);
}

Expr Expander::monomial(const Powers& powers) {
  Expr product = 1.0;
  for (const auto& [node, exponent] : powers) product *= pow(tape_.expr(node), exponent);
  return product;
}

// Terms with the same factor besides sines and cosines stand together: sum of factor * (sum of +-k * trigonometric
// part). The bracket begins with a plus and, where all its coefficients have one size, is free of them, so that the
// same bracket in several expressions is one node.
Expr Expander::record(const Polynomial& p) {
  spend(p);
  std::map<Powers, std::vector<std::pair<Powers, double>>> groups;
  for (const auto& [powers, c] : p) {
    Powers plain, trigonometric;
    for (const auto& power : powers) (is_sine_or_cosine(power.first) ? trigonometric : plain).push_back(power);
    groups[plain].emplace_back(trigonometric, c.sum);
  }

  std::map<int, std::pair<Expr, Expr>> by_bracket;  // node of the bracket -> (bracket, its factor)
  for (const auto& [plain, terms] : groups) {
    double scale = terms.front().second;
    for (const auto& [powers, c] : terms)
      if (!nearly_equal(std::abs(scale), std::abs(c))) scale = std::copysign(1.0, scale);
    Expr bracket = 0.0;
    for (const auto& [powers, c] : terms) {
      const double ratio = std::abs(scale) == 1.0 ? c / scale : std::copysign(1.0, c / scale);
      bracket += ratio * monomial(powers);
    }
    auto& [same_bracket, factor] = by_bracket[bracket.index()];
    if (bracket.is_constant()) {
      factor += scale * bracket.constant() * monomial(plain);
      same_bracket = 1.0;
    } else {
      factor += scale * monomial(plain);
      same_bracket = bracket;
    }
  }
  Expr total = 0.0;
  for (const auto& [index, part] : by_bracket) total += part.second * part.first;
  return total;
}

}  // namespace

Expr expand(const Expr& f, std::int64_t& effort) {
  if (f.is_constant() || effort <= 0) return f;
  Expander expander(*f.tape(), effort);
  std::optional<Polynomial> p = expander.polynomial(f);
  if (!p) return f;
  expander.join_squares(*p);
  return expander.record(*p);
}

}  // namespace esc::ad
