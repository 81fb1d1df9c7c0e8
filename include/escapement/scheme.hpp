// Scheme: options + scratch + caches. It advances a State by at most h, and leaves it bitwise untouched on failure.
// Users make one of a kind, MoreauJean(system, options), or by name, make_scheme("moreau-jean", system). Authors write
// a Method (method.hpp).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <escapement/executor.hpp>
#include <escapement/export.hpp>
#include <escapement/method.hpp>
#include <escapement/options.hpp>
#include <escapement/promise.hpp>
#include <escapement/state.hpp>
#include <escapement/step.hpp>
#include <escapement/system.hpp>

namespace esc {

// What is known of a scheme with its options before it runs; composites, tests, docs and `list schemes` ask.
struct SchemeTraits {
  int order = 1;                // of convergence where the motion is smooth and free of joints
  bool friction = true;         // false: refuses contacts with mu > 0
  bool locates_events = false;  // events have their own times; else that of the end of the step
  bool changes_step = false;    // may advance by less than it is asked
  bool restitution = true;      // false: takes contacts with e > 0, but e has no effect
  bool impacts = true;          // false: no impact law, and a gap that closes gives or takes energy
  bool singular_mass = false;   // takes a mass matrix that only the constraints make regular
};

class ESC_API Scheme {
 public:
  // Throws ModelError if the system has friction and the traits say that the scheme has none.
  Scheme(const System& system, std::string_view name, const SchemeTraits& traits, std::unique_ptr<Method> method);
  virtual ~Scheme();
  Scheme(const Scheme&) = delete;
  Scheme& operator=(const Scheme&) = delete;

  std::string_view name() const { return name_; }
  const System& system() const { return system_; }
  const SchemeTraits& traits() const { return traits_; }
  const Promise& promise() const;  // of its steps, but for those that report another
  // All that a step may report: its own, and those of the schemes that it holds. They stay where they are.
  std::vector<const Promise*> promises() const;
  std::span<const HistoryField> history() const { return method_->history(); }
  // What it makes of the system that a user should know: contacts whose e has no effect.
  std::vector<std::string> warnings() const;
  std::string_view owner() const { return owner_; }  // of its history: its name, after those of the schemes around it

  void start(State& x);                // lays out the histories, of the schemes that this one holds too
  bool started(const State& x) const;  // whether x has them
  // Throws ModelError if x has one of them, but of another length.
  void require_histories(const State& x) const;
  [[nodiscard]] StepReport step(State& x, double h);
  void time_stages(bool on);  // whether reports say where the time goes; the bits of a run are the same
  void poison();              // fills scratch with NaN: the next step must give the same bits
  void invalidate();          // drops caches: the next step must give the same bits

 private:
  void put_inside(std::string_view outer, std::size_t place);
  std::size_t histories() const;  // its own and those of the schemes that it holds
  void lay_out(State& x) const;
  int lost_mass(const State& x);
  void advance(State& x, double h, std::span<double> history, StepReport& report);
  History* history_of(State& x) const;

  const System& system_;
  std::string name_, owner_;
  SchemeTraits traits_;
  std::unique_ptr<Method> method_;
  std::vector<Promise> promises_;
  std::size_t history_size_ = 0, history_place_ = 0;  // place among the histories of a State that it started
  std::vector<double> M_, scratch_, pivots_;          // of the beginning of a step, where masses vary
};

// The scheme of an options struct O, for which there are Fields<O>, traits_of(O) and make_method(system, O, executor).
template <class O>
class Configured final : public Scheme {
 public:
  using Options = O;
  explicit Configured(const System& system, const O& options = {}, Executor& executor = serial())
      : Scheme(system, Fields<O>::owner, traits_of(checked(options)), make_method(system, checked(options), executor)) {
  }
  explicit Configured(System&&, const O& = {}, Executor& = serial()) = delete;  // must outlive this

 private:
  static const O& checked(const O& options) {
    validate(options);
    return options;
  }
};

}  // namespace esc
