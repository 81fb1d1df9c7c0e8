// The page on the certificate is complete.
#include <string>
#include <utility>
#include <variant>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>

#include "tests/support/repository.hpp"

namespace esc {
namespace {

// Every field of every family stands on the page, under the name that a results file has for it.
TEST(CertificatePage, NamesEveryFieldOfAPromise) {
  const std::string text = testing::page("certificate.md");
  const auto look = [&]<std::size_t... family>(std::index_sequence<family...>) {
    for (const Equations& equations : {Equations(std::in_place_index<family>)...}) {
      const Promise promise{.equations = equations};
      for_each_field(promise, [&](const auto&, const FieldRow& row) {
        EXPECT_NE(text.find("`" + row.name + "`"), std::string::npos) << row.name;
      });
    }
  };
  look(std::make_index_sequence<std::variant_size_v<Equations>>());
}

}  // namespace
}  // namespace esc
