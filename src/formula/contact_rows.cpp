#include "src/formula/contact_rows.hpp"

namespace esc::formula {

using ad::Expr;

std::vector<Expr> values_and_slopes(const Recording& recording, const RowsOfContacts& contacts, std::size_t rows) {
  std::vector<Expr> outputs;
  for (const std::vector<Expr>& f : contacts) {
    outputs.push_back(f[0]);
    for (std::size_t row = 0; row < rows; ++row) {
      append(outputs, gradient(f[row], recording.r.q));
      outputs.push_back(derivative(f[row], recording.r.t));
    }
  }
  return outputs;
}

std::vector<Expr> second_rates(const Recording& recording, const RowsOfContacts& contacts, std::size_t rows) {
  std::vector<Expr> outputs;
  for (const std::vector<Expr>& f : contacts)
    for (std::size_t row = 0; row < rows; ++row) outputs.push_back(recording.rate(recording.rate(f[row])));
  return outputs;
}

RowsOfContacts parse_contacts(const Recording& recording, const std::vector<FormulaContact>& contacts) {
  if (contacts.empty()) throw FormulaError(0, 0, "a contact has at least one gap", "gap");
  const std::size_t slips = contacts[0].slip.size();
  RowsOfContacts rows;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const std::string number = contacts.size() == 1 ? "" : "[" + std::to_string(k) + "]";
    if (contacts[k].slip.size() > 2)
      throw FormulaError(0, 0, "a contact has at most two slips, not " + std::to_string(contacts[k].slip.size()),
                         "slip" + number);
    if (contacts[k].slip.size() != slips)
      throw FormulaError(0, 0, "all gaps of a contact have the same number of slips", "slip" + number);
    auto& list = rows.emplace_back();
    list.push_back(recording.parse(contacts[k].gap, {"gap" + number, "a gap", of_position}));
    for (std::size_t i = 0; i < slips; ++i)
      list.push_back(recording.parse(contacts[k].slip[i],
                                     {"slip" + number + "[" + std::to_string(i) + "]", "a slip", of_position}));
  }
  return rows;
}

std::vector<Expr> gaps_of(const RowsOfContacts& contacts) {
  std::vector<Expr> gaps;
  for (const std::vector<Expr>& contact : contacts) gaps.push_back(contact[0]);
  return gaps;
}

}  // namespace esc::formula
