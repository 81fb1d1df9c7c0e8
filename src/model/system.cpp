#include <escapement/system.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "src/math/vectors.hpp"
#include "src/model/layout.hpp"

#include "src/math/vectors.hpp"

namespace esc {

void BlockSource::retract(const double* q, const double* xi, double* out) const {
  for (const auto& [q0, v0, n] : owned_)
    for (int i = 0; i < n; ++i) out[q0 + i] = q[q0 + i] + xi[v0 + i];
}

void BlockSource::difference(const double* q1, const double* q0, double* xi) const {
  for (const auto& [first, v0, n] : owned_)
    for (int i = 0; i < n; ++i) xi[v0 + i] = q1[first + i] - q0[first + i];
}

void BlockSource::interpolate(const double* q0, const double* q1, double s, double* out) const {
  for (const auto& [first, v0, n] : owned_)
    for (int i = 0; i < n; ++i) out[first + i] = (1.0 - s) * q0[first + i] + s * q1[first + i];
}

void ContactSource::collect(double t, const double* q, std::span<const ContactKey> keys, ContactSet& set) const {
  const auto old = static_cast<std::ptrdiff_t>(set.contacts.size());
  detect(t, q, any_gap, set);
  const auto unwanted = [&](const Contact& contact) {
    return !std::binary_search(keys.begin(), keys.end(), contact.key);
  };
  set.contacts.erase(std::remove_if(set.contacts.begin() + old, set.contacts.end(), unwanted), set.contacts.end());
}

System::System() = default;
System::System(System&&) noexcept = default;
System& System::operator=(System&&) noexcept = default;
System::~System() = default;

System::Layout::Layout(Layout&& other) noexcept : value(std::exchange(other.value, left_layout)) {}
System::Layout& System::Layout::operator=(Layout&& other) noexcept {
  value = std::exchange(other.value, left_layout);
  return *this;
}

std::string System::block_name(int block) const {
  const std::string& first = velocities_[blocks_[block].v0].name;
  return first.substr(0, first.rfind('.'));
}

void System::require(const State& x) const {
  const auto refuse = [](const std::string& why) { throw ModelError("state", why); };
  if (layout() == left_layout) refuse("the system was moved to another one and is empty; use that one");
  if (x.layout == no_layout) refuse("it belongs to no system; begin with initial_state() of the system");
  const auto require_size = [&](const char* what, std::size_t size, std::size_t wanted) {
    if (size != wanted)
      refuse(std::string(what) + " has " + std::to_string(size) + " entries; the system has " + std::to_string(wanted));
  };
  require_size("q", x.q.size(), initial_.q.size());
  require_size("v", x.v.size(), initial_.v.size());
  require_size("u", x.u.size(), initial_.u.size());
  require_size("joint_impulse", x.joint_impulse.size(), static_cast<std::size_t>(joint_rows_));
  if (x.layout != layout())
    refuse(
        "it belongs to another system, whose coordinates, inputs, joints or contacts have other names or another "
        "order; begin with initial_state() of this one");
}

namespace {

const std::string& name_of(const std::string& name) { return name; }
const std::string& name_of(const CoordinateName& coordinate) { return coordinate.name; }

// Unknown names are refused with the first few that exist.
template <class List>
[[noreturn]] void refuse_name(const List& list, std::string_view name, const char* kind) {
  constexpr int shown = 8;
  std::string known;
  int count = 0;
  for (const auto& item : list)
    if (count++ < shown) known += (known.empty() ? "" : ", ") + name_of(item);
  if (count > shown) known += ", ... (" + std::to_string(count) + " in all)";
  throw ModelError(std::string(name), std::string("there is no ") + kind + " of this name; " +
                                          (known.empty() ? "the model has none" : "known are " + known));
}

// Position of a name in a list.
int index_of(std::span<const std::string> list, std::string_view name, const char* kind) {
  const auto found = std::find(list.begin(), list.end(), name);
  if (found == list.end()) refuse_name(list, name, kind);
  return static_cast<int>(found - list.begin());
}

}  // namespace

int System::coordinate(std::string_view name) const {
  const auto found = coordinate_index_.find(name);
  if (found == coordinate_index_.end()) refuse_name(coordinates_, name, "coordinate");
  return found->second;
}

int System::velocity(std::string_view name) const {
  const auto found = velocity_index_.find(name);
  if (found == velocity_index_.end()) refuse_name(velocities_, name, "velocity");
  return found->second;
}

int System::joint(std::string_view name) const { return index_of(joint_names_, name, "joint"); }

int System::input(std::string_view name) const { return index_of(input_names_, name, "input"); }
int System::output(std::string_view name) const { return index_of(output_names_, name, "output"); }

std::string System::contact_name(ContactKey key) const {
  if (key.pair >= pair_names_.size()) throw ModelError("contact", "there is no pair " + std::to_string(key.pair));
  const std::string& name = pair_names_[key.pair];
  return key.feature == 0 ? name : name + "#" + std::to_string(key.feature);
}

ContactKey System::contact_key(std::string_view name, unsigned feature) const {
  return {static_cast<std::uint32_t>(index_of(pair_names_, name, "contact")), feature};
}

void System::mass(const Point& at, std::span<double> M, Part part) const {
  for (std::size_t i = 0; i < block_sources_.size(); ++i)
    if (part == Part::all || !source_constant_mass_[i]) block_sources_[i]->mass(at, M.data());
}

void System::force(const Point& at, std::span<double> F) const {
  for (const auto& source : block_sources_) source->force(at, F.data());
  for (const auto& source : force_sources_) source->add_force(at, F.data());
}

void System::dynamics(const Point& at, std::span<double> M, std::span<double> F, Part part) const {
  for (std::size_t i = 0; i < block_sources_.size(); ++i) {
    if (part == Part::all || !source_constant_mass_[i])
      block_sources_[i]->dynamics(at, M.data(), F.data());
    else
      block_sources_[i]->force(at, F.data());
  }
  for (const auto& source : force_sources_) source->add_force(at, F.data());
}

void System::add_tangent(const Point& at, double sq, double sv, std::span<double> A, Part part) const {
  for (std::size_t i = 0; i < block_sources_.size(); ++i)
    if (part == Part::all || !source_linear_[i]) block_sources_[i]->tangent(at, sq, sv, A.data());
  for (std::size_t i = 0; i < force_sources_.size(); ++i)
    if (part == Part::all || !force_linear_[i]) force_sources_[i]->add_tangent(at, sq, sv, A.data());
}

void System::linearise(const Point& at, const TangentWeights& s, std::span<double> F, std::span<double> M,
                       std::span<double> A) const {
  for (std::size_t i = 0; i < block_sources_.size(); ++i) {
    if (source_linear_[i])
      block_sources_[i]->force(at, F.data());
    else
      block_sources_[i]->linearise(at, s, {M.data(), F.data(), A.data()});
  }
  for (std::size_t i = 0; i < force_sources_.size(); ++i) {
    force_sources_[i]->add_force(at, F.data());
    if (!force_linear_[i]) force_sources_[i]->add_tangent(at, s.q, s.v, A.data());
  }
}

void System::add_times(std::span<const double> A, double alpha, std::span<const double> x, std::span<double> y) const {
  esc::add_times(blocks_, A, alpha, x, y);
  for (const Coupling& coupling : couplings_) {
    const MatrixBlock& a = blocks_[coupling.i];
    const MatrixBlock& b = blocks_[coupling.j];
    for (int i = 0; i < a.n; ++i)
      for (int j = 0; j < b.n; ++j) {
        y[a.v0 + i] += alpha * A[coupling.upper + i * b.n + j] * x[b.v0 + j];
        y[b.v0 + j] += alpha * A[coupling.lower + j * a.n + i] * x[a.v0 + i];
      }
  }
}

Energy System::energy(const Point& at) const {
  Energy sum;
  const auto add = [&](const Energy& e) {
    sum.kinetic += e.kinetic;
    sum.potential += e.potential;
  };
  for (const auto& source : block_sources_) add(source->energy(at));
  for (const auto& source : force_sources_) add(source->energy(at));
  return sum;
}

Power System::power(const Point& at) const {
  Power sum;
  const auto add = [&](const Power& p) {
    sum.damping += p.damping;
    sum.applied += p.applied;
  };
  for (const auto& source : block_sources_) add(source->power(at));
  for (const auto& source : force_sources_) add(source->power(at));
  return sum;
}

// The calls by source stand apart: vector spaces, which are short, do not pay for their registers.
using BlockSources = std::span<const std::unique_ptr<BlockSource>>;

[[gnu::noinline]] static void retract_by_source(BlockSources sources, const double* q, const double* xi, double* out) {
  for (const auto& source : sources) source->retract(q, xi, out);
}

[[gnu::noinline]] static void interpolate_by_source(BlockSources sources, const double* q0, const double* q1, double s,
                                                    double* out) {
  for (const auto& source : sources) source->interpolate(q0, q1, s, out);
}

void System::retract(std::span<const double> q, std::span<const double> xi, std::span<double> out) const {
  if (!euclidean_) return retract_by_source(block_sources_, q.data(), xi.data(), out.data());
  elementwise(q.size(), [a = q.data(), b = xi.data(), to = out.data()](std::size_t i) { to[i] = a[i] + b[i]; });
}

void System::difference(std::span<const double> q1, std::span<const double> q0, std::span<double> xi) const {
  if (euclidean_) {
    for (std::size_t i = 0; i < q1.size(); ++i) xi[i] = q1[i] - q0[i];
    return;
  }
  for (const auto& source : block_sources_) source->difference(q1.data(), q0.data(), xi.data());
}

void System::interpolate(std::span<const double> q0, std::span<const double> q1, double s,
                         std::span<double> out) const {
  if (!euclidean_) return interpolate_by_source(block_sources_, q0.data(), q1.data(), s, out.data());
  elementwise(q0.size(), [s, a = q0.data(), b = q1.data(), to = out.data()](std::size_t i) {
    to[i] = (1.0 - s) * a[i] + s * b[i];
  });
}

void System::detect(double t, std::span<const double> q, double reach, ContactSet& set) const {
  set.clear();
  for (const auto& source : contact_sources_) source->detect(t, q.data(), reach, set);
  if (!set.contacts.empty()) set.layout();
}

int System::collect(double t, std::span<const double> q, std::span<const ContactKey> keys, ContactSet& set) const {
  const auto falls = [](ContactKey a, ContactKey b) { return !(a < b); };
  if (std::adjacent_find(keys.begin(), keys.end(), falls) != keys.end())
    throw ModelError("contact", "the keys of the contacts to collect must ascend, each standing once");
  set.clear();
  for (std::size_t first = 0; first < keys.size() && keys[first].pair < pair_sources_.size();) {
    const std::uint16_t source = pair_sources_[keys[first].pair];
    std::size_t last = first + 1;
    while (last < keys.size() && keys[last].pair < pair_sources_.size() && pair_sources_[keys[last].pair] == source)
      ++last;
    contact_sources_[source]->collect(t, q.data(), keys.subspan(first, last - first), set);
    first = last;
  }
  if (!set.contacts.empty()) set.layout();
  return set.size();
}

namespace {

// The parts of a set that belong to one source, in order: visit(source, first, last).
template <class Visit>
void by_source(std::span<const Contact> contacts, Visit visit) {
  for (std::size_t first = 0; first < contacts.size();) {
    std::size_t last = first + 1;
    while (last < contacts.size() && contacts[last].source == contacts[first].source) ++last;
    visit(contacts[first].source, first, last);
    first = last;
  }
}

}  // namespace

void System::evaluate(double t, std::span<const double> q, ContactSet& set) const {
  by_source(set.contacts, [&](std::size_t source, std::size_t first, std::size_t last) {
    contact_sources_[source]->evaluate(t, q.data(), std::span(set.contacts).subspan(first, last - first), set);
  });
}

double System::passage_reach(double size) const {
  double reach = -std::numeric_limits<double>::infinity();
  for (const SweepBound& bound : sweep_bounds_)
    if (!(size <= bound.free)) reach = std::max(reach, std::isinf(bound.reach) ? 0.0 : bound.reach * size);
  return reach;
}

Passage System::passage(const Sweep& sweep, std::span<const Contact> near) const {
  Passage worst;
  std::size_t first = 0;
  for (std::size_t source = 0; source < contact_sources_.size(); ++source) {
    std::size_t last = first;
    while (last < near.size() && near[last].source == source) ++last;
    if (!(sweep.size <= sweep_bounds_[source].free))
      contact_sources_[source]->passage(sweep, near.subspan(first, last - first), worst);
    first = last;
  }
  return worst;
}

void System::curvature(double t, std::span<const double> q, std::span<const double> v, const ContactSet& set,
                       std::span<double> out) const {
  by_source(set.contacts, [&](std::size_t source, std::size_t first, std::size_t last) {
    contact_sources_[source]->curvature(t, q.data(), v.data(), std::span(set.contacts).subspan(first, last - first),
                                        out.data());
  });
}

void System::evaluate(const Point& at, JointSet& set) const {
  set.g.resize(joint_rows_);
  set.g_t.resize(joint_rows_);
  set.G.resize(joint_values_);
  for (const auto& source : joint_sources_) source->evaluate(at, set);
}

void System::joint_curvature(const Point& at, std::span<double> out) const {
  for (const auto& source : joint_sources_) source->curvature(at, out.data());
}

void System::add_joint_stiffness(const Point& at, std::span<const double> lambda, std::span<const double> w,
                                 std::span<double> out) const {
  for (const auto& source : joint_sources_) source->add_stiffness(at, lambda.data(), w.data(), out.data());
}

void System::reexpress_joints(const Point& at, JointSet& set, std::span<double> lambda) const {
  for (const auto& source : joint_sources_) source->reexpress(at, set, lambda.data());
}

void System::add_joint_frame_tangent(const Point& at, double s, std::span<const double> lambda, std::span<double> A,
                                     std::span<double> T) const {
  for (const auto& source : joint_sources_) source->add_frame_tangent(at, s, lambda.data(), A.data(), T.data());
}

void System::outputs(const State& state, std::span<double> y) const {
  require(state);
  if (y.size() != output_functions_.size())
    throw ModelError("outputs", "there is room for " + std::to_string(y.size()) + " values; the system has " +
                                    std::to_string(output_functions_.size()) + " outputs");
  for (std::size_t i = 0; i < output_functions_.size(); ++i)
    y[i] = output_functions_[i](state.t, state.q, state.v, state.u);
}

}  // namespace esc
