// Schatzman-Paoli, acary (20)-(22): the two states with their histories, (w_k, h_k) and (w_{k+1}, h). Letters:
// docs/schemes/schatzman_paoli.md.
#include <algorithm>
#include <cmath>

#include "src/certify/checks.hpp"

namespace esc {

namespace {

struct TwoStepView {
  const TwoStepEquations& equations;
  const StepStates& x;
  Checks& check;
  double h_k, h, s;
  std::vector<double>& w0;  // w_k
  std::vector<double>& w1;  // w_{k+1}
  std::vector<double>& q_theta;
  std::vector<double>& v_theta;
  std::vector<double>& dw;
};

bool by_key(const Contact& a, const Contact& b) { return a.key < b.key; }

// The history (w, h) of a state, or null if it is not one of this family.
const std::vector<double>* memory_of(const State& x, const Checks& check) {
  const History* history = find_history(x, check.owner());
  return history && history->values.size() == x.v.size() + 1 ? &history->values : nullptr;
}

// q_{k+1} = retract(q_k, h w_{k+1}), v_{k+1} on the line through w_k and w_{k+1}, and the two times.
void check_kinematics(const TwoStepView& step) {
  const auto& [before, after] = step.x;
  Checks& check = step.check;
  std::vector<double>& way = check.velocities();
  std::vector<double>& expected = check.positions();
  double speed = 0.0;
  for (std::size_t i = 0; i < way.size(); ++i) {
    const double w0 = step.w0[i], w1 = step.w1[i], dw = w1 - w0;
    check[Check::kinematics].see(step.h * std::abs(after.v[i] - (w0 + 0.5 * step.h_k / step.s * dw)));
    step.dw[i] = dw;
    step.v_theta[i] = w0 + (step.equations.theta * step.h + 0.5 * step.h_k) / step.s * dw;
    speed = std::max(speed, std::max(std::abs(w0), std::abs(w1)));
    way[i] = step.h * w1;
  }
  check.speed = speed;
  check.system.retract(before.q, way, expected);
  check.system.interpolate(before.q, after.q, step.equations.theta, step.q_theta);
  check.place(expected, {step.h, 0.0});
}

// q_c of a contact with restitution e, moved from there by shift w_{k+1}, and its time.
class ContactPlaces {
 public:
  explicit ContactPlaces(const TwoStepView& step)
      : step_(step), way_(step.check.velocities()), q_(step.check.positions()), moved_(step.check.positions()) {}

  Configuration at(double e, double shift) {
    const State& before = step_.x.before;
    for (std::size_t i = 0; i < way_.size(); ++i) way_[i] = step_.h * (step_.w1[i] - e * step_.w0[i]) / (1.0 + e);
    step_.check.system.retract(before.q, way_, q_);
    const double t = before.t + step_.h * (1.0 - e) / (1.0 + e);
    if (shift == 0.0) return {t, &q_};
    for (std::size_t i = 0; i < way_.size(); ++i) way_[i] = shift * step_.w1[i];
    step_.check.system.retract(q_, way_, moved_);
    return {t + shift, &moved_};
  }

