// The certificate sees a mass matrix that is none, at the frame of the step and at its end.
#include <gtest/gtest.h>

#include <escapement/certify.hpp>
#include <escapement/models/lagrangian.hpp>

#include "tests/support/certificates.hpp"

namespace esc {
namespace {

using testing::failed;
using testing::Names;

// m = 1 - t is a mass until t = 1. Without a force v is constant: the states of any step are known.
System rocket() {
  Model model;
  const auto unit = [](double, const double*, MatrixView M) { M(0, 0) = 1.0; };
  const auto burning = [](double t, const double*, MatrixView M) { M(0, 0) = 1.0 - t; };
  const auto none = [](const auto&, const auto*, const auto*, auto* F) { F[0] = 0.0; };
  model.add_coordinates("stage", {"x"}, lagrangian<1>(unit, none), {0.0}, {0.0});
  model.add_coordinates("rocket", {"x"}, lagrangian<1>(burning, none), {0.0}, {2.0});
  return compile(model);
}

Certificate certificate_of_step(const System& system, double t, double h) {
  State before = system.initial_state(), after = before;
  before.t = t;
  before.q[1] = 2.0 * t;
  after.t = t + h;
  after.h = after.impulse_time = after.t - t;
  after.q[1] = 2.0 * after.t;
  Promise promise;
  promise.equations = ThetaEquations{};
  return certify(system, before, after, promise);
}

TEST(CertificateOfMass, HoldsWhileTheMassIsPositive) {
  const System system = rocket();
  EXPECT_EQ(failed(certificate_of_step(system, 0.0, 0.5)), Names{});
  EXPECT_EQ(failed(certificate_of_step(system, 0.5, 0.499)), Names{});
}

TEST(CertificateOfMass, FailsAloneAndNamesTheBlock) {
  const System system = rocket();
  for (const double t : {1.0, 1.5}) {  // at the theta point and at the end
    const Certificate certificate = certificate_of_step(system, t, 0.25);
    EXPECT_EQ(failed(certificate), Names{"mass"}) << t;
    const FoundAt at = found_at(system, Check::mass, certificate[Check::mass]);
    EXPECT_EQ(at.kind, "block");
    EXPECT_EQ(at.name, "rocket");
  }
  EXPECT_EQ(failed(certificate_of_step(system, 0.8, 0.25)), Names{"mass"}) << "at the end only";
}

}  // namespace
}  // namespace esc
