#include <escapement/certify.hpp>

#include <cmath>
#include <limits>
#include <variant>

#include "src/certify/checks.hpp"

namespace esc {

struct Certifier::Work {
  explicit Work(const System& system) : checks(system) {}
  Checks checks;
};

Certifier::Certifier(const System& system) : work_(std::make_unique<Work>(system)) {}
Certifier::~Certifier() = default;
Certifier::Certifier(Certifier&&) noexcept = default;

Certificate Certifier::certify(const State& before, const State& after, const Promise& promise) {
  Certificate result;
  const StepStates x{before, after};
  if (!work_->checks.begin(x, promise, result)) return result;
  std::visit([&](const auto& equations) { esc::certify(equations, x, work_->checks); }, promise.equations);
  return result;
}

bool Certificate::ok() const {
  for (const Finding& finding : findings)
    if (!finding.ok()) return false;
  return true;
}

Check Certificate::worst() const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
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

std::string_view to_string(Check check) { return check_names[static_cast<std::size_t>(check)]; }

FoundAt found_at(const System& system, Check check, const Finding& finding) {
  if (finding.joint >= 0 && finding.joint < static_cast<int>(system.joint_names().size()))
    return {"joint", system.joint_names()[finding.joint]};
  switch (check) {
    case Check::mass:
      if (finding.key.pair >= system.blocks().size() || system.constant_mass()) return {};
      return {"block", system.block_name(static_cast<int>(finding.key.pair))};
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
    case Check::passage:
      break;
  }
  if (static_cast<int>(finding.key.pair) >= system.pairs()) return {};
  return {"contact", system.contact_name(finding.key)};
}

}  // namespace esc
