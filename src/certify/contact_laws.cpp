// The laws of the contacts: impact, gaps and friction, and what round-off leaves of them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "src/certify/checks.hpp"

namespace esc {

namespace {

// What 0 <= a _|_ P >= 0 leaves. Impulses up to `negligible` count as none: solvers leave round-off at contacts that
// have just opened.
double complementarity(double a, double P, double negligible) {
  return P > negligible ? std::abs(a) : std::max(-a, 0.0);
}

// What rounding leaves open of a velocity, where it is not far below the tolerance.
double counts(double unknown, const Tolerances& tol) { return unknown > 1e-3 * tol.velocity ? unknown : 0.0; }

double negligible(const Promise& promise) { return 1e-6 * promise.tol.momentum; }

}  // namespace

// The step has M v_{k+1} = M v_k + int F + G^T P, and P is stored in doubles. So no choice of these numbers gives v_i
// closer than the half of eps S_i (M^-1)_ii, S_i = sum |G_ji P_j| + |M v|_i being what is added up, and (M^-1)_ii >= 1
// / M_ii. Products and sums round as well: 4 eps. A body of 1 g between the floor and one of 1000 kg that lands at 1
// m/s takes 1000 N s from both sides, and knows its velocity to 1e-9 m/s.
double Checks::round_off(const Contact& contact, int row) {
  std::vector<double>& sum = momenta_;
  if (sum.empty()) {
    sum.assign(nv_, 0.0);
    for (const Contact& other : contacts.contacts) {
      const double* G = contacts.G.data() + other.first_value;
      for (int i = 0; i < other.row_count; ++i)
        for (const Segment& segment : other.segments)
          for (int j = 0; j < segment.length; ++j)
            sum[segment.first + j] += std::abs(*G++ * rows.P[other.first_row + i]);
    }
    for (const MatrixBlock& block : system.blocks())
      for (int i = 0; i < block.n; ++i) {
        const double mass = M[block.diagonal(i)], v = std::abs(before_->v[block.v0 + i]);
        sum[block.v0 + i] = sum[block.v0 + i] / mass + v;
      }
  }
  double bound = 0.0;
  const double* G = contacts.G.data() + contact.first_value + row * contact.width;
  for (const Segment& segment : contact.segments)
    for (int j = 0; j < segment.length; ++j) bound += std::abs(*G++) * sum[segment.first + j];
  return 4.0 * std::numeric_limits<double>::epsilon() * bound;
}

void Checks::rate_law(const RateLaw& law) {
  for (const Contact& contact : contacts.contacts) {
    const int row = contact.first_row;
    const double u = rows.U[row] + (law.normal + law.restitution * contact.law.e) * rows.U_k[row];
    double defect = complementarity(u, rows.P[row], negligible(*promise_));
    if (defect > promise_->tol.velocity) defect -= std::min(defect, counts(round_off(contact, 0), promise_->tol));
    (*this)[Check::impact_law].see(defect, contact.key);
  }
}

void Checks::gap_law() {
  (*this)[Check::impact_law].allow(promise_->tol.gap);
  for (const Contact& contact : contacts.contacts)
    (*this)[Check::impact_law].see(complementarity(contact.gap, rows.P[contact.first_row], negligible(*promise_)),
                                   contact.key);
}

namespace {

// cos of the angle between (x, y) and the nearest of the directions first + 2 pi i / n.
double nearest_cosine(double x, double y, int n, double first) {
  const double between = 2.0 * std::numbers::pi / n;
  return std::cos(std::remainder(std::atan2(y, x) - first, between));
}

// How far P_T is outside the disc of this radius, or outside the polygon with n corners in it, whose sides are at
// cos(pi / n).
double beyond_cone(double P1, double P2, double radius, int n) {
  const double size = std::hypot(P1, P2);
  if (n == 0) return size - radius;
  const double half = std::numbers::pi / n;
  return size * nearest_cosine(P1, P2, n, half) - radius * std::cos(half);
}

// How far P_T is from opposing the slip; of a polygon how much less than the nearest corner it dissipates, per slip.
double beside_slip(const double* P, const double* u, double radius, int n) {
  const double slip = std::hypot(u[0], u[1]);
  if (n == 0) return std::hypot(P[0] + radius * u[0] / slip, P[1] + radius * u[1] / slip);
  return std::abs(radius * nearest_cosine(-u[0], -u[1], n, 0.0) + (P[0] * u[0] + P[1] * u[1]) / slip);
}

}  // namespace

// The law at a contact that slides or sticks: P_T = -mu P_N u_T / |u_T|, or u_T = 0. The smaller of the two defects
// counts, the slip on the scale on which Tolerances::velocity of slip is Tolerances::momentum of impulse. As in the
// balance of momentum, 1e-12 of the largest impulse is allowed where the bound is exceeded, unless that is far below
// it: solvers find no more.
void Checks::friction(const RateLaw& law, int corners) {
  const Tolerances& tol = promise_->tol;
  for (const Contact& contact : contacts.contacts) {
    const double* P = rows.P.data() + contact.first_row;
    Worst worst = (*this)[Check::friction_law];
    worst.see(-P[0], contact.key);
    if (contact.row_count == 1) continue;
    const double* U = rows.U.data() + contact.first_row;
    const double* U_k = rows.U_k.data() + contact.first_row;
    const bool space = contact.row_count == 3;
    const double u[2] = {U[1] + law.tangent * U_k[1], space ? U[2] + law.tangent * U_k[2] : 0.0};
    const double T[2] = {P[1], space ? P[2] : 0.0};
    const double most = contact.law.mu * P[0], slip = std::hypot(u[0], u[1]);
    const int n = space ? corners : 0;
    worst.see(beyond_cone(T[0], T[1], most, n), contact.key);
    if (slip == 0.0) continue;
    const double off = beside_slip(T, u, most, n);
    const double slipped = slip / tol.velocity * tol.momentum;
    double defect = off >= slipped ? slipped : off;
    if (defect > tol.momentum) {
      const double unknown = round_off(contact, 1) + (space ? round_off(contact, 2) : 0.0);
      const double turned = std::max(off - most * unknown / slip, 0.0);
      defect = std::min(std::max(slip - counts(unknown, tol), 0.0) / tol.velocity * tol.momentum, turned);
    }
    worst.see(defect, contact.key);
  }
  if (result_->findings[static_cast<std::size_t>(Check::friction_law)].value <= tol.momentum) return;
  double largest = 0.0;
  for (const Contact& contact : contacts.contacts) largest = std::max(largest, rows.P[contact.first_row]);
  const double noise = 1e-12 * largest;
  if (noise > 1e-2 * tol.momentum) (*this)[Check::friction_law].allow(tol.momentum + noise);
}

}  // namespace esc
