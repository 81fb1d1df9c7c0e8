// Random saddle-point matrices of chains, trees and loops, as nodes and edges and as a dense matrix.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "src/math/component_factor.hpp"

namespace esc::test {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

class Random {
 public:
  explicit Random(int seed) : engine_(seed) {}
  double real(double low, double high) { return low + (high - low) * (static_cast<double>(engine_()) * 0x1p-32); }
  int integer(int low, int high) { return low + static_cast<int>(engine_() % (high - low + 1)); }
  Matrix matrix(int rows, int columns, double size) {
    return Matrix::NullaryExpr(rows, columns, [&] { return real(-size, size); });
  }

 private:
  std::mt19937 engine_;
};

// A mechanism as nodes, edges and the dense K that they describe.
struct Mechanism {
  std::vector<FactorNode> nodes;
  std::vector<FactorEdge> edges;
  std::vector<int> offset;
  Matrix K = Matrix::Zero(0, 0);

  int add(FactorNode node) {
    nodes.push_back(node);
    const int at = static_cast<int>(K.rows());
    offset.push_back(at);
    K.conservativeResizeLike(Matrix::Zero(at + node.n, at + node.n));
    return static_cast<int>(nodes.size()) - 1;
  }
  auto block(int i, int j) { return K.block(offset[i], offset[j], nodes[i].n, nodes[j].n); }
  auto part(const Vector& x, int i) const { return x.segment(offset[i], nodes[i].n); }

  // Symmetric part positive definite.
  int add_body(Random& random, int n, double mass = 1.0) {
    const int body = add({n, false, -1});
    const Matrix R = random.matrix(n, n, 1.0);
    block(body, body) = mass * (R * R.transpose() / n + Matrix::Identity(n, n) + 0.3 * (R - R.transpose()));
    return body;
  }
  void tie(int i, int j, const Matrix& upper, const Matrix& lower) {
    edges.push_back(i < j ? FactorEdge{i, j} : FactorEdge{j, i});
    block(i, j) += upper;
    block(j, i) += lower;
  }
  // Rows G of constraint c on a body; G' is off by a part of it.
  void constrain(int body, int c, const Matrix& G, const Matrix& off) { tie(body, c, -G.transpose(), G + off); }

  void fill(ComponentFactor& factor) {
    factor.clear();
    for (int i = 0; i < static_cast<int>(nodes.size()); ++i) copy(block(i, i), factor.diagonal(i));
    for (int e = 0; e < static_cast<int>(edges.size()); ++e) {
      copy(block(edges[e].i, edges[e].j), factor.upper(e));
      copy(block(edges[e].j, edges[e].i), factor.lower(e));
    }
  }
  std::int64_t input_values() const {
    std::int64_t sum = 0;
    for (const FactorNode& node : nodes) sum += node.n * node.n;
    for (const FactorEdge& edge : edges) sum += 2 * nodes[edge.i].n * nodes[edge.j].n;
    return sum;
  }

 private:
  static void copy(const Matrix& from, double* to) {
    for (int i = 0; i < from.rows(); ++i)
      for (int j = 0; j < from.cols(); ++j) *to++ = from(i, j);
  }
};

inline Vector random_vector(Random& random, int n) { return random.matrix(n, 1, 1.0); }

inline double difference(const Vector& a, const Vector& b) { return (a - b).norm() / b.norm(); }

// Bodies of the given sizes; parent(i) < i, or -1 for the ground. Each joint has up to `rows` rows.
template <class Parent>
inline Mechanism tree(Random& random, std::span<const int> sizes, int rows, Parent parent) {
  Mechanism mechanism;
  std::vector<int> body;
  for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
    body.push_back(mechanism.add_body(random, sizes[i]));
    const int m = std::min(rows, sizes[i]);
    const int joint = mechanism.add({m, true, body[i]});
    const auto rows_on = [&](int b, double leading) {
      const int n = mechanism.nodes[b].n;
      const Matrix G = leading * Matrix::Identity(m, n) + random.matrix(m, n, 0.4);
      mechanism.constrain(b, joint, G, random.matrix(m, n, 0.05));
    };
    rows_on(body[i], 1.0);
    if (parent(i) >= 0) rows_on(body[parent(i)], -1.0);
  }
  return mechanism;
}

inline Mechanism chain(Random& random, int bodies, int n, int rows) {
  const std::vector<int> sizes(bodies, n);
  return tree(random, sizes, rows, [](int i) { return i - 1; });
}

inline Mechanism random_tree(Random& random, std::span<const int> sizes, int rows) {
  return tree(random, sizes, rows, [&](int i) { return i == 0 ? -1 : random.integer(0, i - 1); });
}

inline std::vector<int> mixed_sizes(Random& random, int bodies) {
  const std::vector<int> choice = {1, 2, 3, 4, 5, 6, 12};
  std::vector<int> sizes(bodies);
  for (int& n : sizes) n = choice[random.integer(0, 6)];
  return sizes;
}

// A joint that closes a loop, eliminated last.
inline void close_loop(Mechanism& mechanism, Random& random, int a, int b) {
  const int joint = mechanism.add({1, true, -1});
  for (int body : {a, b}) {
    const int n = mechanism.nodes[body].n;
    mechanism.constrain(body, joint, random.matrix(1, n, 1.0), random.matrix(1, n, 0.05));
  }
}

// v + omega x r and two components of omega: a hinge about z at r from the centre of a body of six velocities.
inline Matrix hinge(double x, double y, double z) {
  Matrix G = Matrix::Zero(5, 6);
  G.block(0, 0, 3, 3).setIdentity();
  G.block(0, 3, 3, 3) << 0, z, -y, -z, 0, x, y, -x, 0;
  G(3, 3) = G(4, 4) = 1.0;
  return G;
}

// A planar chain of bodies on spatial hinges, both ends on the ground: node 2 i is body i, node 2 i + 1 its hinge, the
// last node closes the loop. Three rows are redundant; three bodies are a four-bar linkage: 18 velocities, 20 rows and
// one degree of freedom, so rank 17. The masses span the given number of decades.
inline Mechanism hinged_loop(Random& random, int bodies, double decades) {
  const double radius = 0.4 * bodies;
  std::vector<double> px;
  std::vector<double> py;
  for (int h = 0; h <= bodies; ++h) {
    px.push_back(radius * std::cos(2.5 * h / bodies) + random.real(-0.2, 0.2));
    py.push_back(radius * std::sin(2.5 * h / bodies) + random.real(-0.2, 0.2));
  }
  Mechanism mechanism;
  for (int h = 0; h <= bodies; ++h) {
    if (h < bodies) {
      const int body = mechanism.add({6, false, -1});
      const Matrix R = random.matrix(6, 6, 0.5);
      const double mass = std::pow(10.0, decades * random.real(-0.5, 0.5));
      mechanism.block(body, body) = mass * (R * R.transpose() + Matrix::Identity(6, 6));
    }
    const int joint = mechanism.add({5, true, h < bodies ? 2 * h : -1});
    for (int i : {h - 1, h}) {
      if (i < 0 || i >= bodies) continue;
      const Matrix G = hinge(px[h] - 0.5 * (px[i] + px[i + 1]), py[h] - 0.5 * (py[i] + py[i + 1]), 0.1);
      mechanism.constrain(2 * i, joint, i == h ? G : -G, Matrix::Zero(5, 6));
    }
  }
  return mechanism;
}

}  // namespace esc::test
