// Recorder: which columns, which rows, and numbers that read back exactly.
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/recorder.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "examples/bouncing_ball.hpp"
#include "examples/rocking_block.hpp"
#include "examples/slider_on_roller.hpp"

namespace esc {
namespace {

std::vector<std::string> names(const Recorder& recorder) {
  std::vector<std::string> list;
  for (const Column& column : recorder.columns()) list.push_back(column.name);
  return list;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

TEST(Recorder, ColumnsInTheOrderTheyWereAdded) {
  const System system = compile(examples::SliderOnRoller{}.model());
  Recorder recorder(system);
  EXPECT_EQ(names(recorder), (std::vector<std::string>{"t"}));
  recorder.add_coordinates();
  recorder.add_gap(system.contact_key("contact"));
  recorder.add_impulse(system.contact_key("contact"));
  recorder.add_energy();
  recorder.add_outputs();
  EXPECT_EQ(names(recorder),
            (std::vector<std::string>{"t", "q.pair.y", "q.pair.phi", "v.pair.y", "v.pair.phi", "contact.gap",
                                      "contact.impulse_n", "contact.impulse_t", "energy.kinetic", "energy.potential",
                                      "energy.total", "y.slip"}));
}

TEST(Recorder, DuplicateAndLateColumnsAreRefused) {
  const System system = compile(examples::BouncingBall{}.model());
  Recorder recorder(system);
  recorder.add_coordinates();
  EXPECT_THROW(recorder.add_coordinates(), ModelError);
  EXPECT_THROW(recorder.add({"t", "s", [](const State&) { return 0.0; }}), ModelError);
  EXPECT_THROW(recorder.add_gap({5, 0}), ModelError);
  recorder.record(system.initial_state());
  EXPECT_THROW(recorder.add_energy(), ModelError);
  EXPECT_THROW(static_cast<void>(recorder.column("nothing")), ModelError);
}

TEST(Recorder, ValuesAreThoseOfTheState) {
  const examples::SliderOnRoller roller;
  const System system = compile(roller.model());
  Recorder recorder(system);
  recorder.add_coordinates();
  recorder.add_gap(system.contact_key("contact"));
  recorder.add_impulse(system.contact_key("contact"));
  recorder.add_energy();
  recorder.add_outputs();
  State x = system.initial_state();
  x.t = 0.25;
  x.q = {0.5, 2.0};
  x.v = {-3.0, 4.0};
  x.contacts = {{.key = system.contact_key("contact"), .P = {0.75, -0.125, 0.0}, .rows = 2}};
  recorder.record(x);
  const auto value = [&](const char* name) { return recorder.column(name).at(0); };
  EXPECT_EQ(value("t"), 0.25);
  EXPECT_EQ(value("q.pair.phi"), 2.0);
  EXPECT_EQ(value("v.pair.y"), -3.0);
  EXPECT_EQ(value("contact.gap"), 0.5);
  EXPECT_EQ(value("contact.impulse_n"), 0.75);
  EXPECT_EQ(value("contact.impulse_t"), -0.125);
  EXPECT_DOUBLE_EQ(value("energy.kinetic"), 0.5 * roller.mass * 9.0 + 0.5 * roller.inertia * 16.0);
  EXPECT_DOUBLE_EQ(value("energy.potential"), roller.mass * roller.g * 0.5);
  EXPECT_DOUBLE_EQ(value("energy.total"), value("energy.kinetic") + value("energy.potential"));
  EXPECT_DOUBLE_EQ(value("y.slip"), -roller.radius * 4.0);

  x.contacts.clear();
  recorder.record(x);
  EXPECT_EQ(recorder.column("contact.impulse_n").at(1), 0.0);
}

// They are those of the record, in its own frame: the block lies on its floor, the record leans.
TEST(Recorder, ImpulsesOfShapesAreInTheFrameOfTheRecord) {
  const System system = compile(examples::RockingBlock{.mu = 0.3}.model());
  const ContactKey key = system.contact_key("floor", 1);
  Recorder recorder(system);
  recorder.add_impulse(key);
  State x = system.initial_state();
  x.contacts = {{.key = key,
                 .P = {2.0, 0.5, 0.0},
                 .rows = 2,
                 .mode = ContactMode::sliding,
                 .frame = {{0.0, 0.0, 0.0}, {0.6, 0.8, 0.0}, {0.8, -0.6, 0.0}}}};
  recorder.record(x);
  EXPECT_DOUBLE_EQ(recorder.column("floor#1.impulse_n").at(0), 2.0);
  EXPECT_DOUBLE_EQ(recorder.column("floor#1.impulse_t").at(0), 0.5);
}

TEST(Recorder, KeepsOneStateInSoMany) {
  const System system = compile(examples::BouncingBall{}.model());
  for (const int every : {1, 2, 3, 7, 1000}) {
    Recorder recorder(system, every);
    State x = system.initial_state();
    for (int k = 0; k < 20; ++k) {
      x.t = k;
      recorder.record(x);
    }
    EXPECT_EQ(recorder.rows(), (20 + every - 1) / every);
    const auto times = recorder.column("t");
    for (int row = 0; row < recorder.rows(); ++row) EXPECT_EQ(times[row], row * every);
  }
}

TEST(Csv, HeaderHasNamesAndUnits) {
  const System system = compile(examples::RockingBlock{}.model());
  Recorder recorder(system);
  recorder.add_coordinates();
  recorder.add({"angle over pi", "", [](const State& x) { return x.q[2]; }});
  std::ostringstream out;
  recorder.write_csv(out);
  EXPECT_EQ(out.str(),
            "t [s],q.block.x [m],q.block.y [m],q.block.phi [rad],v.block.x [m/s],v.block.y [m/s],v.block.phi [rad/s],"
            "angle over pi\n");
}

TEST(Csv, NumbersReadBackExactly) {
  const System system = compile(examples::RockingBlock{}.model());
  MoreauJean scheme(system);
  Recorder recorder(system);
  recorder.add_coordinates();
  recorder.add_energy();
  recorder.add({"special", "", [i = 0](const State&) mutable {
                  const double list[] = {5e-324, -0.0, 1e300, 0.1, std::numeric_limits<double>::infinity()};
                  return list[i++ % 5];
                }});
  State x = system.initial_state();
  ASSERT_TRUE(simulate(scheme, x, {.step = 1e-2, .until = 1.0}, &recorder).ok());
  std::ostringstream out;
  recorder.write_csv(out);
  const auto lines = split(out.str(), '\n');
  ASSERT_EQ(static_cast<int>(lines.size()), 1 + recorder.rows());
  const auto columns = names(recorder);
  for (int row = 0; row < recorder.rows(); ++row) {
    const auto cells = split(lines[row + 1], ',');
    ASSERT_EQ(cells.size(), columns.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      double value = 0.0;
      const auto [end, error] = std::from_chars(cells[i].data(), cells[i].data() + cells[i].size(), value);
      ASSERT_EQ(error, std::errc{}) << cells[i];
      ASSERT_EQ(end, cells[i].data() + cells[i].size()) << cells[i];
      const double expected = recorder.column(columns[i])[row];
      EXPECT_EQ(value, expected);
      EXPECT_EQ(std::signbit(value), std::signbit(expected));
    }
  }
}

// A name with a comma or a quote stays one cell (RFC 4180).
TEST(Csv, NamesWithSeparatorsAreQuoted) {
  const System system = compile(examples::BouncingBall{}.model());
  Recorder recorder(system);
  recorder.add({"a,b \"c\"", "m", [](const State&) { return 1.0; }});
  std::ostringstream out;
  recorder.write_csv(out);
  EXPECT_EQ(out.str(), "t [s],\"a,b \"\"c\"\" [m]\"\n");
}

// The columns of a recorder that was moved do not look at the old one.
TEST(Recorder, CanBeMoved) {
  const System system = compile(examples::SliderOnRoller{}.model());
  auto first = std::make_unique<Recorder>(system);
  first->add_gap(system.contact_key("contact"));
  first->add_energy();
  first->add_outputs();
  Recorder second(std::move(*first));
  first.reset();
  second.record(system.initial_state());
  EXPECT_EQ(second.column("contact.gap").at(0), examples::SliderOnRoller{}.height);
}

}  // namespace
}  // namespace esc
