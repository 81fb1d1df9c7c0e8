// The highest frequencies of the linearised model at the start, against the step. Joints are left out: what they hold
// swings no faster than what is free.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <Eigen/Cholesky>

#include "src/math/text.hpp"
#include "src/study/findings.hpp"

namespace esc::study {

namespace {

constexpr double tangent_round_off = 1e-5;  // of differences of forces, as part of the largest tangent

struct Mode {
  double square = 0.0;  // omega^2, 1/s^2
  int where = 0;        // velocity that moves most
};

class Linearised {
 public:
  explicit Linearised(const System& system)
      : system_(system),
        x_(system.initial_state()),
        scratch_(system.scratch_size()),
        M_(system.matrix_size()),
        K_(system.tangent_size(), 0.0),
        F_(system.nv()),
        moved_(system.nq()) {
    system.mass(at(x_.q), M_, Part::all);
    system.add_tangent(at(x_.q), 1.0, 0.0, K_, Part::all);
    system.force(at(x_.q), F_);
  }

  // Of the forces with tangents, which the schemes take at the end of the step.
  Mode implicit() {
    return highest([this](const std::vector<double>& x, std::vector<double>& y) { add_tangents(1.0, x, y); });
  }
  // Of those without.
  Mode without_tangents() {
    return highest([this](const std::vector<double>& x, std::vector<double>& y) {
      add_all(x, y);
      add_tangents(-1.0, x, y);
    });
  }

 private:
  using Stiffness = std::function<void(const std::vector<double>&, std::vector<double>&)>;  // y += K x

  Point at(const std::vector<double>& q) { return {x_.t, q.data(), x_.v.data(), x_.u.data(), scratch_.data()}; }

  void add_tangents(double alpha, const std::vector<double>& x, std::vector<double>& y) {
    system_.add_times(K_, alpha, x, y);
  }

  // By the difference of the forces themselves, along x of largest entry 1.
  void add_all(const std::vector<double>& x, std::vector<double>& y) {
    constexpr double small = 1e-6;
    std::vector<double> xi(x), F(x.size());
    for (double& entry : xi) entry *= small;
    system_.retract(x_.q, xi, moved_);
    system_.force(at(moved_), F);
    for (std::size_t i = 0; i < F.size(); ++i) y[i] -= (F[i] - F_[i]) / small;
  }

  void divide_by_mass(std::vector<double>& y) const {
    for (const MatrixBlock& block : system_.blocks()) {
      Eigen::Map<Eigen::VectorXd> part(y.data() + block.v0, block.n);
      if (block.storage == Storage::dense) {
        using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        part = Eigen::Map<const RowMajor>(M_.data() + block.a0, block.n, block.n).llt().solve(part).eval();
      } else {
        part.array() /= Eigen::Map<const Eigen::ArrayXd>(M_.data() + block.a0, block.n);
      }
    }
  }

  // By power iteration of M^-1 K; of a band the diagonal of M.
  Mode highest(const Stiffness& add) const {
    std::vector<double> x(system_.nv()), y(system_.nv());
    for (int i = 0; i < system_.nv(); ++i) x[i] = (1.0 + 0.3 * std::sin(1.7 * i)) * (i % 2 ? -1.0 : 1.0) / 1.3;
    Mode mode;
    for (int k = 0; k < 50; ++k) {
      std::fill(y.begin(), y.end(), 0.0);
      add(x, y);
      divide_by_mass(y);
      const auto largest = std::ranges::max_element(y, {}, [](double entry) { return std::abs(entry); });
      const double norm = largest == y.end() ? 0.0 : std::abs(*largest);
      if (!(norm > 0.0) || !std::isfinite(norm)) return {};
      mode = {norm, static_cast<int>(largest - y.begin())};
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = y[i] / norm;
    }
    return mode;
  }

  const System& system_;
  const State& x_;
  std::vector<double> scratch_, M_, K_, F_, moved_;
};

void look_at_explicit(const System& system, double step, const Mode& mode, Findings& findings) {
  const double omega = std::sqrt(mode.square), part = omega * step;
  if (!(part > 2.0)) return;
  const std::string& name = system.velocities()[mode.where].name;
  findings.warn("stiffness",
                "forces without tangents around '" + name + "' swing with " + short_text(omega) +
                    " rad/s, times the step " + short_text(part) +
                    ": above 2 the run is unstable or Newton fails; reduce the step below " + short_text(2.0 / omega) +
                    " s, or set tangents = \"implicit\" where the force has the key",
                name);
}

}  // namespace

void look_at_stiffness(const io::Scene& scene, const System& system, Findings& findings) {
  if (system.nv() == 0) return;
  Linearised model(system);
  const Mode implicit = model.implicit();
  Mode bare = model.without_tangents();
  if (bare.square < tangent_round_off * implicit.square) bare = {};
  const Mode& stiffest = implicit.square > bare.square ? implicit : bare;
  if (stiffest.square == 0.0) return;
  const double frequency = std::sqrt(stiffest.square) / (2.0 * std::numbers::pi);
  const double steps = 1.0 / (frequency * scene.run.step);
  findings.fact("stiffness",
                "highest frequency about " + short_text(frequency) + " Hz, " + short_text(steps) + " steps a period");
  look_at_explicit(system, scene.run.step, bare, findings);
  const std::string& name = system.velocities()[implicit.where].name;
  if (const double followed = 2.0 * std::numbers::pi / (std::sqrt(implicit.square) * scene.run.step); followed < 5.0)
    findings.warn("stiffness",
                  "the stiffest part, around '" + name + "', swings with about " +
                      short_text(std::sqrt(implicit.square) / (2.0 * std::numbers::pi)) +
                      " Hz: the step resolves it with " + short_text(followed) +
                      " steps a period; this motion is not followed, and Newton may fail where it is very stiff",
                  name);
}

}  // namespace esc::study
