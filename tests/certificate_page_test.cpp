// The page on the certificate is complete.
#include <string>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>

#include "tests/support/repository.hpp"

namespace esc {
namespace {

// Every field of every family stands on the page, under the name that a results file has for it.
TEST(CertificatePage, NamesEveryFieldOfAPromise) {
  const std::string text = testing::page("certificate.md");
  for (const Equations& equations : {Equations(ThetaEquations{}), Equations(TwoStepEquations{}),
                                     Equations(ImpactEquations{}), Equations(AlphaEquations{})}) {
    const Promise promise{.equations = equations};
    for_each_field(promise, [&](const auto&, const FieldRow& row) {
      EXPECT_NE(text.find("`" + row.name + "`"), std::string::npos) << row.name;
    });
  }
}

}  // namespace
}  // namespace esc
