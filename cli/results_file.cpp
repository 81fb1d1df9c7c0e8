#include "cli/results_file.hpp"

#include <algorithm>

#include <escapement/certify.hpp>
#include <escapement/schemes/registry.hpp>

#include "src/io/results_recheck.hpp"

namespace esc::cli {

namespace {

template <class Call>
auto about_scene(const io::ResultsReader& results, Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& error) {
    throw io::ResultsError(results.path(), std::string("in the scene it holds, ") + error.what());
  }
}

const std::string& name_in(const std::string& entry) { return entry; }
template <class Entry>
const std::string& name_in(const Entry& entry) {
  return entry.name;
}

template <class Recorded, class Names>
void require_same(const io::ResultsReader& results, const char* what, const Recorded& recorded, const Names& names) {
  bool same = recorded.size() == names.size();
  for (std::size_t i = 0; same && i < recorded.size(); ++i) same = name_in(recorded[i]) == name_in(names[i]);
  if (!same)
    throw io::ResultsError(results.path(), "it is damaged: the " + std::string(what) +
                                               " of its states are not those of the scene it holds");
}

}  // namespace

io::Scene scene_of(const io::ResultsReader& results) {
  const io::RunInfo& info = results.info();
  if (info.scene_text.empty())
    throw io::ResultsError(results.path(), "there is no scene in it: its run was not made from one");
  std::vector<io::Override> overrides;
  for (const io::Parameter& parameter : info.parameters) overrides.push_back({parameter.name, parameter.text});
  io::Scene scene = about_scene(
      results, [&] { return io::parse_scene(info.scene_text, info.scene + ".toml", overrides, io::Includes::refuse); });
  scene.scheme = info.scheme;
  scene.scheme_options = info.scheme_options;
  scene.run = info.run;
  return scene;
}

System system_of(const io::ResultsReader& results, const io::Scene& scene) {
  System system = about_scene(results, [&] { return io::compile_scene(scene); });
  const io::Names& recorded = results.names();
  require_same(results, "coordinates", recorded.coordinates, system.coordinates());
  require_same(results, "velocities", recorded.velocities, system.velocities());
  require_same(results, "inputs", recorded.inputs, system.input_names());
  require_same(results, "joints", recorded.joints, system.joint_names());
  require_same(results, "contact pairs", recorded.pairs, system.pair_names());
  return system;
}

std::unique_ptr<Scheme> scheme_of(const io::ResultsReader& results, const System& system) try {
  const io::RunInfo& info = results.info();
  validate(info.run);
  return make_scheme(info.scheme, system, info.scheme_options);
} catch (const std::exception& error) {
  throw io::ResultsError(results.path(), std::string("its scheme cannot be set up as recorded: ") + error.what());
}

void require_sound_checkpoint(const io::ResultsReader& results, const Scheme& scheme) {
  const auto refuse = [&](const std::string& why) {
    throw io::ResultsError(results.path(), "its last checkpoint was changed: " + why + "; no run goes on from there");
  };
  if (const std::string difference = io::checkpoint_difference(results); !difference.empty()) refuse(difference);
  const std::int64_t frame = io::checkpoint_frame(results);
  if (frame < 1 || !results.info().run.certify || results.steps(frame, 1).certificate_failed[0] > 0) return;
  const auto promises = scheme.promises();
  const auto obeyed = static_cast<std::size_t>(results.frames(frame, 1).promise[0]);
  const Certificate certificate =
      certify(scheme.system(), results.states_before(frame, 1).front(), results.states(frame, 1).front(),
              *promises[std::min(obeyed, promises.size() - 1)]);
  if (!certificate.ok())
    refuse("the step before it does not hold the " + std::string(to_string(certificate.worst())) +
           " that the scheme promises");
}

}  // namespace esc::cli
