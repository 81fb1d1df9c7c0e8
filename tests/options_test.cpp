// Options tables: every field is checked from one description, and every text names the option, the value, the range.
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <escapement/schemes/halve.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/schemes/registry.hpp>
#include <escapement/schemes/schatzman_paoli.hpp>
#include <escapement/simulate.hpp>

#include "examples/bouncing_ball.hpp"

namespace esc {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Action>
void expect_option_error(Action action, const std::string& option, const std::vector<std::string>& parts) {
  try {
    action();
    ADD_FAILURE() << option << " was accepted";
  } catch (const OptionError& error) {
    EXPECT_EQ(error.option(), option) << error.what();
    const std::string text = error.what();
    EXPECT_NE(text.find(option), std::string::npos) << text;
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << text << "\nlacks: " << part;
  }
}

// Every value of a numeric field that is just outside its range, and those that are no numbers at all.
template <class O, class T>
std::vector<T> bad_values(const NumberField<O, T>& field) {
  std::vector<T> values;
  const auto add = [&](double value) { values.push_back(static_cast<T>(value)); };
  if constexpr (std::is_same_v<T, bool>) return values;
  if constexpr (std::is_floating_point_v<T>) {
    for (const double value : {std::nan(""), infinity, -infinity}) add(value);
    if (std::isfinite(field.range.low))
      add(field.range.low_excluded ? field.range.low : std::nextafter(field.range.low, -infinity));
    if (std::isfinite(field.range.high)) add(std::nextafter(field.range.high, infinity));
  } else {
    add(field.range.low - 1.0);
    add(field.range.high + 1.0);
  }
  return values;
}

template <class O, class T>
void expect_checked(const NumberField<O, T>& field) {
  const std::string path = std::string(Fields<O>::owner) + "." + std::string(field.name);
  for (const T bad : bad_values(field)) {
    O options;
    options.*field.member = bad;
    expect_option_error([&] { validate(options); }, path,
                        {"the value is", "allowed is " + detail::format_range(field.range)});
  }
  O options;
  if (std::isfinite(field.range.low) && !field.range.low_excluded) {
    options.*field.member = static_cast<T>(field.range.low);
    EXPECT_NO_THROW(validate(options)) << path;
  }
  if (std::isfinite(field.range.high)) {
    options.*field.member = static_cast<T>(field.range.high);
    EXPECT_NO_THROW(validate(options)) << path;
  }
}

template <class O, class E>
void expect_checked(const ChoiceField<O, E>& field) {
  const std::string path = std::string(Fields<O>::owner) + "." + std::string(field.name);
  O options;
  options.*field.member = static_cast<E>(field.names.size());
  expect_option_error([&] { validate(options); }, path,
                      {"number " + std::to_string(field.names.size()), std::string(field.names[0])});
  for (int i = 0; i < static_cast<int>(field.names.size()); ++i) {
    set_option(options, field.name, field.names[i]);
    EXPECT_EQ(static_cast<int>(options.*field.member), i) << path;
    EXPECT_NO_THROW(validate(options));
  }
  expect_option_error([&] { set_option(options, field.name, "something"); }, path,
                      {"'something'", std::string(field.names[0])});
}

// Given in place of another row, whose value it becomes and back.
template <class O>
void expect_checked(const DerivedField<O>& field) {
  const std::string path = std::string(Fields<O>::owner) + "." + std::string(field.name);
  for (const double given : {field.range.low, 0.3, field.range.high}) {
    O options;
    set_option(options, field.name, detail::format_number(given));
    EXPECT_EQ(options.*field.member, field.of_given(given)) << path;
    EXPECT_NEAR(field.given_of(options.*field.member), given, 1e-15) << path;
    EXPECT_NO_THROW(validate(options)) << path;
  }
  O options;
  for (const double bad : {std::nan(""), std::nextafter(field.range.low, -1.0), std::nextafter(field.range.high, 2.0)})
    expect_option_error([&] { set_option(options, field.name, detail::format_number(bad)); }, path, {});
}

template <class O>
void expect_table_checked() {
  EXPECT_NO_THROW(validate(O{}));
  std::apply([](const auto&... field) { (expect_checked(field), ...); }, Fields<O>::table);
}

TEST(OptionTable, EveryFieldOfMoreauJeanIsChecked) { expect_table_checked<MoreauJeanOptions>(); }
TEST(OptionTable, EveryFieldOfSimulateIsChecked) { expect_table_checked<SimulateOptions>(); }

// The table lists every member: a struct of the same types in the same order has the same size.
TEST(OptionTable, DescribesEveryMemberOfMoreauJean) {
  const auto own = []<class Field>(const Field& field) -> std::size_t {
    if (std::is_same_v<Field, DerivedField<MoreauJeanOptions>>) return 0;  // its member has another row
    return sizeof(std::declval<MoreauJeanOptions>().*field.member);
  };
  const auto bytes = [&](const auto&... field) { return (own(field) + ... + 0u); };
  const std::size_t listed = std::apply(bytes, Fields<MoreauJeanOptions>::table);
  EXPECT_LE(sizeof(MoreauJeanOptions) - listed, 4 * sizeof(double));  // only padding is left
  EXPECT_GE(sizeof(MoreauJeanOptions), listed);
}

TEST(OptionTable, TheSchemeChecksItsOptions) {
  const System system = compile(examples::BouncingBall{}.model());
  for (const double theta : {-0.1, 1.5, std::nan("")})
    EXPECT_THROW(MoreauJean(system, {.theta = theta}), OptionError) << theta;
  expect_option_error([&] { MoreauJean(system, {.theta = 1.5}); }, "moreau-jean.theta", {"1.5", "[0, 1]"});
  expect_option_error([&] { MoreauJean(system, {.tol = 0.0}); }, "moreau-jean.tol", {"0", "> 0"});
  expect_option_error([&] { MoreauJean(system, {.newton_max = 0}); }, "moreau-jean.newton_max", {"[1, 10000]"});
}

TEST(SetOption, TextBecomesANumberExactly) {
  MoreauJeanOptions options;
  set_option(options, "theta", "0.1");
  EXPECT_EQ(options.theta, 0.1);
  set_option(options, "theta", "1e-3");
  EXPECT_EQ(options.theta, 1e-3);
  set_option(options, "newton_max", "17");
  EXPECT_EQ(options.newton_max, 17);
  set_option(options, "quadrature", "endpoints");
  EXPECT_EQ(options.quadrature, Quadrature::endpoints);
  SimulateOptions simulation;
  set_option(simulation, "certify", "0");
  EXPECT_FALSE(simulation.certify);
}

TEST(SetOption, AnOptionOfASchemeWithinASchemeHasItsNameInFront) {
  HalveOptions options;
  set_option(options, "max_halvings", "3");
  set_option(options, "inner.theta", "0.7");
  EXPECT_EQ(options.inner.scheme, "combined-projection");
  ASSERT_EQ(options.inner.options.size(), 1u);
  EXPECT_EQ(options.inner.options[0].name, "theta");
  set_option(options, "inner.scheme", "halve");  // the options so far were those of another scheme
  set_option(options, "inner.inner.scheme", "schatzman-paoli");
  ASSERT_EQ(options.inner.options.size(), 1u);
  EXPECT_EQ(options.inner.options[0].name, "inner.scheme");
  EXPECT_EQ(options.inner.options[0].value, "schatzman-paoli");
  for (const char* name : {"inner", "inner.", "inne.theta", "innertheta", ".theta"})
    EXPECT_THROW(set_option(options, name, "1"), OptionError) << name;
}

// What a scheme within a scheme refuses is refused as if it stood alone.
TEST(SetOption, AnOptionOfASchemeWithinASchemeIsChecked) {
  const System system = compile(examples::BouncingBall{}.model());
  const auto make = [&](std::vector<OptionText> texts) { return make_scheme("halve", system, texts); };
  EXPECT_NO_THROW(static_cast<void>(make({{"inner.theta", "0.7"}})));
  expect_option_error(
      [&] {
        static_cast<void>(make({{"inner.theta", "2"}}));
      },
      "combined-projection.theta", {"2", "[0, 1]"});
  expect_option_error([&] { static_cast<void>(make({{"inner.thet", "2"}})); }, "combined-projection.thet", {"theta"});
  expect_option_error([&] { static_cast<void>(make({{"inner.scheme", "moro"}})); }, "scheme", {"moro", "moreau-jean"});
  const auto all = option_values("halve", std::vector<OptionText>{{"inner.scheme", "schatzman-paoli"}});
  EXPECT_EQ(all[0].name, "inner.scheme");
  EXPECT_EQ(all[0].value, "schatzman-paoli");
  EXPECT_EQ(all.size(), 2 + describe<SchatzmanPaoliOptions>().size());
  EXPECT_FALSE(scheme_traits("halve", all).friction);
  EXPECT_TRUE(scheme_traits("halve").changes_step);
}

TEST(SetOption, TextThatIsNotANumberIsRefused) {
  MoreauJeanOptions options;
  for (const std::string text : {"", " ", "half", "0.5x", " 0.5", "0.5 ", "0,5", "0x1p-1", "--1", "1e", "1e999"})
    expect_option_error([&] { set_option(options, "theta", text); }, "moreau-jean.theta", {"'" + text + "'"});
  for (const std::string text : {"nan", "inf", "-inf"})
    expect_option_error([&] { set_option(options, "theta", text); }, "moreau-jean.theta", {"allowed is [0, 1]"});
  for (const std::string text : {"1.5", "many"})
    expect_option_error([&] { set_option(options, "newton_max", text); }, "moreau-jean.newton_max", {"integer"});
  for (const std::string text : {"0", "10001", "1e300", "-1e300"})
    expect_option_error([&] { set_option(options, "newton_max", text); }, "moreau-jean.newton_max", {"[1, 10000]"});
  EXPECT_EQ(options.theta, MoreauJeanOptions{}.theta);
  EXPECT_EQ(options.newton_max, MoreauJeanOptions{}.newton_max);
}

TEST(SetOption, AnUnknownNameListsTheKnownOnes) {
  MoreauJeanOptions options;
  std::vector<std::string> known;
  for (const FieldInfo& row : describe<MoreauJeanOptions>()) known.push_back(row.name);
  expect_option_error([&] { set_option(options, "thetta", "0.5"); }, "moreau-jean.thetta", known);
  expect_option_error([&] { set_option(options, "", "0.5"); }, "moreau-jean.", known);
}

TEST(Describe, EveryRowIsComplete) {
  const auto rows = describe<MoreauJeanOptions>();
  EXPECT_EQ(rows.size(), std::tuple_size_v<decltype(Fields<MoreauJeanOptions>::table)>);
  for (const FieldInfo& row : rows) {
    EXPECT_FALSE(row.name.empty());
    EXPECT_FALSE(row.type.empty()) << row.name;
    EXPECT_FALSE(row.fallback.empty()) << row.name;
    EXPECT_FALSE(row.allowed.empty()) << row.name;
    EXPECT_FALSE(row.doc.empty()) << row.name;
    EXPECT_EQ(row.type == "choice", row.unit.empty()) << row.name;
  }
}

// What describe() calls the default is what set_option() takes it to be.
template <class O, class Field>
void expect_fallback_round_trip(const Field& field, const std::string& text) {
  O options;
  set_option(options, field.name, text);
  EXPECT_EQ(options.*field.member, O{}.*field.member) << field.name;
}

TEST(Describe, TheDefaultsReadBackExactly) {
  const auto rows = describe<MoreauJeanOptions>();
  std::size_t i = 0;
  std::apply(
      [&](const auto&... field) { (expect_fallback_round_trip<MoreauJeanOptions>(field, rows[i++].fallback), ...); },
      Fields<MoreauJeanOptions>::table);
}

TEST(Describe, RangesAsText) {
  EXPECT_EQ(detail::format_range({0.0, 1.0}), "[0, 1]");
  EXPECT_EQ(detail::format_range({0.0, 1.0, true}), "(0, 1]");
  EXPECT_EQ(detail::format_range(positive_range), "> 0");
  EXPECT_EQ(detail::format_range(nonnegative_range), ">= 0");
  EXPECT_EQ(detail::format_range({}), "any finite number");
}

}  // namespace
}  // namespace esc
