// `make demo`: the slider-crank with clearance of acary section 6.4.1, Table 2, simulated and certified.
#include <cstdio>
#include <exception>
#include <fstream>
#include <numbers>

#include <escapement/recorder.hpp>
#include <escapement/schemes/moreau_jean.hpp>
#include <escapement/simulate.hpp>

#include "examples/slider_crank.hpp"

namespace {

int run() {
  using namespace esc;
  const System system = compile(examples::SliderCrank{}.model());
  MoreauJean scheme(system);
  State x = system.initial_state();
  const SimulateOptions options{.step = 1e-5, .until = 0.2};
  Recorder recorder(system, 10);
  recorder.add_coordinates();
  recorder.add_energy();
  for (unsigned corner = 0; corner < 4; ++corner) recorder.add_gap(system.contact_key("corner", corner));

  const RunReport report = simulate(scheme, x, options, &recorder);
  std::printf("Slider-crank with 1 mm clearance in the guide (e = 0.4, mu = 0.01), crank at 150 rad/s\n\n%s",
              summary(scheme, options, report).c_str());
  std::printf("result       %.4f crank revolutions in %g s\n", x.q[0] / (2.0 * std::numbers::pi), x.t);

  const char* file = "slider_crank.csv";
  std::ofstream csv(file);
  recorder.write_csv(csv);
  if (csv) std::printf("written      %s, %d rows\n", file, recorder.rows());
  return report.certified() ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "demo: %s\n", error.what());
    return 2;
  }
}
