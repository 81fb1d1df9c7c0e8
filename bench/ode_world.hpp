// A world of the Open Dynamics Engine, and which of its two steppers moves it.
#pragma once

#include <ode/ode.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace bench {

enum class Stepper { direct, quick };  // dWorldStep: a dense LCP by Dantzig; dWorldQuickStep: 20 sweeps of SOR

inline Stepper find_stepper(const std::string& name) {
  if (name == "step") return Stepper::direct;
  if (name == "quickstep") return Stepper::quick;
  std::fprintf(stderr, "unknown stepper '%s': step or quickstep\n", name.c_str());
  std::exit(2);
}

// ERP, CFM, sweeps and relaxation are ODE's defaults.
struct OdeWorld {
  dWorldID id;
  explicit OdeWorld(double gravity) : id(dWorldCreate()) { dWorldSetGravity(id, 0.0, 0.0, -gravity); }
  OdeWorld(const OdeWorld&) = delete;
  OdeWorld& operator=(const OdeWorld&) = delete;
  ~OdeWorld() { dWorldDestroy(id); }

  void step(Stepper stepper, double h) const {
    if (stepper == Stepper::direct)
      dWorldStep(id, h);
    else
      dWorldQuickStep(id, h);
  }
};

}  // namespace bench
