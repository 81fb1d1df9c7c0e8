// Prints docs/scene.md or docs/scene.schema.json from the field tables of the scene reader.
#include <cstdio>
#include <string>

#include <escapement/io/scene.hpp>

int main(int count, char** arguments) {
  const std::string what = count == 2 ? arguments[1] : "";
  if (what != "reference" && what != "schema") {
    std::fprintf(stderr, "usage: print_scene reference|schema\n");
    return 2;
  }
  std::fputs((what == "schema" ? esc::io::scene_schema() : esc::io::scene_reference()).c_str(), stdout);
}
