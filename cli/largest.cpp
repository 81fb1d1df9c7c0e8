#include "cli/largest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace esc::cli {

namespace {

double size(const std::array<double, 3>& a) { return std::hypot(a[0], a[1], a[2]); }

}  // namespace

void Largest::Peak::see(double found, double at) {
  if (found > value || (std::isnan(value) && found > 0.0)) *this = {found, at};
}

Largest::Peaks Largest::none() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {{nan, nan}, {nan, nan}};
}

Largest::Largest(const Scheme& scheme)
    : system_(scheme.system()),
      marks_(system_, spread_impacts({&scheme.promise(), 1})),
      contacts_(static_cast<std::size_t>(system_.pairs()), none()),
      joints_(system_.joints().size(), none()),
      moments_(joints_),
      reactions_(joints_.size()) {}

void Largest::see(const Progress& progress) {
  const State& x = progress.after;
  marks_.find(progress.before, x);
  for (std::size_t i = 0; i < x.contacts.size(); ++i) {
    Peaks& peaks = contacts_[x.contacts[i].key.pair];
    const double P = size(x.contacts[i].P);
    if (marks_.contact(i) == ImpactMark::none && x.impulse_time > 0.0)
      peaks.force.see(P / x.impulse_time, x.t);
    else
      peaks.impulse.see(P, x.t);
  }
  if (reactions_.empty() || !(x.impulse_time > 0.0)) return;
  system_.reactions(x, reactions_);
  for (std::size_t i = 0; i < reactions_.size(); ++i) {
    const bool impact = marks_.joint(i);
    const double time = impact ? x.impulse_time : 1.0;  // reactions are means over it
    (impact ? joints_[i].impulse : joints_[i].force).see(time * size(reactions_[i].force), x.t);
    (impact ? moments_[i].impulse : moments_[i].force).see(time * size(reactions_[i].moment), x.t);
  }
}

void Largest::write(const char* name, const Peaks& peaks, Json& json) {
  json.object(name).value("mean", peaks.force.value).value("mean_t", peaks.force.t);
  json.value("impulse", peaks.impulse.value).value("impulse_t", peaks.impulse.t).end();
}

void Largest::add_to(Json& json) const {
  json.array("contacts");
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    json.object().value("name", system_.pair_names()[i]);
    write("force", contacts_[i], json);
    json.end();
  }
  json.end().array("joints");
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    json.object().value("name", system_.joint_names()[i]);
    write("force", joints_[i], json);
    write("moment", moments_[i], json);
    json.end();
  }
  json.end();
}

}  // namespace esc::cli
