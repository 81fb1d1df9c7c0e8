#include <escapement/study/check.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/math/text.hpp"
#include "src/study/findings.hpp"

namespace esc::study {

namespace {

constexpr double round_off = 1e-12;  // m, of a gap that is closed

class SceneCheck {
 public:
  SceneCheck(const io::Scene& scene, const System& system)
      : scene_(scene), system_(system), x_(system.initial_state()), scratch_(system.scratch_size()) {}

  std::vector<Finding> findings() {
    freedom();
    joints();
    steps();
    gaps();
    contacts();
    for (const std::string& text : io::make_scheme(scene_, system_)->warnings()) warn("contacts", text);
    masses();
    look_at_units(scene_, system_, findings_);
    look_at_stiffness(scene_, system_, findings_);
    for (const io::Parameter& parameter : scene_.parameters)
      if (!parameter.used) warn("parameters", "parameter '" + parameter.name + "' is not used", parameter.name);
    std::stable_sort(findings_.list.begin(), findings_.list.end(),
                     [](const Finding& a, const Finding& b) { return a.severity < b.severity; });
    return std::move(findings_.list);
  }

 private:
  void fact(const char* topic, std::string text, std::string item = "") {
    findings_.fact(topic, std::move(text), std::move(item));
  }
  void warn(const char* topic, std::string text, std::string item = "") {
    findings_.warn(topic, std::move(text), std::move(item));
  }
  Point here() { return {x_.t, x_.q.data(), x_.v.data(), x_.u.data(), scratch_.data()}; }

  void freedom();
  void joints();
  void assembly();
  void gaps();
  void look_at_closing(const ContactSet& set, const Contact& contact);
  void contacts();
  void steps();
  void masses();

