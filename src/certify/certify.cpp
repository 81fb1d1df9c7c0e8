#include <escapement/certify.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "src/certify/step_view.hpp"
#include "src/certify/two_step_view.hpp"
#include "src/math/worst.hpp"

namespace esc {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Worst {
  Finding finding;
  explicit Worst(double allowed) { finding.allowed = allowed; }
  void see(double value, ContactKey key = {}) {
    if (is_worse(value, finding.value)) finding = {value, finding.allowed, key, -1};
  }
};

// Impulses up to `negligible` count as none: solvers leave round-off at contacts that have just opened.
Finding check_impact_law(const StepView& view, double tolerance, double negligible) {
  Worst worst(tolerance);
  for (const Contact& contact : view.active().contacts) {
    const double* U = view.velocity_after(contact);
    const double a = U[0] + contact.law.e * view.velocity_before(contact)[0];
    worst.see(view.impulse(contact)[0] > negligible ? std::abs(a) : std::max(-a, 0.0), contact.key);
  }
  return worst.finding;
}

// 0 <= g _|_ P_N >= 0 at the end of the step.
Finding check_position_law(const StepView& view, double tolerance, double negligible) {
  Worst worst(tolerance);
  for (const Contact& contact : view.active().contacts)
    worst.see(view.impulse(contact)[0] > negligible ? std::abs(contact.gap) : std::max(-contact.gap, 0.0), contact.key);
  return worst.finding;
}

// cos of the angle between (x, y) and the nearest of the directions first + 2 pi i / n.
double nearest_cosine(double x, double y, int n, double first) {
  const double between = 2.0 * std::numbers::pi / n;
  return std::cos(std::remainder(std::atan2(y, x) - first, between));
}

// The law of a polygon with n corners: P_T within it, and where the contact slips no other P_T there dissipates more.
// The support of the polygon in a direction is that of the nearest corner, its sides are at cos(pi / n).
void see_polygon(const Promise& promise, const Contact& contact, const double* P, const double* U, Worst& worst) {
  const int n = promise.friction_directions;
  const double half = std::numbers::pi / n, mu = contact.law.mu;
  const double across = std::hypot(P[1], P[2]) * nearest_cosine(P[1], P[2], n, half);
  worst.see(across - mu * P[0] * std::cos(half), contact.key);
  const double slip = std::hypot(U[1], U[2]);
  if (!(slip > promise.velocity_tolerance)) return;
  const double most = mu * P[0] * nearest_cosine(-U[1], -U[2], n, 0.0);
  worst.see(std::abs(most + (P[1] * U[1] + P[2] * U[2]) / slip), contact.key);
}

Finding check_friction_law(const StepView& view, const Promise& promise) {
  const double slip_tolerance = promise.velocity_tolerance;
  Worst worst(promise.momentum_tolerance);
  for (const Contact& contact : view.active().contacts) {
    const double* P = view.impulse(contact);
    const double* U = view.velocity_after(contact);
    const double mu = contact.law.mu;
    worst.see(-P[0], contact.key);
    if (contact.rows == 1) continue;
    if (contact.rows == 3 && promise.friction_cone == FrictionCone::polygon) {
      see_polygon(promise, contact, P, U, worst);
      continue;
    }
    const double U2 = contact.rows == 3 ? U[2] : 0.0;
    const double P2 = contact.rows == 3 ? P[2] : 0.0;
    const double slip = std::hypot(U[1], U2);
    worst.see(std::hypot(P[1], P2) - mu * P[0], contact.key);
    if (slip > slip_tolerance)
      worst.see(std::hypot(P[1] + mu * P[0] * U[1] / slip, P2 + mu * P[0] * U2 / slip), contact.key);
  }
  return worst.finding;
}

// States of another system: nothing about them is right.
Certificate foreign() {
  Certificate result;
  result.findings.fill({std::numeric_limits<double>::quiet_NaN(), 0.0, {}, -1});
  return result;
}

Finding check_jacobian(StepView& view) {
  const auto [size, key, joint] = view.bound() ? view.jacobian_defect() : StepView::At{};
  return {size, 1e-6, key, joint};
}

}  // namespace

struct Certifier::Work {
  explicit Work(const System& system) : view(system), two_step(system) {}
  StepView view;
  TwoStepView two_step;
};

Certifier::Certifier(const System& system) : system_(system), work_(std::make_unique<Work>(system)) {}
Certifier::~Certifier() = default;
Certifier::Certifier(Certifier&&) noexcept = default;