 private:
  const TwoStepView& step_;
  std::vector<double>& way_;
  std::vector<double>& q_;
  std::vector<double>& moved_;
};

// A record whose feature does not hold at q_c (a ball that has rolled from a face to an edge within the step) may be
// found at the ends of the step.
void find_hidden(const TwoStepView& step, const std::vector<double>& q) {
  const State& after = step.x.after;
  std::vector<Contact>& active = step.check.contacts.contacts;
  const auto hidden = [&](const ContactRecord& record) {
    Contact contact;
    contact.key = record.key;
    return record.P != std::array<double, 3>{} && !std::binary_search(active.begin(), active.end(), contact, by_key);
  };
  if (std::none_of(after.contacts.begin(), after.contacts.end(), hidden)) return;
  step.check.system.detect(after.t, q, any_gap, step.check.found);
  for (const Contact& contact : step.check.found.contacts) {
    const ContactRecord* record = find(after, contact.key);
    if (record && hidden(*record)) active.push_back(contact);
  }
  std::sort(active.begin(), active.end(), by_key);
}

// The contacts that carry an impulse or have g(q_c) <= Tolerances::gap, each at the q_c of its own e.
void find_contacts(const TwoStepView& step, ContactPlaces& places) {
  ContactSet& active = step.check.contacts;
  ContactSet& found = step.check.found;
  active.clear();
  const auto laws = step.check.system.pair_laws();
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const auto same = [e = laws[i].e](const ContactLaw& law) { return law.e == e; };
    if (std::any_of(laws.begin(), laws.begin() + static_cast<std::ptrdiff_t>(i), same)) continue;
    const Configuration place = places.at(laws[i].e, 0.0);
    step.check.system.detect(place.t, *place.q, step.check.tolerances().gap, found);
    for (const Contact& contact : found.contacts)
      if (same(contact.law)) active.contacts.push_back(contact);
  }
  std::sort(active.contacts.begin(), active.contacts.end(), by_key);
  for (const auto* q : {&step.x.before.q, &step.x.after.q}) find_hidden(step, *q);
  active.layout();
}

// g, G and frames of the contacts at their q_c.
void evaluate_contacts(const TwoStepView& step, ContactPlaces& places, double shift) {
  ContactSet& active = step.check.contacts;
  ContactSet& part = step.check.found;
  for (int i = 0; i < active.size(); ++i) {
    const double e = active.contacts[i].law.e;
    const auto same = [e](const Contact& contact) { return contact.law.e == e; };
    if (std::any_of(active.contacts.begin(), active.contacts.begin() + i, same)) continue;
    part.contacts.clear();
    std::copy_if(active.contacts.begin(), active.contacts.end(), std::back_inserter(part.contacts), same);
    part.layout();
    const Configuration place = places.at(e, shift);
    step.check.system.evaluate(place.t, *place.q, part);
    auto from = part.contacts.begin();
    for (Contact& contact : active.contacts) {
      if (!same(contact)) continue;
      std::copy_n(part.G.begin() + from->first_value, contact.row_count * contact.width,
                  active.G.begin() + contact.first_value);
      std::copy_n(part.g_t.begin() + from->first_row, contact.row_count, active.g_t.begin() + contact.first_row);
      contact.gap = from->gap;
      contact.normal = from->normal;
      contact.tangent = from->tangent;
      ++from;
    }
  }
}

// The family has no friction: impulses along the tangents are as wrong as those that pull.
void check_cone(Checks& check) {
  for (const Contact& contact : check.contacts.contacts) {
    const double* P = check.rows.P.data() + contact.first_row;
    check[Check::friction_law].see(-P[0], contact.key);
    for (int row = 1; row < contact.row_count; ++row) check[Check::friction_law].see(std::abs(P[row]), contact.key);
  }
}

// Positions at the end of the step; velocities, along w_{k+1}, of rows that have no positions.
void check_joints(const TwoStepView& step, const Point& frame) {
  Checks& check = step.check;
  const State& after = step.x.after;
  check[Check::joint_velocity].allow(check.tolerances().velocity);
  check[Check::joint_position].allow(check.tolerances().joint);
  if (check.system.joint_rows() == 0) return;
  check.system.evaluate(check.at(after, {after.t, &after.q}, step.w1), check.joint_end);
  check.system.evaluate(frame, check.joint_rows);
  for (int i = 0; i < static_cast<int>(check.system.joints().size()); ++i) {
    const Joint& joint = check.system.joints()[i];
    double U[max_joint_rows] = {};
    velocity(check.joint_end, joint, step.w1, U);
    for (int row = 0; row < joint.row_count; ++row) {
      if (joint.position)
        check[Check::joint_position].see_joint(std::abs(check.joint_end.g[joint.first_row + row]), i);
      else
        check[Check::joint_velocity].see_joint(std::abs(U[row]), i);
    }
  }
}

// Where M and Gb are promised to be taken.
Point frame_of(const TwoStepView& step) {
  const auto& [before, after] = step.x;
  switch (step.equations.frame) {
    case FrameAt::begin:
      return step.check.at(before, {before.t, &before.q}, step.w1);
    case FrameAt::theta:
      return step.check.at(before, {before.t + step.equations.theta * step.h, &step.q_theta}, step.w1);
    default:
      return step.check.at(before, {after.t, &after.q}, step.w1);
  }
}

}  // namespace

void certify(const TwoStepEquations& equations, const StepStates& x, Checks& check) {
  const auto& [before, after] = x;
  const System& system = check.system;
  const std::vector<double>* memory_k = memory_of(before, check);
  const std::vector<double>* memory = memory_of(after, check);
  if (!memory_k || !memory) return check.foreign();
  const double h_k = memory_k->back(), h = after.h;
  if (!(h > 0.0) || memory->back() != h || !(h_k >= 0.0)) return check.foreign();
  const TwoStepView step{equations,
                         x,
                         check,
                         h_k,
                         h,
                         0.5 * (h + h_k),
                         check.velocities(),
                         check.velocities(),
                         check.positions(),
                         check.velocities(),
                         check.velocities()};
  std::copy_n(h_k == 0.0 ? before.v.begin() : memory_k->begin(), system.nv(), step.w0.begin());
  std::copy_n(memory->begin(), system.nv(), step.w1.begin());
  check_kinematics(step);

  // 0 <= g(q_c) _|_ P >= 0.
  std::vector<double>& way = check.velocities();
  for (std::size_t i = 0; i < way.size(); ++i) {
    way[i] = h * step.w1[i];
    check.dv[i] = step.w1[i] - step.w0[i];
  }
  check.penetration(0.0, {way, h * check.speed, check.dv});
  ContactPlaces places(step);
  find_contacts(step, places);
  evaluate_contacts(step, places, 0.0);
  check.read_impulses();
  check.gap_law();
  check_cone(check);

  // M (w_{k+1} - w_k) - s F - Gb^T Lambda - G^T P.
  const Point frame = frame_of(step);
  const Point forces = check.at(before, {before.t + equations.theta * h, &step.q_theta}, step.v_theta);
  std::vector<double>& F = check.velocities();
  check_joints(step, frame);
  system.force(forces, F);
  system.mass(frame, check.M, Part::varying);
  check.balance(step.dw, F, step.s);

  // The energies are those of the states, whose v lags behind q: the balance is measured.
  check.audit(forces, step.s, step.w0, step.w1);
  check.energy(false);

  if (!check.bound()) return;
  const Checks::Shift shift = check.shift_from(after.t);
  check.find_velocities(step.w1, check.rows.U);
  check.contact_jacobian(step.w1, shift.length(), [&] { evaluate_contacts(step, places, shift.length()); });
  const std::vector<double>& q = check.shifted(after.q, step.w1, shift);
  check.joint_jacobian(check.joint_end, check.at(before, {shift.to, &q}, step.w1), shift.length());
}

}  // namespace esc
