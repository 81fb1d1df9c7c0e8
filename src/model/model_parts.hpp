// What a Model holds.
#pragma once

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include <escapement/model.hpp>

namespace esc {

struct Model::Parts {
  struct Block {
    std::string name;
    std::vector<std::string> coordinates;
    std::vector<std::string> units;
    std::unique_ptr<BlockLeaf> leaf;
    std::vector<double> q, v;
    bool planar_body = false;
  };
  struct Shape {
    std::string name;
    Frame frame;
    Geometry geometry;
    Material material;
    PairFilter filter;
  };
  struct GapContact {
    std::vector<Coordinates> coordinates;
    std::unique_ptr<ContactLeaf> leaf;
  };
  struct Contact {
    std::string name;
    ContactLaw law;
    GapContact gap;    // either a gap function ...
    int shape_a = -1;  // ... or two shapes
    int shape_b = -1;
  };
  struct Force {
    std::string name;
    std::vector<Coordinates> coordinates;
    std::unique_ptr<ForceLeaf> leaf;
  };
  struct Input {
    std::string name;
    double value = 0.0;
  };
  struct Output {
    std::string name;
    OutputFunction function;
  };

  std::vector<Block> blocks;
  std::vector<Shape> shapes;
  std::vector<Contact> contacts;
  std::vector<Force> forces;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::unordered_set<std::string> names;  // of everything, to keep them unique
  std::array<double, 3> gravity{0, 0, 0};
  double penetration_tolerance = 1e-9;
};

}  // namespace esc
