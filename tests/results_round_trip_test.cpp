// What a run was is what its file says: every column against an observer of the same run that keeps its own books.
#include <cmath>

#include <gtest/gtest.h>

#include <escapement/schemes/schatzman_paoli.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/box_stack.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_crank.hpp"
#include "examples/slider_on_roller.hpp"
#include "tests/support/results_files.hpp"

namespace esc {
namespace {

using testing::Folder;
using testing::run_info;

// One accepted step as simulate() shows it.
struct Seen {
  State before, after;
  StepReport step;
  std::vector<Event> events;
  Certificate certificate;
  RunReport so_far;
};

struct Recorded {
  std::vector<Seen> steps;
  RunReport report;
};

Recorded record(const System& system, const SimulateOptions& options, const std::string& path, std::int64_t every) {
  Recorded result;
  MoreauJean scheme(system);
  State x = system.initial_state();
  SimulateOptions watched = options;
  watched.observe = [&](const Progress& p) {
    result.steps.push_back({p.before,
                            p.after,
                            p.step,
                            {p.step.events.begin(), p.step.events.end()},
                            p.certificate ? *p.certificate : Certificate{},
                            p.so_far.report});
  };
  io::ResultsWriter writer(scheme, run_info(scheme, options, every), path);
  result.report = io::record_run(scheme, x, watched, writer);
  return result;
}

template <class T>
std::vector<T> row(const std::vector<T>& column, std::int64_t i, std::size_t width) {
  return {column.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * width),
          column.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i + 1) * width)};
}

// The contact of this key at (t, q), found among all there are.
std::pair<Contact, ContactSet> locate(const System& system, const State& detected, const State& at, ContactKey key) {
  ContactSet set;
  system.detect(detected.t, detected.q, any_gap, set);
  system.evaluate(at.t, at.q, set);
  for (const Contact& contact : set.contacts)
    if (contact.key == key) return {contact, set};
  ADD_FAILURE() << "no contact " << key.pair << "#" << key.feature;
  return {};
}

void expect_triple(const std::vector<double>& column, std::size_t i, const double* expected, const char* name) {
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(column[3 * i + k], expected[k], 1e-14) << name;
}

void check_contacts(const System& system, const Seen& seen, const io::ContactTable& c, std::int64_t frame) {
  ASSERT_EQ(c.pair.size(), seen.after.contacts.size());
  for (std::size_t i = 0; i < c.pair.size(); ++i) {
    const ContactRecord& record = seen.after.contacts[i];
    EXPECT_EQ(c.frame[i], frame);
    EXPECT_EQ(c.pair[i], record.key.pair);
    EXPECT_EQ(c.feature[i], record.key.feature);
    const auto [old, old_set] = locate(system, seen.before, seen.before, record.key);
    const auto [now, set] = locate(system, seen.before, seen.after, record.key);
    double before[3] = {}, U[3] = {}, force[3];
    velocity(old_set, old, seen.before.v, before);
    velocity(set, now, seen.after.v, U);
    for (int k = 0; k < 3; ++k) force[k] = record.P[k] / seen.after.h;
    // The frames are those at the end of the step: that is where these schemes take them.
    if (std::isfinite(now.point[0])) expect_triple(c.point, i, now.point.data(), "point");
    expect_triple(c.normal, i, now.normal.data(), "normal");
    expect_triple(c.tangent, i, now.tangent.data(), "tangent");
    EXPECT_EQ(c.rows[i], now.row_count);
    EXPECT_EQ(c.gap[i], now.gap);
    expect_triple(c.velocity_before, i, before, "velocity_before");
    expect_triple(c.velocity, i, U, "velocity");
    expect_triple(c.impulse, i, record.P.data(), "impulse");
    if (c.impact[i] == 0) {
      expect_triple(c.force, i, force, "force");
    } else {
      EXPECT_TRUE(std::isnan(c.force[3 * i]));
    }
    expect_triple(c.impulse_world, i, to_world(now, record.P.data()).data(), "impulse_world");
    EXPECT_EQ(c.tau[i], record.tau);
    EXPECT_EQ(c.status[i], static_cast<int>(record.mode));

    // The rule, and that a scheme which follows it tells of an event just then.
    const ContactRecord* carried = find(seen.before, record.key);
    const bool fresh = !carried || carried->mode == ContactMode::open;
    EXPECT_EQ(c.impact[i] == 1, record.mode != ContactMode::open && fresh && before[0] < -1e-9);
    const bool told = std::any_of(seen.events.begin(), seen.events.end(), [&](const Event& event) {
      return event.kind == EventKind::impact && event.key == record.key;
    });
    EXPECT_EQ(c.impact[i] == 1, told);
    EXPECT_EQ(c.impact[i] == 1, record.impact);
  }
}

