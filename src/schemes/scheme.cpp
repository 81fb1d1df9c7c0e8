#include <escapement/scheme.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <escapement/executor.hpp>

#include "src/math/positive_definite.hpp"
#include "src/math/vectors.hpp"

namespace esc {

namespace {

class Serial final : public Executor {
 public:
  int workers() const override { return 1; }
  void for_each(int n, const std::function<void(int, int)>& task) override {
    for (int i = 0; i < n; ++i) task(i, 0);
  }
};

struct StatusText {
  std::string_view name, advice;
};

constexpr std::array<StatusText, step_status_count> status_text{{
    {"ok", ""},
    {"bad_step", "Give a step that is positive and finite."},
    {"foreign_state", "Use a state of this system and call start() before the first step."},
    {"not_finite", "Look for a force, a mass, a gap or an input that is NaN or infinite at this time and position."},
    {"singular_matrix",
     "Reduce the step, or check the stiffness and damping of the forces: the iteration matrix is singular."},
    {"newton_stalled", "Reduce the step, raise newton_max, or loosen tol."},
    {"solver_failed",
     "Reduce the step, or leave solver = automatic, which asks one solver after another, with its solver_max; contacts "
     "that contradict each other and motors that drive into a limit have no solution at any step."},
    {"contact_missed",
     "Reduce the step: bodies went through each other within it, or left the edge or face that they touched at."},
    {"projection_stalled",
     "Reduce the step or loosen gap_tol; contacts or joints whose positions contradict each other stall it too."},
    {"no_progress", "Impacts follow each other without time between them: use a scheme that does not locate events."},
    {"mass_lost",
     "Check its mass: it must be positive definite at every time and position that the run reaches; end the run "
     "before, or "
     "keep it away with a contact or a limit."},
}};

void refuse_friction(const System& system, std::string_view name) {
  for (int pair = 0; pair < system.pairs(); ++pair)
    if (system.pair_laws()[pair].mu > 0.0)
      throw ModelError(system.contact_name({static_cast<std::uint32_t>(pair), 0}),
                       "mu > 0, but " + std::string(name) +
                           " has no friction; set mu = 0, or use a scheme at velocity level such as moreau-jean");
}

// The first block whose mass is not finite there; -1: none. M is memory.
int undefined_mass(const System& system, const Point& at, std::span<double> M) {
  system.mass(at, M, Part::varying);
  const auto blocks = system.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (!blocks[i].constant_mass && !all_finite(M.subspan(blocks[i].a0, blocks[i].values())))
      return static_cast<int>(i);
  return -1;
}

}  // namespace

int history_size(const System& system, std::span<const HistoryField> fields) {
  int size = 0;
  for (const HistoryField& field : fields)
    size += field.over == HistoryField::Over::velocity    ? system.nv()
            : field.over == HistoryField::Over::joint_row ? system.joint_rows()
                                                          : 1;
  return size;
}

Scheme::Scheme(const System& system, std::string_view name, const SchemeTraits& traits, std::unique_ptr<Method> method)
    : system_(system),
      name_(name),
      owner_(name),
      traits_(traits),
      method_(std::move(method)),
      promises_(method_->more_promises()),
      history_size_(static_cast<std::size_t>(history_size(system, method_->history()))),
      M_(static_cast<std::size_t>(system.constant_mass() ? 0 : system.matrix_size())),
      scratch_(static_cast<std::size_t>(M_.empty() ? 0 : system.scratch_size())) {
  if (method_->holds().empty()) promises_.insert(promises_.begin(), method_->promise());
  for (Promise& promise : promises_) promise.owner = owner_;
  if (!traits.friction) refuse_friction(system, name);
  std::size_t place = 1;
  for (Scheme* inner : method_->holds()) {
    inner->put_inside(owner_, place);
    place += inner->histories();
  }
}

Scheme::~Scheme() = default;

void Scheme::put_inside(std::string_view outer, std::size_t place) {
  owner_ = std::string(outer) + "/" + owner_;
  history_place_ += place;
  for (Promise& promise : promises_) promise.owner = owner_;
  for (Scheme* inner : method_->holds()) inner->put_inside(outer, place);
}

std::size_t Scheme::histories() const {
  std::size_t count = 1;
  for (const Scheme* inner : method_->holds()) count += inner->histories();
  return count;
}

const Promise& Scheme::promise() const {
  return promises_.empty() ? method_->holds().front()->promise() : promises_.front();
}

std::vector<const Promise*> Scheme::promises() const {
  std::vector<const Promise*> all;
  for (const Promise& promise : promises_) all.push_back(&promise);
  for (const Scheme* inner : method_->holds())
    for (const Promise* promise : inner->promises()) all.push_back(promise);
  return all;
}

void Scheme::start(State& x) {
  x.histories.clear();
  lay_out(x);
}

void Scheme::lay_out(State& x) const {
  x.histories.push_back({owner_, std::vector<double>(history_size_, 0.0)});
  method_->start(x);
  for (const Scheme* inner : method_->holds()) inner->lay_out(x);
}

bool Scheme::started(const State& x) const {
  const History* history = find_history(x, owner_);
  const auto holds = method_->holds();
  return history && history->values.size() == history_size_ &&
         std::all_of(holds.begin(), holds.end(), [&](const Scheme* inner) { return inner->started(x); });
}

void Scheme::require_histories(const State& x) const {
  const History* history = find_history(x, owner_);
  if (history && history->values.size() != history_size_)
    throw ModelError("state", "the history of " + owner_ + " has " + std::to_string(history->values.size()) +
                                  " values; the scheme keeps " + std::to_string(history_size_) +
                                  ": call start() to begin anew");
  for (const Scheme* inner : method_->holds()) inner->require_histories(x);
}

// As a rule it is where lay_out() has put it.
History* Scheme::history_of(State& x) const {
  const bool in_place = history_place_ < x.histories.size() && x.histories[history_place_].owner == owner_;
  History* history = in_place ? &x.histories[history_place_] : find_history(x, owner_);
  return history && history->values.size() == history_size_ ? history : nullptr;
}

// The first block that has no mass at the beginning of the step. A composite leaves that to those that it holds, and a
// method may look itself.
int Scheme::lost_mass(const State& x) {
  if (M_.empty() || method_->looks_at_mass() || !method_->holds().empty()) return -1;
  system_.mass({x.t, x.q.data(), x.v.data(), x.u.data(), scratch_.data()}, M_, Part::varying);
  return esc::lost_mass(system_.blocks(), M_, pivots_);
}

void Scheme::advance(State& x, double h, std::span<double> history, StepReport& report) {
  int& lost = method_->lost_mass();
  lost = lost_mass(x);
  if (lost < 0) {
    method_->advance(x, h, history, report);
    if (report.ok()) return;
    if (lost < 0) {
      const bool unknown = report.status == StepStatus::not_finite || report.status == StepStatus::singular_matrix;
      for (const double t : {x.t, x.t + h})
        if (unknown && !M_.empty() && report.block < 0)
          report.block = undefined_mass(system_, {t, x.q.data(), x.v.data(), x.u.data(), scratch_.data()}, M_);
      if (unknown && report.block >= 0) report.status = StepStatus::not_finite;
      return;
    }
  }
  report.status = StepStatus::mass_lost;
  report.block = lost;
}

std::vector<std::string> Scheme::warnings() const {
  std::vector<std::string> all;
  if (!traits_.impacts && system_.pairs() > 0)
    all.push_back("impacts: " + name_ +
                  " has no impact law, so a gap that closes gives or takes energy; use it where contacts last, or a "
                  "scheme with Newton's impact law, such as alpha-ggl");
  std::string names;
  int more = 0;
  for (int pair = 0; pair < system_.pairs() && !traits_.restitution; ++pair) {
    if (!(system_.pair_laws()[pair].e > 0.0)) continue;
    if (std::ranges::count(names, '\'') < 20)
      names += (names.empty() ? "'" : ", '") + system_.pair_names()[pair] + "'";
    else
      ++more;
  }
  if (names.empty()) return all;
  if (more > 0) names += " and " + std::to_string(more) + " more";
  all.push_back("restitution: e > 0 of " + names + " has no effect, since " + name_ +
                " does not use e; set e = 0, or use a scheme with Newton's impact law, such as moreau-jean");
  return all;
}

StepReport Scheme::step(State& x, double h) {
  StepReport report;
  report.promise = &promise();
  method_->clock().begin();
  History* history = history_of(x);
  if (!(h > 0.0) || !std::isfinite(h))
    report.status = StepStatus::bad_step;
  else if (!fits(system_, x) || !history)
    report.status = StepStatus::foreign_state;
  else if (!std::isfinite(x.t) || !all_finite(x.q, x.v, x.u))
    report.status = StepStatus::not_finite;
  else
    advance(x, h, history->values, report);
  if (const StageTimes* times = method_->clock().end()) report.times = times;
  if (!report.ok()) report.events = {};
  return report;  // one name: it is made where the caller wants it
}

// The times of a composite are those of the scheme that took the step.
void Scheme::time_stages(bool on) {
  method_->clock().enable(on && method_->holds().empty());
  for (Scheme* inner : method_->holds()) inner->time_stages(on);
}

void Scheme::poison() {
  method_->poison();
  for (Scheme* inner : method_->holds()) inner->poison();
}

void Scheme::invalidate() {
  method_->invalidate();
  for (Scheme* inner : method_->holds()) inner->invalidate();
}

Executor& serial() {
  static Serial executor;  // holds no data
  return executor;
}

std::string_view to_string(StepStatus status) { return status_text[static_cast<std::size_t>(status)].name; }
std::int64_t count_impacts(std::span<const Event> events) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto same = [&](const Event& other) {
      return other.kind == EventKind::impact && other.key.pair == events[i].key.pair && other.t == events[i].t;
    };
    count += events[i].kind == EventKind::impact &&
             std::none_of(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(i), same);
  }
  return count;
}

std::string_view advice(StepStatus status) { return status_text[static_cast<std::size_t>(status)].advice; }

}  // namespace esc
