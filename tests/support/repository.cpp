// The only place that knows the folder of the repository: no other object file differs between two checkouts.
#include "tests/support/repository.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace esc::testing {
namespace {

std::filesystem::path repository() { return REPOSITORY; }

}  // namespace

std::string scene_path(std::string_view name) { return (repository() / "scenes" / name).concat(".toml").string(); }

std::string page(std::string_view name) {
  const std::filesystem::path path = repository() / "docs" / name;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("no page " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace esc::testing
