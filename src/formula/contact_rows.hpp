// Gaps and slips of an item as expressions, whatever their coordinates stand for.
#pragma once

#include <vector>

#include "src/formula/recording.hpp"

namespace esc::formula {

// For every contact its gap and slips.
using RowsOfContacts = std::vector<std::vector<ad::Expr>>;

// Throws FormulaError naming "gap", "slip[i]" of the contact.
RowsOfContacts parse_contacts(const Recording& recording, const std::vector<FormulaContact>& contacts);
std::vector<ad::Expr> gaps_of(const RowsOfContacts& contacts);
// Of the first `rows` of each: for every contact its gap, then for each row its slopes and its derivative in t.
std::vector<ad::Expr> values_and_slopes(const Recording& recording, const RowsOfContacts& contacts, std::size_t rows);
// d^2/dt^2 along (1, v) at constant v.
std::vector<ad::Expr> second_rates(const Recording& recording, const RowsOfContacts& contacts, std::size_t rows);

}  // namespace esc::formula
