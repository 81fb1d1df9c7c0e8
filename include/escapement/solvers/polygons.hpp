// Pivoting for round friction cones: polygons that narrow around the directions of slip, then Newton steps.
#pragma once

#include <memory>

#include <escapement/export.hpp>
#include <escapement/options.hpp>
#include <escapement/solver.hpp>

namespace esc {

struct PolygonsOptions {
  double tol = 1e-12;    // on residual(), dimensionless, > 0
  int max_rounds = 12;   // >= 1 polygons in place of each round cone, one after the other
  int max_order = 1000;  // >= 1: order of the complementarity problem beyond which it is too_large
};

template <>
struct Fields<PolygonsOptions> {
  using O = PolygonsOptions;
  static constexpr std::string_view owner = "polygons";
  static constexpr auto table = std::tuple{
      number("tol", &O::tol, "1", positive_range, "tolerance on residual(), dimensionless"),
      number("max_rounds", &O::max_rounds, "1", Range{1.0, 1e4},
             "polygons in place of each round cone, one after the other, before the solver gives up"),
      number("max_order", &O::max_order, "1", Range{1.0, 1e5}, "larger complementarity problems are too_large")};
};

// Cones free, positive, coulomb2 and coulomb3. A round solves the problem with a polygon in place of each round cone by
// Lemke's pivoting, which needs no guess and finds who sticks, slips and separates, and goes on from there by Newton
// steps on the round cones. The polygons of the next round have narrow sides where the last one has found the friction.
class ESC_API Polygons final : public Solver {
 public:
  explicit Polygons(const PolygonsOptions& options = {});
  Polygons(Polygons&&) noexcept;
  ~Polygons() override;

  std::string_view name() const override { return "polygons"; }
  [[nodiscard]] SolveReport solve(ConeProblem& problem) override;

 private:
  struct Work;
  PolygonsOptions options_;
  std::unique_ptr<Work> work_;
};

}  // namespace esc
