// State: an exact round trip through a file, damaged files refused without a crash, a hash of every bit.
#include <cstdint>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <escapement/error.hpp>
#include <escapement/state.hpp>

namespace esc {
namespace {

State sample() {
  State x;
  x.layout = 12345;
  x.t = 0.1;
  x.h = 0.025;
  x.q = {1.0, -0.0, 5e-324, std::numeric_limits<double>::max()};
  x.v = {1.0 / 3.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()};
  x.u = {42.0};
  x.contacts = {{.key = {0, 3},
                 .P = {0.1, 0.2, 0.3},
                 .rows = 3,
                 .mode = ContactMode::sticking,
                 .tau = 0.4,
                 .frame = {{1.0, 2.0, 3.0}, {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}}},
                {.key = {7, 0}, .P = {1.0, 0.0, 0.0}, .impact = true}};
  x.joint_impulse = {9.0, 8.0};
  x.joint_tau = {7.0};
  x.histories = {{"halve", {1.0}}, {"halve/moreau-jean", {6.0, 5.0, 4.0}}};
  return x;
}

std::string file_of(const State& x) {
  std::ostringstream out;
  save(x, out);
  return out.str();
}

State load_text(const std::string& text) {
  std::istringstream in(text);
  return load(in);
}

std::string refusal(const std::string& text) {
  try {
    load_text(text);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(StateFile, RoundTripKeepsEveryBit) {
  const State x = sample();
  EXPECT_EQ(hash(load_text(file_of(x))), hash(x));
  EXPECT_EQ(file_of(load_text(file_of(x))), file_of(x));
  EXPECT_EQ(hash(load_text(file_of({}))), hash(State{}));
  State plain = x;
  plain.v = {1.0};  // NaN differs from itself
  EXPECT_EQ(load_text(file_of(plain)), plain);
}

TEST(StateFile, RoundTripOfAnyState) {
  EXPECT_TRUE(rc::check([](double t, const std::vector<double>& q, const std::vector<double>& v,
                           const std::vector<double>& history, const std::string& scheme) {
    State x;
    x.t = t;
    x.q = q;
    x.v = v;
    x.histories = {{scheme, history}, {scheme + "/inner", q}};
    RC_ASSERT(hash(load_text(file_of(x))) == hash(x));
  }));
}

TEST(StateFile, TwoStatesInOneFileAreReadOneAfterTheOther) {
  State second = sample();
  second.t = 2.0;
  std::istringstream in(file_of(sample()) + file_of(second));
  EXPECT_EQ(hash(load(in)), hash(sample()));
  EXPECT_EQ(hash(load(in)), hash(second));
}

TEST(StateFile, EveryTruncationIsRefused) {
  const std::string file = file_of(sample());
  for (std::size_t n = 0; n < file.size(); ++n)
    EXPECT_NE(refusal(file.substr(0, n)).find("cut short"), std::string::npos) << n << " bytes";
}

TEST(StateFile, ForeignFilesAreRefused) {
  EXPECT_NE(refusal("t,q,v\n0,1,2\n0,1,2\n").find("not a state file"), std::string::npos);
  EXPECT_NE(refusal(std::string(1000, '\xff')).find("not a state file"), std::string::npos);
  EXPECT_NE(refusal("").find("cut short"), std::string::npos);
}

TEST(StateFile, AnotherVersionIsNamed) {
  std::string file = file_of(sample());
  file[8] = 1;  // the version follows the eight letters of the magic word
  const std::string text = refusal(file);
  EXPECT_NE(text.find("version 1"), std::string::npos) << text;
  EXPECT_NE(text.find("reads version 3"), std::string::npos) << text;
}

// A size of 2^64 - 1 must not be believed: the reader stops where the file ends.
TEST(StateFile, AnAbsurdSizeIsRefusedWithoutAskingForItsMemory) {
  const std::string file = file_of(sample());
  const std::size_t first_size = 8 + 4 + 4 * 8;  // magic, version, layout, t, h, impulse_time: then the size of q
  for (const std::uint64_t size : {std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 60,
                                   std::uint64_t{1} << 40, std::uint64_t{1000}}) {
    std::string damaged = file;
    std::memcpy(damaged.data() + first_size, &size, sizeof size);
    EXPECT_NE(refusal(damaged).find("cut short"), std::string::npos) << size;
  }
}

// Any byte of a file may be wrong: either it is refused, or it is a state that saves to the same file.
TEST(StateFile, ADamagedByteNeverCrashes) {
  const std::string file = file_of(sample());
  for (std::size_t i = 0; i < file.size(); ++i)
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string damaged = file;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      try {
        EXPECT_EQ(file_of(load_text(damaged)), damaged.substr(0, file_of(load_text(damaged)).size()));
      } catch (const ModelError&) {
        EXPECT_FALSE(refusal(damaged).empty());
      }
    }
}

TEST(StateFile, AContactModeThatDoesNotExistIsRefused) {
  State x;
  x.contacts = {{.mode = static_cast<ContactMode>(200)}};
  EXPECT_NE(refusal(file_of(x)).find("mode"), std::string::npos);
}

TEST(StateFile, AContactHasOneToThreeRows) {
  State x;
  for (const int rows : {0, 4, 255}) {
    x.contacts = {{.rows = static_cast<std::uint8_t>(rows)}};
    EXPECT_NE(refusal(file_of(x)).find("rows"), std::string::npos) << rows;
  }
}

TEST(StateFile, AFlagIsZeroOrOne) {
  State x, y;
  x.contacts = {{.impact = false}};
  y.contacts = {{.impact = true}};
  std::string file = file_of(x);
  const std::string other = file_of(y);
  ASSERT_EQ(file.size(), other.size());
  for (std::size_t i = 0; i < file.size(); ++i)
    if (file[i] != other[i]) file[i] = 2;
  EXPECT_NE(refusal(file).find("flag"), std::string::npos);
}

// The point of a gap function is nowhere, and a state that holds one is equal to its copy.
TEST(State, RecordsOfGapFunctionsAreEqual) {
  State x;
  x.contacts = {{.key = {1, 0}, .P = {0.5, 0.0, 0.0}}};
  State y = x;
  EXPECT_EQ(x, y);
  y.contacts[0].frame.point = {0.0, 0.0, 0.0};
  EXPECT_NE(x, y);
  y = x;
  y.contacts[0].frame.normal = {0.0, 1.0, 0.0};
  EXPECT_NE(x, y);
  y = x;
  y.contacts[0].frame.tangent = {0.0, 0.0, 1.0};
  EXPECT_NE(x, y);
}

TEST(StateFile, ContactsOutOfOrderAreRefused) {
  State x = sample();
  std::swap(x.contacts[0], x.contacts[1]);
  EXPECT_NE(refusal(file_of(x)), "accepted");
  x.contacts[0] = x.contacts[1];
  EXPECT_NE(refusal(file_of(x)), "accepted");
}

TEST(StateFile, AStreamThatCannotBeWrittenIsReported) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_THROW(save(sample(), out), ModelError);
}

TEST(StateHash, SeesEveryField) {
  const std::uint64_t reference = hash(sample());
  const auto differs = [&](auto change) {
    State x = sample();
    change(x);
    EXPECT_NE(hash(x), reference);
  };
  EXPECT_EQ(hash(sample()), reference);
  differs([](State& x) { x.layout += 1; });
  differs([](State& x) { x.t = std::nextafter(x.t, 1.0); });
  differs([](State& x) { x.h = 0.05; });
  differs([](State& x) { x.q[1] = 0.0; });  // from minus zero
  differs([](State& x) { x.v[0] = std::nextafter(x.v[0], 1.0); });
  differs([](State& x) { x.u[0] = 43.0; });
  differs([](State& x) { x.contacts[0].key.pair = 1; });
  differs([](State& x) { x.contacts[0].key.feature = 1; });
  differs([](State& x) { x.contacts[1].P[2] = 1.0; });
  differs([](State& x) { x.contacts[1].rows = 2; });
  differs([](State& x) { x.contacts[1].impact = false; });
  differs([](State& x) { x.contacts[0].frame.point[1] = 0.0; });
  differs([](State& x) { x.contacts[0].frame.normal[0] = 1.0; });
  differs([](State& x) { x.contacts[0].frame.tangent[2] = 1.0; });
  differs([](State& x) { x.contacts[1].tau = 1.0; });
  differs([](State& x) { x.contacts[1].mode = ContactMode::sliding; });
  differs([](State& x) { x.contacts.pop_back(); });
  differs([](State& x) { x.joint_impulse[0] = 0.0; });
  differs([](State& x) { x.joint_tau[0] = 0.0; });
  differs([](State& x) { x.histories[0].values.push_back(0.0); });
  differs([](State& x) { x.histories[1].owner += "x"; });
  differs([](State& x) { x.histories.pop_back(); });
  differs([](State& x) { x.impulse_time += 1.0; });
  differs([](State& x) {  // the same numbers, otherwise divided
    x.q.push_back(x.v.front());
    x.v.erase(x.v.begin());
  });
}

TEST(StateRecords, AreFoundByKey) {
  State x = sample();
  ASSERT_NE(find(x, {0, 3}), nullptr);
  EXPECT_EQ(find(x, {0, 3}), &x.contacts[0]);
  EXPECT_EQ(find(x, {7, 0}), &x.contacts[1]);
  for (const ContactKey key : {ContactKey{0, 2}, ContactKey{0, 4}, ContactKey{3, 0}, ContactKey{8, 0}})
    EXPECT_EQ(find(x, key), nullptr);
  EXPECT_EQ(find(State{}, {0, 0}), nullptr);
}

}  // namespace
}  // namespace esc
