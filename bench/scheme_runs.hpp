// Runs of any scheme with any options, for the programs that compare them.
#pragma once

#include <string>
#include <vector>

#include <escapement/schemes/registry.hpp>
#include <escapement/simulate.hpp>

#include "bench/step_timer.hpp"

namespace bench {

struct Choice {
  std::string text, scheme;
  std::vector<esc::OptionText> options;
};

// SCHEME[,OPTION=VALUE]...
inline Choice choice_of(const std::string& text) {
  Choice choice{text, text.substr(0, text.find(',')), {}};
  for (std::size_t at = text.find(','); at != std::string::npos;) {
    const std::size_t end = text.find(',', at + 1), equals = text.find('=', at);
    choice.options.push_back({text.substr(at + 1, equals - at - 1), text.substr(equals + 1, end - equals - 1)});
    at = end;
  }
  return choice;
}

inline double energy(const esc::System& system, const esc::State& x) {
  std::vector<double> scratch(system.scratch_size());
  const esc::Energy e = system.energy({x.t, x.q.data(), x.v.data(), x.u.data(), scratch.data()});
  return e.kinetic + e.potential;
}

// Of processor time, of a run without certificates.
inline double seconds_of(const esc::System& system, const Choice& choice, double h, double until) {
  const auto scheme = esc::make_scheme(choice.scheme, system, choice.options);
  esc::State x = system.initial_state();
  const double begin = cpu_seconds();
  static_cast<void>(esc::simulate(*scheme, x, {.step = h, .until = until, .certify = false}));
  return cpu_seconds() - begin;
}

}  // namespace bench
