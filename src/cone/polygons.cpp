#include <escapement/solvers/polygons.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <escapement/solvers/lemke.hpp>
#include <escapement/solvers/newton.hpp>

#include "src/cone/cones.hpp"
#include "src/cone/operator.hpp"

namespace esc {
namespace {

constexpr int corners = 8;
constexpr double widest = 0.4;  // rad, between the corners about a direction of slip at first
constexpr double narrow = 0.3;  // of the width, where the friction was found between them
constexpr double widen = 4.0;   // where it was found beyond them
constexpr double full = 0.9;    // of mu p_N: with less friction a contact counts as one that sticks
constexpr double edge = 1e-3;   // of the width: this near to a corner is at it

// The polygon of one round cone: regular, or with three corners about the direction of its friction.
struct Polygon {
  double angle = 0.0;
  double width = 0.0;  // rad; 0: regular

  double corner(int i) const {
    constexpr double others[corners - 3] = {0.4, 0.7, 1.0, 1.3, 1.6};  // of a half turn
    if (width == 0.0) return 2.0 * std::numbers::pi / corners * i;
    return angle + (i < 3 ? width * (i - 1) : std::numbers::pi * others[i - 3]);
  }

  // From where the friction of a polygon was found.
  void follow(double mu, const double* p) {
    const double friction = std::hypot(p[1], p[2]);
    const bool slips = friction > full * mu * p[0];
    const double found = std::atan2(p[2], p[1]);
    if (width == 0.0) {
      if (slips) *this = {found, widest};
      return;
    }
    const double turned = std::abs(std::remainder(found - angle, 2.0 * std::numbers::pi));
    if (friction == 0.0 || (turned > (1.0 + edge) * width && !slips)) {
      width = 0.0;
      return;
    }
    angle = found;
    if (turned > (1.0 + edge) * width) width = std::min(widest, widen * width);
    if (turned < (1.0 - edge) * width && slips) width *= narrow;
  }
};

}  // namespace

struct Polygons::Work {
  Lemke lemke;
  Newton newton;
  ConeProblem pivoted;  // the problem with polygons
  std::vector<Polygon> polygons;
  std::vector<double> best;

  explicit Work(const PolygonsOptions& options)
      : lemke({.tol = std::max(options.tol, 1e-8), .retries = 2, .max_order = options.max_order}),
        newton({.tol = options.tol}) {}
  bool read(const ConeProblem& problem);
  void draw();
};

Polygons::Polygons(const PolygonsOptions& options) : options_(options), work_(std::make_unique<Work>(options)) {
  validate(options);
}
Polygons::Polygons(Polygons&&) noexcept = default;
Polygons::~Polygons() = default;

// Returns whether a cone is round.
bool Polygons::Work::read(const ConeProblem& problem) {
  pivoted.cones = problem.cones;
  pivoted.W = problem.W;
  pivoted.b = problem.b;
  pivoted.p = problem.p;
  pivoted.u.resize(problem.b.size());
  polygons.assign(problem.cones.size(), {});
  bool round = false;
  for (ConeBlock& cone : pivoted.cones) {
    if (cone.kind != ConeKind::coulomb3) continue;
    cone.kind = ConeKind::polyhedral;
    round = true;
  }
  return round;
}

void Polygons::Work::draw() {
  pivoted.directions.clear();
  for (std::size_t c = 0; c < pivoted.cones.size(); ++c) {
    ConeBlock& cone = pivoted.cones[c];
    if (cone.kind != ConeKind::polyhedral) continue;
    cone.first_direction = static_cast<int>(pivoted.directions.size()) / 2;
    cone.direction_count = corners;
    for (int i = 0; i < corners; ++i) {
      pivoted.directions.push_back(std::cos(polygons[c].corner(i)));
      pivoted.directions.push_back(std::sin(polygons[c].corner(i)));
    }
  }
}

SolveReport Polygons::solve(ConeProblem& problem) {
  if (!cone::well_formed(problem)) return {SolveStatus::bad_input, 0, std::numeric_limits<double>::quiet_NaN()};
  SolveReport report{SolveStatus::stalled, 0, cone::judge(problem)};
  if (report.residual <= options_.tol) report.status = SolveStatus::solved;
  for (const ConeBlock& c : problem.cones)
    if (c.kind == ConeKind::polyhedral) report.status = SolveStatus::not_supported;
  if (report.status != SolveStatus::stalled) return report;

  auto& [lemke, newton, pivoted, polygons, best] = *work_;
  best = problem.p;
  const bool round = work_->read(problem);
  for (int rounds = 0; rounds < (round ? options_.max_rounds : 1); ++rounds) {
    work_->draw();
    const SolveReport pivots = lemke.solve(pivoted);
    report.iterations += pivots.iterations;
    if (pivots.status == SolveStatus::too_large) report.status = SolveStatus::too_large;
    if (pivots.status != SolveStatus::solved && pivots.status != SolveStatus::stalled) break;
    std::copy(pivoted.p.begin(), pivoted.p.end(), problem.p.begin());
    const SolveReport steps = newton.solve(problem);
    report.iterations += steps.iterations;
    if (steps.residual < report.residual) {
      report.residual = steps.residual;
      std::copy(problem.p.begin(), problem.p.end(), best.begin());
    }
    if (report.residual <= options_.tol) break;
    for (std::size_t c = 0; c < polygons.size(); ++c) {
      const ConeBlock& cone = pivoted.cones[c];
      if (cone.kind == ConeKind::polyhedral) polygons[c].follow(cone.mu, &pivoted.p[cone.first]);
    }
  }
  std::copy(best.begin(), best.end(), problem.p.begin());
  report.residual = cone::judge(problem);
  if (report.residual <= options_.tol) report.status = SolveStatus::solved;
  return report;
}

}  // namespace esc
