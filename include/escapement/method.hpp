// Method: what the author of a scheme writes. A Scheme wraps one: it refuses bad steps and foreign states, keeps the
// histories, and hands everything else on.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <escapement/executor.hpp>
#include <escapement/export.hpp>
#include <escapement/history.hpp>
#include <escapement/promise.hpp>
#include <escapement/scratch.hpp>
#include <escapement/state.hpp>
#include <escapement/step.hpp>
#include <escapement/system.hpp>

namespace esc {

class Scheme;

ESC_API int history_size(const System& system, std::span<const HistoryField> fields);

class ESC_API Method {
 public:
  virtual ~Method() = default;

  // What certify() may hold a step to. A step that obeys other equations names them in its report.
  // A scheme without equations of its own has the promises of those that it holds.
  virtual Promise promise() const { return {}; }
  // Of steps of another kind, such as impacts: report.promise points to one of Scheme::promises().
  virtual std::vector<Promise> more_promises() const { return {}; }

  // What is kept from step to step beside the State's own members; zero at the start.
  virtual std::span<const HistoryField> history() const { return {}; }
  // Beside that, what the first step needs: sizes of joint_tau, for instance.
  virtual void start(State& /*x*/) const {}

  // Advances x by at most h, its history and the report with it. h is positive and finite; x fits the system, is finite
  // and was started. A step that fails sets report.status and leaves x and the history bitwise untouched.
  virtual void advance(State& x, double h, std::span<double> history, StepReport& report) = 0;

  virtual std::span<Scheme* const> holds() const { return {}; }  // the schemes that a composite is made of
  virtual void invalidate() {}                                   // drops caches: the next step gives the same bits
  void poison() { scratch.poison(); }  // scratch becomes NaN: the next step gives the same bits
  StageClock& clock() { return scratch.clock; }
  int& lost_mass() { return scratch.lost_mass; }  // the block of StepStatus::mass_lost; -1: none

  // Whether every step looks at the masses at the positions where it begins. If not, the Scheme does so before.
  virtual bool looks_at_mass() const { return false; }

 protected:
  Scratch scratch;  // all memory that a step fills and no later one reads
};

}  // namespace esc