void check_frame(const System& system, const Seen& seen, const io::FrameTable& f, std::int64_t i) {
  const State& x = seen.after;
  EXPECT_EQ(f.t[i], x.t);
  EXPECT_EQ(f.h[i], x.h);
  EXPECT_EQ(row(f.q, i, x.q.size()), x.q);
  EXPECT_EQ(row(f.v, i, x.v.size()), x.v);
  EXPECT_EQ(row(f.u, i, x.u.size()), x.u);
  EXPECT_EQ(row(f.joint_impulse, i, x.joint_impulse.size()), x.joint_impulse);
  std::vector<double> y(system.output_names().size());
  system.outputs(x, y);
  EXPECT_EQ(row(f.outputs, i, y.size()), y);
  EXPECT_NEAR(f.kinetic[i], seen.certificate.audit.after.kinetic, 1e-12);
  EXPECT_NEAR(f.potential[i], seen.certificate.audit.after.potential, 1e-12);
  const Audit& work = seen.so_far.total;
  for (std::size_t line = 0; line < work_lines.size(); ++line) EXPECT_EQ(f.works[line][i], work.works[line]);
  for (std::size_t j = 0; j < system.joints().size(); ++j) {
    const Reaction reaction = system.reaction(x, static_cast<int>(j));
    const auto stored = row(f.reaction, static_cast<std::int64_t>(i), 6 * system.joints().size());
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(stored[6 * j + k], reaction.force[k]);
      EXPECT_EQ(stored[6 * j + 3 + k], reaction.moment[k]);
    }
  }
}

// Steps (first, last] of the run are those since the frame before.
void check_steps(const Recorded& run, const io::StepTable& s, std::int64_t i, std::int64_t first, std::int64_t last) {
  std::int64_t newton = 0, solver = 0, impacts = 0, failed = 0;
  double residual = 0.0, ratio = 0.0, penetration = 0.0;
  int active = 0;
  for (std::int64_t k = first; k < last; ++k) {
    const Seen& seen = run.steps[static_cast<std::size_t>(k)];
    newton += seen.step.iterations;
    solver += seen.step.solver_iterations;
    impacts += count_impacts(seen.events);
    failed += !seen.certificate.ok();
    residual = std::max(residual, seen.step.solver_residual);
    active = std::max(active, seen.step.active);
    const Finding& worst = seen.certificate[seen.certificate.worst()];
    if (worst.allowed > 0.0) ratio = std::max(ratio, worst.value / worst.allowed);
    penetration = std::max(penetration, seen.certificate[Check::penetration].value);
  }
  EXPECT_EQ(s.steps[i], last - first);
  EXPECT_EQ(s.of<&StepReport::iterations>()[i], newton);
  EXPECT_EQ(s.of<&StepReport::solver_iterations>()[i], solver);
  EXPECT_EQ(s.impacts[i], impacts);
  EXPECT_EQ(s.certificate_failed[i], failed);
  EXPECT_EQ(s.of<&StepReport::solver_residual>()[i], residual);
  EXPECT_EQ(s.of<&StepReport::active>()[i], active);
  EXPECT_EQ(s.certificate_ratio[i], ratio);
  EXPECT_EQ(s.penetration[i], penetration);
}

