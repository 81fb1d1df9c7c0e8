#include <escapement/study/doctor.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "src/math/text.hpp"

namespace esc::study {

namespace {

class Doctor {
 public:
  Doctor(const io::Scene& scene, const System& system)
      : scene_(scene), system_(system), x_(system.initial_state()), scratch_(system.scratch_size()) {}

  std::vector<Diagnosis> examine() {
    freedom();
    gaps();
    masses();
    stiffness();
    for (const std::string& text : system_.warnings()) warn("joints", text);
    for (const io::Parameter& parameter : scene_.parameters)
      if (!parameter.used) warn("parameters", "parameter '" + parameter.name + "' is not used");
    std::stable_sort(found_.begin(), found_.end(),
                     [](const Diagnosis& a, const Diagnosis& b) { return a.severity < b.severity; });
    return std::move(found_);
  }

 private:
  void fact(const char* topic, std::string text) { found_.push_back({Severity::fact, topic, std::move(text)}); }
  void warn(const char* topic, std::string text) { found_.push_back({Severity::warning, topic, std::move(text)}); }
  Point here() { return {x_.t, x_.q.data(), x_.v.data(), x_.u.data(), scratch_.data()}; }

  void freedom();
  void gaps();
  void look_at_gap(const ContactSet& set, const Contact& contact, double& nearest);
  void masses();
  void stiffness();
  double highest_frequency(const MatrixBlock& block, std::span<const double> M, std::span<const double> K);

  const io::Scene& scene_;
  const System& system_;
  const State& x_;
  std::vector<double> scratch_;
  std::vector<Diagnosis> found_;
};

void Doctor::freedom() {
  int dependent = 0;
  for (const Component& component : system_.components()) dependent += component.deficiency;
  const int rows = system_.joint_rows();
  fact("freedom", std::to_string(system_.nv() - (rows - dependent)) +
                      " degrees of freedom: " + std::to_string(system_.nv()) + " velocities, " + std::to_string(rows) +
                      " joint rows of rank " + std::to_string(rows - dependent));
  fact("freedom", std::to_string(system_.joints().size()) + " joints, " + std::to_string(system_.pairs()) +
                      " contact pairs, " + std::to_string(system_.components().size()) + " separate mechanisms");
}

void Doctor::gaps() {
  ContactSet set;
  system_.detect(x_.t, x_.q, everything, set);
  system_.evaluate(x_.t, x_.q, set);
  double nearest = everything;
  for (const Contact& contact : set.contacts) look_at_gap(set, contact, nearest);
  if (set.size() > 0) fact("gaps", "smallest gap at the start " + short_text(nearest) + " m");
}

void Doctor::look_at_gap(const ContactSet& set, const Contact& contact, double& nearest) {
  const std::string name = "contact '" + system_.contact_name(contact.key) + "'";
  nearest = std::min(nearest, contact.gap);
  double U[3] = {};
  velocity(set, contact, x_.v, U);
  if (contact.gap < 0.0)
    warn("gaps", name + " overlaps by " + short_text(-contact.gap) + " m at the start");
  else if (contact.gap > 0.0 && -U[0] * scene_.run.step > 0.5 * contact.gap)
    warn("step", name + " closes at " + short_text(-U[0]) + " m/s: one step of " + short_text(scene_.run.step) +
                     " s is " + short_text(-U[0] * scene_.run.step / contact.gap) + " times its gap of " +
                     short_text(contact.gap) + " m; reduce the step");
}

// Sizes that no body of a mechanism has: most often millimetres taken for metres, or grams for kilograms.
void Doctor::masses() {
  std::vector<double> M(system_.matrix_size());
  system_.mass(here(), M, Part::all);
  double lightest = everything, heaviest = 0.0;
  for (const MatrixBlock& block : system_.blocks())
    for (int i = 0; i < block.n; ++i) {
      const double m = M[block.a0 + (block.storage == Storage::dense ? i * block.n + i : i)];
      const std::string& name = system_.velocities()[block.v0 + i].name;
      if (!(m > 0.0)) warn("masses", "the inertia of '" + name + "' is " + short_text(m) + "; it must be positive");
      if (m > 0.0 && (m < 1e-12 || m > 1e9))
        warn("masses", "the inertia of '" + name + "' is " + short_text(m) + " kg or kg m^2: check the units (kg, m)");
      lightest = std::min(lightest, m);
      heaviest = std::max(heaviest, m);
    }
  fact("masses", "inertias from " + short_text(lightest) + " to " + short_text(heaviest) + " (kg or kg m^2)");
}

// The largest |K x| / |M x| by power iteration of M^-1 K with a diagonal M: an estimate from above in the usual cases.
double Doctor::highest_frequency(const MatrixBlock& block, std::span<const double> M, std::span<const double> K) {
  std::vector<double> x(system_.nv(), 0.0), y(system_.nv(), 0.0);
  for (int i = 0; i < block.n; ++i) x[block.v0 + i] = 1.0 + 0.3 * std::sin(1.7 * i) * (i % 2 ? -1.0 : 1.0);
  double square = 0.0;
  for (int k = 0; k < 50; ++k) {
    std::fill(y.begin(), y.end(), 0.0);
    add_times({&block, 1}, K, 1.0, x, y);
    double norm = 0.0;
    for (int i = 0; i < block.n; ++i) {
      const double m = M[block.a0 + (block.storage == Storage::dense ? i * block.n + i : i)];
      y[block.v0 + i] /= m > 0.0 ? m : 1.0;
      norm = std::max(norm, std::abs(y[block.v0 + i]));
    }
    if (!(norm > 0.0) || !std::isfinite(norm)) return 0.0;
    square = norm;
    for (int i = 0; i < block.n; ++i) x[block.v0 + i] = y[block.v0 + i] / norm;
  }
  return std::sqrt(square) / (2.0 * std::numbers::pi);
}

void Doctor::stiffness() {
  std::vector<double> M(system_.matrix_size()), K(system_.tangent_size(), 0.0);
  system_.mass(here(), M, Part::all);
  system_.add_tangent(here(), 1.0, 0.0, K, Part::all);
  double highest = 0.0;
  int where = 0;
  for (const MatrixBlock& block : system_.blocks())
    if (const double f = highest_frequency(block, M, K); f > highest) {
      highest = f;
      where = block.v0;
    }
  if (highest == 0.0) return;
  const double steps = 1.0 / (highest * scene_.run.step);
  fact("stiffness", "highest frequency about " + short_text(highest) + " Hz, " + short_text(steps) + " steps a period");
  if (steps < 5.0)
    warn("stiffness", "the stiffest part, around '" + system_.velocities()[where].name + "', swings with about " +
                          short_text(highest) + " Hz: the step resolves it with " + short_text(steps) +
                          " steps a period; results are stable, but this motion is not followed");
}

}  // namespace

std::vector<Diagnosis> diagnose(const io::Scene& scene, const System& system) {
  return Doctor(scene, system).examine();
}

}  // namespace esc::study
