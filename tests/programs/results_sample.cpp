// Usage: results_sample FOLDER
// Writes runs for tests/results_test.py: space.h5 (a falling stack of boxes), joints.h5 (a planar slider-crank with
// joints, every fifth step), roller.h5 (gap functions, an input, an output, steps that may be halved), pendulum.h5
// (alpha-ggl: a joint with smooth and impulsive reactions, an impact), their CSV tables and VTK files; and space.txt:
// t, z of the top box and its vertical velocity at every frame, from a run of its own.
#include <fstream>

#include <escapement/io/export.hpp>
#include <escapement/schemes/alpha_ggl.hpp>
#include <escapement/schemes/moreau_jean.hpp>

#include "examples/bouncing_pendulum.hpp"
#include "examples/box_stack.hpp"
#include "examples/slider_crank.hpp"
#include "examples/slider_on_roller.hpp"

namespace {

using namespace esc;

struct Run {
  std::string name;
  Model model;
  SimulateOptions options;
  std::int64_t every;
};

template <class AnyScheme = MoreauJean>
void write(const std::string& folder, const Run& run) {
  const System system = compile(run.model);
  AnyScheme scheme(system);
  io::RunInfo info;
  info.scene = run.name;
  info.scene_text = "version = 1  # " + run.name + "\n";
  info.parameters = {{"l", 0.25, "1/4", true}};
  info.scheme = std::string(scheme.name());
  if (info.scheme == "moreau-jean") info.scheme_options = {{"theta", "0.5"}};
  info.run = run.options;
  info.program = io::program_version();
  info.git = io::git_version();
  info.every = run.every;
  info.drawing = io::drawing_of(run.model, system);
  const std::string base = folder + "/" + run.name;
  {
    State x = system.initial_state();
    io::ResultsWriter writer(scheme, info, base + ".h5", {.overwrite = io::Overwrite::allow});
    static_cast<void>(io::record_run(scheme, x, run.options, writer));
  }
  const io::ResultsReader results(base + ".h5");
  const auto allow = io::Overwrite::allow;
  io::export_csv(results, io::CsvTable::frames, base + ".csv", {allow});
  io::export_csv(results, io::CsvTable::contacts, base + "_contacts.csv", {allow});
  io::export_csv(results, io::CsvTable::events, base + "_events.csv", {allow});
  static_cast<void>(io::export_vtk(results, folder + "/vtk", run.name, allow));
}

// The same motion by hand.
void write_reference(const std::string& path, const Run& run) {
  const System system = compile(run.model);
  MoreauJean scheme(system);
  State x = system.initial_state();
  std::ofstream out(path);
  out.precision(17);
  const auto z = static_cast<std::size_t>(system.coordinate("box2.z")),
             w = static_cast<std::size_t>(system.velocity("box2.vz"));
  SimulateOptions options = run.options;
  out << x.t << ' ' << x.q[z] << ' ' << x.v[w] << '\n';
  options.observe = [&](const Progress& p) { out << p.after.t << ' ' << p.after.q[z] << ' ' << p.after.v[w] << '\n'; };
  static_cast<void>(simulate(scheme, x, options));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  const Run space{"space", examples::BoxStack{.boxes = 3}.model(), {.step = 1e-3, .until = 0.05}, 1};
  write(folder, space);
  write_reference(folder + "/space.txt", space);
  write(folder, {"joints", examples::SliderCrank{}.planar_model(), {.step = 1e-5, .until = 6e-3}, 5});
  write<AlphaGgl>(folder, {"pendulum", examples::BouncingPendulum{}.model(), {.step = 1e-3, .until = 0.6}, 1});
  write(folder, {"roller", examples::SliderOnRoller{}.model(), {.step = 1e-3, .until = 0.25}, 1});
  return 0;
}