void check_run(const System& system, const SimulateOptions& options, std::int64_t every) {
  const Folder folder;
  const Recorded run = record(system, options, folder.file("r.h5"), every);
  ASSERT_TRUE(run.report.ok()) << run.report.message;
  const auto steps = static_cast<std::int64_t>(run.steps.size());
  const io::ResultsReader reader(folder.file("r.h5"));
  ASSERT_EQ(reader.frame_count(), 1 + (steps + every - 1) / every);
  const io::FrameTable f = reader.frames(0, reader.frame_count());
  const io::StepTable s = reader.steps(0, reader.frame_count());
  const auto states = reader.states(0, reader.frame_count());
  const auto before = reader.states_before(1, reader.frame_count() - 1);
  EXPECT_EQ(row(f.q, 0, system.initial_state().q.size()), system.initial_state().q);
  EXPECT_EQ(s.steps[0], 0);
  std::int64_t last = 0;
  for (std::int64_t i = 1; i < reader.frame_count(); ++i) {
    const std::int64_t first = last;
    last = std::min(i * every, steps);
    const Seen& seen = run.steps[static_cast<std::size_t>(last - 1)];
    EXPECT_EQ(f.grid[i], last);
    check_frame(system, seen, f, i);
    check_steps(run, s, i, first, last);
    check_contacts(system, seen, reader.contacts(f.contact_begin[i], f.contact_count[i]), i);
    EXPECT_EQ(states[i].contacts, seen.after.contacts);
    EXPECT_EQ(states[i].q, seen.after.q);
    EXPECT_EQ(before[i - 1].q, seen.before.q);
    EXPECT_EQ(before[i - 1].v, seen.before.v);
    EXPECT_EQ(before[i - 1].t, seen.before.t);
    EXPECT_EQ(before[i - 1].u, seen.before.u);
    // The certificate can be computed again from the file.
    const Certificate again = certify(system, before[i - 1], states[i], reader.promises().front());
    for (std::size_t k = 0; k < check_count; ++k)
      EXPECT_EQ(again.findings[k].value, seen.certificate.findings[k].value) << to_string(static_cast<Check>(k));
  }

  std::vector<Event> events;
  for (const Seen& seen : run.steps) events.insert(events.end(), seen.events.begin(), seen.events.end());
  const io::EventTable e = reader.events(0, reader.event_count());
  ASSERT_EQ(e.t.size(), events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(e.t[i], events[i].t);
    EXPECT_EQ(e.pair[i], events[i].key.pair);
    EXPECT_EQ(e.feature[i], events[i].key.feature);
    EXPECT_EQ(e.kind[i], static_cast<int>(events[i].kind));
    EXPECT_EQ(e.normal_velocity[i], events[i].normal_velocity);
    EXPECT_EQ(e.normal_impulse[i], events[i].normal_impulse);
  }
  const RunReport totals = reader.totals();
  EXPECT_EQ(totals.steps, run.report.steps);
  EXPECT_EQ(totals.impacts, run.report.impacts);
  EXPECT_EQ(totals.total.balance_error(), run.report.total.balance_error());
}

class RoundTrip : public ::testing::TestWithParam<int> {};

TEST_P(RoundTrip, GapFunctionsInputsAndOutputs) {
  check_run(compile(examples::SliderOnRoller{}.model()), {.step = 1e-3, .until = 0.25}, GetParam());
}
TEST_P(RoundTrip, PlanarShapes) {
  check_run(compile(examples::RockingBlock{}.model()), {.step = 1e-3, .until = 0.3}, GetParam());
}
TEST_P(RoundTrip, BodiesWithJoints) {
  check_run(compile(examples::SliderCrank{}.planar_model()), {.step = 1e-5, .until = 2e-3}, GetParam());
}
TEST_P(RoundTrip, BodiesInSpace) {
  check_run(compile(examples::BoxStack{.boxes = 3}.model()), {.step = 1e-3, .until = 0.05}, GetParam());
}
INSTANTIATE_TEST_SUITE_P(EveryStepAndSome, RoundTrip, ::testing::Values(1, 7));

