#include <escapement/schemes/halve.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <escapement/composite.hpp>

namespace esc {

namespace {

class HalveMethod final : public Composite {
 public:
  HalveMethod(const System& system, const HalveOptions& options, Executor& executor)
      : Composite(options.inner, system, executor), max_halvings(options.max_halvings) {}
  HalveMethod(std::unique_ptr<Scheme> scheme, int most) : Composite(std::move(scheme)), max_halvings(most) {}

  std::span<const HistoryField> history() const override { return fields; }
  void advance(State& x, double h, std::span<double> history, StepReport& report) override;

 private:
  using enum HistoryField::Over;
  static constexpr HistoryField fields[] = {{"whole", "s", number, "the step that was halved; 0: none"},
                                            {"left", "s", number, "what is left of it"},
                                            {"part", "s", number, "the next part of it"},
                                            {"halvings", "1", number, "how often that was halved"}};

  int max_halvings;
};

// A failed step is tried again with half its length, and the length doubles again after a success. Halves are exact, so
// that the last one ends where the whole step would have.
void HalveMethod::advance(State& x, double h, std::span<double> history, StepReport& report) {
  const bool goes_on = history[0] > 0.0 && history[1] == h;
  const double whole = goes_on ? history[0] : h;
  double part = goes_on ? history[2] : h;
  int halvings = goes_on ? static_cast<int>(history[3]) : 0;
  for (int rejected = 0;; ++rejected) {
    report = inner().step(x, part);
    report.rejected += rejected;
    if (report.ok()) break;
    if (halvings >= max_halvings) return;
    ++halvings;
    part *= 0.5;
  }

  const double left = h - report.advanced;
  if (left <= 1e-12 * whole) return std::fill(history.begin(), history.end(), 0.0);
  while (halvings > 0 && 2.0 * part <= left && std::fmod(whole - left, 2.0 * part) == 0.0) {
    --halvings;
    part *= 2.0;
  }
  const double next[] = {whole, left, std::min(part, left), static_cast<double>(halvings)};
  std::copy(std::begin(next), std::end(next), history.begin());
  report.wish = next[2];
}

SchemeTraits changing_step(SchemeTraits traits) {
  traits.changes_step = true;
  return traits;
}

}  // namespace

SchemeTraits traits_of(const HalveOptions& options) { return changing_step(inner_traits(options.inner)); }

std::unique_ptr<Method> make_method(const System& system, const HalveOptions& options, Executor& executor) {
  return std::make_unique<HalveMethod>(system, options, executor);
}

std::unique_ptr<Scheme> halving(std::unique_ptr<Scheme> inner, int max_halvings) {
  validate(HalveOptions{.max_halvings = max_halvings});
  const System& system = inner->system();
  const SchemeTraits traits = changing_step(inner->traits());
  return std::make_unique<Scheme>(system, Fields<HalveOptions>::owner, traits,
                                  std::make_unique<HalveMethod>(std::move(inner), max_halvings));
}

}  // namespace esc
