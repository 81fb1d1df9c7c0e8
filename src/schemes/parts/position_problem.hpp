// The positions of one Newton iteration, acary (58) and (60) with joints: the correction U = N (G^T tau + Gb^T tau_b)
// that brings the linearised gaps g + G (delta + U) to their law and the joints g_b + Gb (delta + U) to zero. delta
// leads from the iterate, where g and G were taken, to the uncorrected position.
#pragma once

#include <span>
#include <vector>

#include <escapement/promise.hpp>
#include <escapement/system.hpp>

#include "src/math/block_factor.hpp"
#include "src/model/system_factor.hpp"
#include "src/schemes/parts/contact_impulses.hpp"

namespace esc {

struct MetricOptions {
  Metric kind = Metric::identity;
  const ProjectionMetric* user = nullptr;  // of Metric::user
};

class PositionProblem {
  Scratch& memory_;

 public:
  // Throws OptionError if the metric is the user's and there is none, or the other way round.
  PositionProblem(const System& system, MetricOptions metric, const ImpulseOptions& options, Workspace workspace);

  void clear();                       // no contacts
  bool add(const ContactSet& found);  // the normals of contacts that are not there yet; false: all were
  void evaluate(double t, std::span<const double> q) { system_.evaluate(t, q, normals_); }
  void evaluate_metric(const Point& at);  // N^-1 there, if it depends on the place
  void copy(const ContactSet& same);      // gaps and normals from a set of the same contacts

  struct Task {
    std::span<const double> delta;
    std::span<const char> held;  // by contact: g = 0 with tau of either sign; empty: none
    double rounding = 0.0;       // m; gaps this close to their law are left alone
  };
  // U, tau and tau_b. Mhat: its factors, for Metric::iteration_matrix. False: the metric with these joints is singular.
  // A problem that its solver leaves unsolved shows in gap_defect() of the next iterate.
  [[nodiscard]] bool solve(SystemFactor& Mhat, const JointSet& joints, const Task& task, std::vector<double>& U);

  // The parts of solve(), for the coupled form: the factors of N^-1 with the joints (null: singular), the correction
  // that holds the joints alone, and what is left to do once U, tau and tau_b are known.
  SystemFactor* metric(SystemFactor& Mhat, const JointSet& joints);
  void hold_joints(SystemFactor& N, const JointSet& joints, std::span<const double> delta, std::vector<double>& U);
  void close(const JointSet& joints);

  // At the new iterate: how far the gaps are from their law; how far N (G^T tau + Gb^T tau_b) has turned away from U.
  double gap_defect(std::span<const char> held) const;
  double turned(SystemFactor& Mhat, const JointSet& joints, std::span<const double> U);

  int size() const { return normals_.size(); }
  const ContactSet& normals() const { return normals_; }
  bool corrects() const { return corrects_; }

  std::vector<double>& tau = memory_.vector();        // by contact
  std::vector<double>& joint_tau = memory_.vector();  // by joint row

 private:
  bool fits_already(std::span<const char> held, double rounding) const;
  void add_multipliers(const JointSet& joints, std::vector<double>& out) const;
  bool constant(const MatrixBlock& block) const;
  bool factor_blocks();

  const System& system_;
  MetricOptions metric_;
  ContactImpulses impulses_;
  CacheVector N_inverse_;  // as values of the tangent; not of the iteration matrix
  SystemFactor factor_;    // of N^-1 with the joint rows
  BlockFactor blocks_;     // of N^-1 alone
  ContactSet& normals_ = memory_.contacts();
  std::vector<double>&b_ = memory_.vector(), &s_ = memory_.vector(), &way_ = memory_.vector(),
  &rows_ = memory_.vector();
  bool coupled_ = false;  // impulses_ knows the present contacts
  bool corrects_ = false;
};

}  // namespace esc