// Two steps of a ball that is caught by the floor: what an impact is and what a force is.
TEST(ImpactRule, ABallThatComesToRestHasImpactsAndThenAForce) {
  const Folder folder;
  const examples::BouncingBall ball;
  const System system = compile(ball.model());
  MoreauJean scheme(system);
  const RunReport report = testing::run_to_file(scheme, {.step = 1e-3, .until = 8.0}, folder.file("r.h5"));
  ASSERT_TRUE(report.ok());
  const io::ResultsReader reader(folder.file("r.h5"));
  const io::ContactTable c = reader.contacts(0, reader.contact_count());
  std::int64_t impacts = 0;
  for (const auto flag : c.impact) impacts += flag;
  EXPECT_EQ(impacts, report.impacts);
  EXPECT_GT(impacts, 3);
  EXPECT_EQ(c.impact.back(), 0);
  EXPECT_NEAR(c.force[3 * (c.pair.size() - 1)], -ball.force, 1e-9);  // the weight
}

// Steps made up by hand, two to a frame: the record of the second one says what its impulse is, whenever its event was.
TEST(ImpactRule, TheRecordOfTheLastStepOfAFrameSaysIt) {
  const Folder folder;
  const System system = compile(examples::BouncingBall{}.model());
  MoreauJean scheme(system);
  io::ResultsWriter writer(scheme, run_info(scheme, {}, 2), folder.file("r.h5"));
  const ContactKey key{0, 0};
  const double h = 0.1;
  const std::vector<bool> impacts{true, false, false, true, true, true, false, false};
  Continuation so_far;
  State x = system.initial_state();
  for (const bool impact : impacts) {
    const State before = x;
    x.contacts = {{.key = key, .P = {2.0, 0.0, 0.0}, .mode = ContactMode::sticking, .impact = impact}};
    x.h = x.impulse_time = h;
    x.t = static_cast<double>(++so_far.grid) * h;
    const std::vector<Event> events{{key, EventKind::impact, before.t + 0.1 * h, -1.0, 2.0}};  // early in the step
    StepReport step;
    if (impact) step.events = events;
    writer.record({before, x, step, nullptr, so_far, true});
  }
  writer.finish({});
  const io::ResultsReader reader(folder.file("r.h5"));
  const io::ContactTable table = reader.contacts(0, reader.contact_count());
  ASSERT_EQ(2 * table.impact.size(), impacts.size());
  for (std::size_t i = 0; i < table.impact.size(); ++i) {
    EXPECT_EQ(table.impact[i] == 1, impacts[2 * i + 1]) << i;
    EXPECT_EQ(table.impulse[3 * i], 2.0);
    EXPECT_EQ(std::isnan(table.force[3 * i]), table.impact[i] == 1);
    EXPECT_TRUE(table.impact[i] == 1 || table.force[3 * i] == 20.0);
  }
}

// The velocity with which it closes is not that before the step but the one between the states.
TEST(ImpactRule, IsThatOfTheEventsForATwoStepScheme) {
  const Folder folder;
  const System system = compile(examples::BouncingBall{}.model());
  SchatzmanPaoli scheme(system);
  const RunReport report = testing::run_to_file(scheme, {.step = 7e-3, .until = 6.0}, folder.file("r.h5"));
  ASSERT_TRUE(report.ok());
  EXPECT_GT(report.impacts, 5);
  const io::ResultsReader reader(folder.file("r.h5"));
  const io::ContactTable c = reader.contacts(0, reader.contact_count());
  const io::EventTable e = reader.events(0, reader.event_count());
  const io::FrameTable f = reader.frames(0, reader.frame_count());
  std::vector<double> told, marked;
  for (std::size_t i = 0; i < e.t.size(); ++i)
    if (e.kind[i] == static_cast<int>(EventKind::impact)) told.push_back(e.t[i]);
  for (std::size_t i = 0; i < c.impact.size(); ++i)
    if (c.impact[i] == 1) marked.push_back(f.t[static_cast<std::size_t>(c.frame[i])]);
  ASSERT_EQ(marked.size(), told.size());
  for (std::size_t i = 0; i < told.size(); ++i) EXPECT_NEAR(marked[i], told[i], 1e-12);
}

