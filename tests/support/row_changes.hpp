// The second derivatives of joints and contacts that RowChanges finds by differences, as products with vectors: against
// the exact ones of the sources.
#pragma once

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "src/schemes/parts/row_changes.hpp"
#include "tests/support/differences.hpp"

namespace esc::testing {

struct RowProducts {
  Vector stiffness;           // d(G^T lambda)/dq w of all joints
  Vector joint_rates, rates;  // d(G v + g_t)/dq v by rows of joints and of contacts
};

inline RowProducts row_products(const System& system, Here here, const ContactSet& set, const Vector& lambda,
                                const Vector& w) {
  KktFactor kkt(system);
  std::vector<KktFactor::ContactNode> nodes;
  std::vector<int> items;
  const int joints_before = static_cast<int>(system.joints().size());
  for (const Contact& contact : set.contacts) {
    items.push_back(joints_before + static_cast<int>(nodes.size()));
    nodes.push_back({contact.key.pair, contact.row_count});
  }
  EXPECT_TRUE(kkt.shape(nodes));
  Scratch scratch;
  RowChanges changes(system, scratch);
  Vector M(system.matrix_size());
  system.mass(here.point(), M, Part::all);
  RowProducts out{Vector(system.nv(), 0.0), Vector(system.joint_rows(), 0.0), Vector(set.rows(), 0.0)};
  changes.visit(
      here.point(), kkt, {set, items, M},
      [&](int item, int column, const double* dG, const double* dg_t) {
        const bool of_joint = item < joints_before;
        const RowBlock& block = of_joint ? static_cast<const RowBlock&>(system.joints()[item])
                                         : static_cast<const RowBlock&>(set.contacts[item - joints_before]);
        std::vector<int> velocities;
        for (const Segment& segment : block.segments)
          for (int i = 0; i < segment.length; ++i) velocities.push_back(segment.first + i);
        const int moved = velocities[column];
        for (int row = 0; row < block.row_count; ++row) {
          double rate = dg_t[row];
          for (int i = 0; i < block.width; ++i) {
            rate += dG[row * block.width + i] * here.v[velocities[i]];
            if (of_joint)
              out.stiffness[velocities[i]] += lambda[block.first_row + row] * dG[row * block.width + i] * w[moved];
          }
          (of_joint ? out.joint_rates : out.rates)[block.first_row + row] += rate * here.v[moved];
        }
      },
      [](const MatrixBlock&, int, const double*) {});
  return out;
}

inline void expect_joint_changes(const System& system, Here here) {
  const Vector lambda = random_vector(system.joint_rows(), 1.0, 77), w = random_vector(system.nv(), 1.0, 78);
  const RowProducts is = row_products(system, here, {}, lambda, w);
  Vector stiffness(system.nv(), 0.0), curvature(system.joint_rows());
  system.add_joint_stiffness(here.point(), lambda, w, stiffness);
  expect_near(is.stiffness, stiffness, 1e-6, "changes of G^T lambda");
  system.joint_curvature(here.point(), curvature);
  const Vector in_time = slope([&](double s) {
    Here later = here;
    later.t += s;
    return joint_velocities(system, later);
  });
  for (std::size_t i = 0; i < curvature.size(); ++i) curvature[i] -= in_time[i];
  expect_near(is.joint_rates, curvature, 1e-6, "changes of G v + g_t");
}

}  // namespace esc::testing
