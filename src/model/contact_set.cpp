#include <cmath>

#include <escapement/state.hpp>

#include "src/math/vectors.hpp"

namespace esc {

void ContactSet::layout() {
  int row = 0;
  int value = 0;
  for (Contact& contact : contacts) {
    contact.first_row = row;
    contact.first_value = value;
    row += contact.row_count;
    value += contact.row_count * contact.width;
  }
  fit(G, static_cast<std::size_t>(value));
  fit(g_t, static_cast<std::size_t>(row));
}

namespace {

std::array<double, 3> cross(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

}  // namespace

bool ContactFrame::operator==(const ContactFrame& other) const {
  bool same = normal == other.normal && tangent == other.tangent;
  for (int i = 0; i < 3; ++i)
    same = same && (point[i] == other.point[i] || (std::isnan(point[i]) && std::isnan(other.point[i])));
  return same;
}

std::array<double, 3> to_world(const ContactFrame& frame, int rows, const double* P) {
  const auto& n = frame.normal;
  const auto& t = frame.tangent;
  std::array<double, 3> world{n[0] * P[0], n[1] * P[0], n[2] * P[0]};
  if (rows > 1)
    for (int i = 0; i < 3; ++i) world[i] += t[i] * P[1];
  if (rows > 2) {
    const auto s = cross(n, t);
    for (int i = 0; i < 3; ++i) world[i] += s[i] * P[2];
  }
  return world;
}

void to_rows(const Contact& contact, const std::array<double, 3>& world, double* P) {
  const auto dot = [&](const std::array<double, 3>& a) { return a[0] * world[0] + a[1] * world[1] + a[2] * world[2]; };
  P[0] = dot(contact.normal);
  if (contact.row_count > 1) P[1] = dot(contact.tangent);
  if (contact.row_count > 2) P[2] = dot(cross(contact.normal, contact.tangent));
}

std::array<double, 3> to_world(const ContactRecord& record) {
  return to_world(record.frame, record.rows, record.P.data());
}

void reexpress(const ContactRecord& record, const Contact& contact, double* P) {
  to_rows(contact, to_world(record), P);
}

}  // namespace esc
