// What a terminal obeys, or nobody sees, never gets there.
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "src/math/printable.hpp"
#include "src/math/text.hpp"

namespace esc {
namespace {

TEST(Printable, NothingThatATerminalObeysIsLeft) {
  EXPECT_TRUE(rc::check("any bytes", [] {
    const auto text = *rc::gen::arbitrary<std::string>();
    const std::string shown = printable(text);
    RC_ASSERT(find_unprintable(shown) == std::string::npos);
    RC_ASSERT(find_unprintable(json_escaped(text)) == std::string::npos);
    RC_ASSERT((shown == text) == (find_unprintable(text) == std::string::npos));
  }));
}

TEST(Printable, MarksOfDirectionAndControlCharactersAreWrittenOut) {
  EXPECT_EQ(printable("a\x1b[2Jb\r\n\x7f"), "a\\x1b[2Jb\\x0d\\x0a\\x7f");
  EXPECT_EQ(printable("a\nb\tc", "\n\t"), "a\nb\tc");
  EXPECT_EQ(printable("\u202e \u2066 \u200f \u061c \u2028 \ufeff"),
            "\\u{202e} \\u{2066} \\u{200f} \\u{061c} \\u{2028} \\u{feff}");
  EXPECT_EQ(printable("\u0085\u009b"), "\\x85\\x9b");  // control characters of two bytes
  EXPECT_EQ(printable("Führung, 長さ, шток 😀"), "Führung, 長さ, шток 😀");
  EXPECT_EQ(json_escaped("\u202e\"\\\n\xff"), "\\u202e\\\"\\\\\\n\\ufffd");
}

// Overlong forms, surrogates, what lies beyond the last character, what is cut short.
TEST(Printable, BytesThatAreNoUtf8AreWrittenOut) {
  for (const std::string bytes : {"\xc0\x8a", "\xe0\x80\x8a", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x80", "\x9b"})
    EXPECT_EQ(find_unprintable(bytes), 0u);
}

TEST(Text, ANumberThatIsNoneHasNoSign) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double value : {nan, -nan}) {
    EXPECT_EQ(to_text(value), "nan");
    EXPECT_EQ(short_text(value), "nan");
  }
}

}  // namespace
}  // namespace esc