Certificate Certifier::certify(const State& before, const State& after, const Promise& promise) {
  StepView& view = work_->view;
  if (!fits(system_, before) || !fits(system_, after)) return foreign();
  if (promise.formula == Formula::two_step) return work_->two_step.certify(before, after, promise);
  view.look(before, after, promise);
  const Audit work = view.audit();
  // At the theta point the works are those of the momentum balance; averaged endpoint forces have no single power.
  const bool closes =
      system_.linear() && promise.theta == 0.5 && promise.quadrature == Quadrature::theta_point && !view.corrected();
  const double energies = std::abs(work.before.kinetic) + std::abs(work.before.potential) +
                          std::abs(work.after.kinetic) + std::abs(work.after.potential) + std::abs(work.impact) +
                          std::abs(work.friction) + std::abs(work.walls) + std::abs(work.joints);
  const double rounding = 1e-11 * energies + 2.0 * view.speed() * promise.momentum_tolerance;
  const double farthest = promise.joints == JointPromise::velocity ? infinity : promise.joint_tolerance;
  const double fastest = promise.joints == JointPromise::position ? infinity : promise.velocity_tolerance;
  const double deepest = promise.gap == GapPromise::nonnegative ? promise.gap_tolerance : infinity;

  // In the order of Check; the jacobian moves the view's contacts, so it is asked for after the laws.
  const auto at_contact = [](const StepView::At& worst, double allowed) {
    return Finding{worst.size, allowed, worst.key, -1};
  };
  const auto at_joint = [](const StepView::At& worst, double allowed) {
    return Finding{worst.size, allowed, {}, worst.joint};
  };
  return {{{
              at_contact(view.penetration(), deepest),
              promise.level == ContactLevel::velocity
                  ? check_impact_law(view, promise.velocity_tolerance, 1e-6 * promise.momentum_tolerance)
                  : check_position_law(view, promise.gap_tolerance, 1e-6 * promise.momentum_tolerance),
              check_friction_law(view, promise),
              at_contact(view.stray_impulse(), 0.0),
              {view.momentum_defect(), promise.momentum_tolerance + 1e-12 * view.momentum_scale(), {}, -1},
              {view.kinematic_defect(),
               view.kinematic_slack() + promise.position_tolerance * (1.0 + view.position_scale()),
               {},
               -1},
              check_jacobian(view),
              {std::abs(work.balance_error()), closes ? rounding : infinity, {}, -1},
              at_joint(view.joint_velocity(), fastest),
              at_joint(view.joint_position(), farthest),
              at_contact(view.projection_defect(), promise.gap_tolerance),
          }},
          work};
}

bool Certificate::ok() const {
  for (const Finding& finding : findings)
    if (!finding.ok()) return false;
  return true;
}

Check Certificate::worst() const {
  const auto ratio = [](const Finding& f) {
    if (std::isnan(f.value)) return infinity;
    return f.allowed > 0.0 ? f.value / f.allowed : (f.value > 0.0 ? infinity : 0.0);
  };
  int worst = 0;
  for (int i = 1; i < check_count; ++i)
    if (ratio(findings[i]) > ratio(findings[worst])) worst = i;
  return static_cast<Check>(worst);
}

Certificate certify(const System& system, const State& before, const State& after, const Promise& promise) {
  return Certifier(system).certify(before, after, promise);
}

std::string_view to_string(Check check) {
  constexpr std::array<std::string_view, check_count> names{
      "penetration", "impact_law", "friction_law",   "inactive",       "momentum",  "kinematics",
      "jacobian",    "energy",     "joint_velocity", "joint_position", "projection"};
  return names[static_cast<std::size_t>(check)];
}

FoundAt found_at(const System& system, Check check, const Finding& finding) {
  if (finding.joint >= 0 && finding.joint < static_cast<int>(system.joint_names().size()))
    return {"joint", system.joint_names()[finding.joint]};
  switch (check) {
    case Check::momentum:
    case Check::kinematics:
    case Check::energy:
    case Check::joint_velocity:
    case Check::joint_position:
      return {};
    case Check::penetration:
    case Check::impact_law:
    case Check::friction_law:
    case Check::inactive:
    case Check::jacobian:
    case Check::projection:
      break;
  }
  if (static_cast<int>(finding.key.pair) >= system.pairs()) return {};
  return {"contact", system.contact_name(finding.key)};
}

}  // namespace esc
