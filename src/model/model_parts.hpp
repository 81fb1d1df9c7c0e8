// What a Model holds.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include <escapement/model.hpp>

namespace esc {

constexpr double default_joint_tolerance = 1e-9;  // m or rad

struct Model::Parts {
  Parts();
  const std::uint32_t model;  // its number, in the ids that it hands out

  struct Block {
    std::string name;
    std::vector<CoordinateName> coordinates, velocities;  // names within the block
    std::unique_ptr<BlockLeaf> leaf;
    std::vector<double> q, v;
  };
  struct Shape {
    std::string name;
    Frame frame;
    Geometry geometry;
    Material material;
    PairFilter filter;
  };
  struct Contact {
    std::string name;
    ContactLaw law;
    std::unique_ptr<ContactLeaf> leaf;     // either a gap function ...
    std::vector<Coordinates> coordinates;  // ... of coordinates
    std::vector<Frame> frames;             // ... or of frames
    int shape_a = -1;                      // or two shapes
    int shape_b = -1;
  };
  struct Force {
    std::string name;
    std::vector<Coordinates> coordinates;
    std::vector<Frame> frames;
    std::unique_ptr<ForceLeaf> leaf;
  };
  struct Joint {
    std::string name;
    std::vector<Coordinates> coordinates;
    std::vector<Frame> frames;
    std::unique_ptr<JointLeaf> leaf;
    std::optional<JointType> type;  // of the joints that have coordinates
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
  std::vector<Joint> joints;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::unordered_set<std::string> names;  // of everything, to keep them unique
  std::array<double, 3> gravity{0, 0, 0};
  double penetration_tolerance = 1e-9;
  double joint_tolerance = default_joint_tolerance;
  Assembly assembly = Assembly::refuse;
  std::vector<std::string> warnings;
};

}  // namespace esc