  const io::Scene& scene_;
  const System& system_;
  const State& x_;
  std::vector<double> scratch_;
  Findings findings_;
};

void SceneCheck::freedom() {
  int dependent = 0;
  for (const Component& component : system_.components()) dependent += component.deficiency;
  const int rows = system_.joint_rows();
  fact("freedom", std::to_string(system_.nv() - (rows - dependent)) +
                      " degrees of freedom: " + std::to_string(system_.nv()) + " velocities, " + std::to_string(rows) +
                      " joint rows of rank " + std::to_string(rows - dependent));
  fact("freedom", std::to_string(system_.joints().size()) + " joints, " + std::to_string(system_.pairs()) +
                      " contact pairs, " + std::to_string(system_.components().size()) + " separate mechanisms");
}

void SceneCheck::joints() {
  for (const std::string& text : system_.warnings())
    warn(text.starts_with("redundant joints") || text.starts_with("start:") ? "joints" : "masses", text);
  look_at_motors(system_, findings_);
  look_at_jumps(scene_, system_, findings_);
  assembly();
}

// What assembly = "project" made of the given start.
void SceneCheck::assembly() {
  struct Change {
    double size = 0.0;
    std::string name;
    void take(double given, double now, const std::string& what) {
      if (const double change = std::abs(now - given); change > size) *this = {change, what};
    }
  } position, velocity;
  for (const Model::Parts::Block& block : scene_.model.parts().blocks) {
    const int q0 = system_.coordinate(block.name + "." + block.coordinates.front().name);
    const int v0 = first_velocity(system_, block);
    for (int i = 0; i < static_cast<int>(block.q.size()); ++i)
      position.take(block.q[i], x_.q[q0 + i], system_.coordinates()[q0 + i].name);
    for (int i = 0; i < static_cast<int>(block.v.size()); ++i)
      velocity.take(block.v[i], x_.v[v0 + i], system_.velocities()[v0 + i].name);
  }
  const auto report = [&](const Change& change, const char* what) {
    if (change.size > system_.joint_tolerance())
      warn("joints",
           std::string("the given ") + what + " break the joints: assembly = \"project\" changes '" + change.name +
               "' most, by " + short_text(change.size),
           change.name);
  };
  report(position, "positions");
  report(velocity, "velocities");
}

void SceneCheck::gaps() {
  ContactSet set;
  system_.detect(x_.t, x_.q, any_gap, set);
  system_.evaluate(x_.t, x_.q, set);
  const std::unordered_set<std::string> settled = look_at_play(scene_, system_, findings_);
  double nearest = infinity;
  std::string unit = "m";
  for (const Contact& contact : set.contacts) {
    const std::string& own_unit = system_.pair_units()[contact.key.pair];
    if (contact.gap < nearest) {
      nearest = contact.gap;
      unit = own_unit;
    }
    if (contact.gap < -round_off) {
      const std::string item = system_.contact_name(contact.key);
      warn("gaps", "contact '" + item + "' overlaps by " + short_text(-contact.gap) + " " + own_unit + " at the start",
           item);
    }
    if (!settled.contains(system_.pair_names()[contact.key.pair])) look_at_closing(set, contact);
  }
  look_at_passage(scene_, system_, set, findings_);
  look_at_cones(system_, set, findings_);
  if (set.size() > 0) fact("gaps", "smallest gap at the start " + short_text(nearest) + " " + unit);
}

void SceneCheck::look_at_closing(const ContactSet& set, const Contact& contact) {
  double U[3] = {};
  velocity(set, contact, x_.v, U);
  const double part = -U[0] * scene_.run.step / contact.gap;
  if (!(contact.gap > round_off) || !(part > 0.5)) return;
  const std::string item = system_.contact_name(contact.key);
  const std::string& unit = system_.pair_units()[contact.key.pair];
  warn("step",
       "contact '" + item + "' closes at " + short_text(-U[0]) + " " + unit + "/s: one step of " +
           short_text(scene_.run.step) + " s is " + short_text(part) + " times its gap of " + short_text(contact.gap) +
           " " + unit + "; reduce the step",
       item);
}

// At the start and at a second state beside it, so that no accident of the start counts.
void SceneCheck::contacts() {
  std::vector<double> q(x_.q.size()), xi(x_.v.size());
  for (std::size_t i = 0; i < xi.size(); ++i) xi[i] = 1e-3 * std::cos(static_cast<double>(i));
  system_.retract(x_.q, xi, q);
  ContactSet set;
  std::vector<char> can_change(system_.pairs(), 0), seen(system_.pairs(), 0);
  const auto look = [&](double t, std::span<const double> at) {
    system_.detect(t, at, any_gap, set);
    system_.evaluate(t, at, set);
    for (const Contact& contact : set.contacts) {
      const double* G = set.G.data() + contact.first_value;
      seen[contact.key.pair] = 1;
      if (set.g_t[contact.first_row] != 0.0 || std::any_of(G, G + contact.width, [](double d) { return d != 0.0; }))
        can_change[contact.key.pair] = 1;
    }
  };
  look(x_.t, x_.q);
  look(x_.t + 1e-3, q);
  for (int i = 0; i < system_.pairs(); ++i)
    if (seen[i] && !can_change[i])
      warn("contacts",
           "contact '" + system_.pair_names()[i] +
               "' can never touch: its gap changes neither with the coordinates nor with time",
           system_.pair_names()[i]);

  const Model::Parts& parts = scene_.model.parts();
  std::vector<char> paired(parts.shapes.size(), 0);
  for (const Model::Parts::Contact& contact : parts.contacts)
    for (const int shape : {contact.shape_a, contact.shape_b})
      if (shape >= 0) paired[shape] = 1;
  for (std::size_t i = 0; i < paired.size(); ++i)
    if (!paired[i])
      fact("contacts", "shape '" + parts.shapes[i].name + "' is in no contact pair", parts.shapes[i].name);
}

void SceneCheck::steps() {
  const double step = scene_.run.step, until = scene_.run.until;
  const double count = steps_until_end(scene_.run, x_.t), last = x_.t + count * step;
  std::string text = short_text(count) + " steps of " + short_text(step) + " s";
  if (until - last > 1e-6 * step)
    text += "; the last one ends at " + short_text(last) + " s, " + short_text(until - last) + " s before the end";
  fact("step", std::move(text));
  if (count < 10.0)
    warn("step",
         "the run has " + short_text(count) + " steps: reduce the step, or check the unit of step and until (s)");
  if (count > 1e8) warn("step", "the run has " + short_text(count) + " steps: check the unit of step and until (s)");
}

void SceneCheck::masses() {
  std::vector<double> M(system_.matrix_size());
  system_.mass(here(), M, Part::all);
  double lightest = infinity, heaviest = 0.0;
  for (const MatrixBlock& block : system_.blocks())
    for (int i = 0; i < block.n; ++i) {
      const double m = M[block.diagonal(i)];
      const std::string& name = system_.velocities()[block.v0 + i].name;
      if (m < 1e-12 || m > 1e9)
        warn("masses", "the inertia of '" + name + "' is " + short_text(m) + " kg or kg m^2: check the units (kg, m)",
             name);
      lightest = std::min(lightest, m);
      heaviest = std::max(heaviest, m);
    }
  fact("masses", "inertias from " + short_text(lightest) + " to " + short_text(heaviest) + " (kg or kg m^2)");
}

}  // namespace

std::vector<Finding> check(const io::Scene& scene, const System& system) {
  return SceneCheck(scene, system).findings();
}

}  // namespace esc::study
