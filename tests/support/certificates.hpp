// For tests that spoil one number of a step and ask which checks of its certificate notice.
#pragma once

#include <set>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include <escapement/certify.hpp>

namespace esc::testing {

using Names = std::set<std::string>;  // of checks that fail

inline Names failed(const Certificate& certificate) {
  Names names;
  for (int i = 0; i < check_count; ++i)
    if (!certificate.findings[i].ok()) names.emplace(check_names[i]);
  EXPECT_EQ(certificate.ok(), names.empty());
  EXPECT_TRUE(names.empty() || names.contains(std::string(to_string(certificate.worst()))));
  return names;
}

struct Step {
  State before, after;
  Promise promise;
};

inline Names verdict(const System& system, const Step& step) {
  return failed(certify(system, step.before, step.after, step.promise));
}

// The last of some steps of a scheme; the certificate holds.
template <class S>
Step last_step(const System& system, int steps, double h, const typename S::Options& options = {}) {
  S scheme(system, options);
  Step step{system.initial_state(), {}, scheme.promise()};
  scheme.start(step.before);
  step.after = step.before;
  for (int k = 0; k < steps; ++k) {
    step.before = step.after;
    EXPECT_TRUE(scheme.step(step.after, h).ok());
  }
  EXPECT_EQ(verdict(system, step), Names{});
  return step;
}

// The value of x without its derivatives.
template <class S>
S frozen(const S& x) {
  if constexpr (std::is_same_v<S, double>)
    return x;
  else
    return S(x.value);
}

// A floor whose gradient is `slope` instead of 1, or a rising one that forgets its own velocity.
struct WrongFloor {
  static constexpr int size = 1, contacts = 1, slips = 0;
  double slope, rise;
  bool forgets;
  template <class S>
  void gap(const S& t, const S* q, S* g) const {
    g[0] = slope * q[0] + (1.0 - slope) * frozen(q[0]) - rise * (forgets ? frozen(t) : t);
  }
};

}  // namespace esc::testing