TEST(Force, OfABallAtRestIsItsWeightFromTheFirstStepOn) {
  const Folder folder;
  const examples::BouncingBall ball{.height = 0.0, .velocity = 0.0};
  const System system = compile(ball.model());
  SchatzmanPaoli scheme(system);
  ASSERT_TRUE(testing::run_to_file(scheme, {.step = 1e-2, .until = 0.05}, folder.file("r.h5")).ok());
  const io::ResultsReader reader(folder.file("r.h5"));
  const io::ContactTable c = reader.contacts(0, reader.contact_count());
  ASSERT_EQ(c.pair.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(c.force[3 * i], -ball.force, 1e-10) << i;
}

TEST(Interval, AtMostSoManyFrames) {
  for (const double until : {0.5, 1.999, 2.0, 2.001, 7.3, 1000.0}) {
    const SimulateOptions options{.step = 1e-3, .until = until};
    const auto steps = static_cast<std::int64_t>(std::floor(until / 1e-3 + 1e-9));
    const auto kept = [&](std::int64_t every) { return 1 + (steps + every - 1) / every; };  // start, ..., end
    for (const int most : {2, 4, 2000}) {
      const auto every = io::recording_interval(options, 0.0, most);
      EXPECT_LE(kept(every), most) << until;
      if (every > 1) {
        EXPECT_GT(kept(every - 1), most) << until;
      }
    }
    EXPECT_EQ(io::recording_interval(options, 0.0, 1), io::recording_interval(options, 0.0, 2));
    EXPECT_EQ(io::recording_interval(options, 0.0, 0), 1);
  }
}

TEST(Header, SaysWhatTheRunWas) {
  const Folder folder;
  const System system = compile(examples::SliderOnRoller{}.model());
  MoreauJean scheme(system, {.theta = 0.75});
  SimulateOptions options{.step = 1e-3, .until = 0.01};
  io::RunInfo info = run_info(scheme, options, 3);
  info.scene_text = "# \xc3\xa4\nversion = 1\n";
  info.parameters = {{"l", 0.25, "1/4", true}, {"empty", 0.0, "", true}};
  info.scheme_options = {{"theta", "0.75"}, {"frame", "end"}};
  {
    State x = system.initial_state();
    io::ResultsWriter writer(scheme, info, folder.file("r.h5"));
    EXPECT_TRUE(io::record_run(scheme, x, options, writer).ok());
  }
  const io::ResultsReader reader(folder.file("r.h5"));
  const io::RunInfo& found = reader.info();
  EXPECT_EQ(found.scene, info.scene);
  EXPECT_EQ(found.scene_text, info.scene_text);
  EXPECT_EQ(found.scheme, "moreau-jean");
  EXPECT_EQ(found.every, 3);
  EXPECT_EQ(found.run.step, options.step);
  EXPECT_EQ(found.program, io::program_version());
  EXPECT_EQ(found.git, io::git_version());
  EXPECT_FALSE(found.git.empty());
  ASSERT_EQ(found.parameters.size(), 2u);
  EXPECT_EQ(found.parameters[0].value, 0.25);
  EXPECT_EQ(found.parameters[0].text, "1/4");
  EXPECT_EQ(found.scheme_options[1].value, "end");
  EXPECT_EQ(std::get<ThetaEquations>(reader.promises().front().equations).theta, 0.75);
  EXPECT_EQ(reader.names().coordinates[0].name, system.coordinates()[0].name);
  EXPECT_EQ(reader.names().outputs, std::vector<std::string>{"slip"});
  EXPECT_EQ(reader.names().pairs.size(), static_cast<std::size_t>(system.pairs()));
}

}  // namespace
}  // namespace esc
