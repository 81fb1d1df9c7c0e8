// Second derivatives of joints, contacts and masses: how their rows and M change with the positions, as small matrices
// by item. One evaluation per colour of the velocities (KktFactor::colours) moves all of one colour along retract();
// no two of them are in one row, so the difference of a row is the change with its own velocity.
//   visit(item, column, dG, dg_t): d(G, g_t) / dq_j of an item, dG its values, row-major
// Differences are good to 1e-7 of the rows: enough for a Newton loop, which judges by residuals.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include <escapement/scratch.hpp>
#include <escapement/system.hpp>

#include "src/model/kkt_factor.hpp"

namespace esc {

class RowChanges {
 public:
  static constexpr double step = 0x1p-26;  // in the unit of the velocity times s

  RowChanges(const System& system, Scratch& scratch)
      : system_(system),
        xi_(scratch.vector(system.nv())),
        q_(scratch.vector(system.nq())),
        M_(scratch.vector(system.matrix_size())),
        values_(scratch.vector()),
        joints_(scratch.joints()),
        contacts_(scratch.contacts()) {}

  struct Rows {  // at the point, as System::evaluate gives them
    const JointSet& joints;
    const ContactSet& contacts;
    std::span<const int> contact_items;  // of KktFactor::items(), by contact
    std::span<const double> M;
  };
  // of_item as above; of_mass(velocity, dM): d/dq of the blocks of that velocity, values as M.
  template <class OfItem, class OfMass>
  void visit(const Point& at, const KktFactor& kkt, const Rows& rows, OfItem of_item, OfMass of_mass) {
    contacts_.contacts = rows.contacts.contacts;
    contacts_.G = rows.contacts.G;
    contacts_.g_t = rows.contacts.g_t;
    M_.assign(rows.M.begin(), rows.M.end());
    for (int colour = 0; colour < kkt.colour_count(); ++colour) {
      move(at, kkt.colours(), colour);
      const Point moved{at.t, q_.data(), at.v, at.u, at.scratch, at.form};
      if (!system_.constant_mass()) {
        system_.mass(moved, M_, Part::varying);
        masses(kkt.colours(), colour, rows.M, of_mass);
      }
      if (system_.joint_rows() > 0) {
        system_.evaluate(moved, joints_);
        for (std::size_t k = 0; k < system_.joints().size(); ++k)
          item(static_cast<int>(k), kkt, colour, system_.joints()[k], rows.joints, joints_, of_item);
      }
      if (contacts_.empty()) continue;
      system_.evaluate(at.t, q_, contacts_);
      for (int k = 0; k < contacts_.size(); ++k) {
        const Contact& contact = rows.contacts.contacts[k];
        if (!turned(contact, contacts_.contacts[k]))
          item(rows.contact_items[k], kkt, colour, contact, rows.contacts, contacts_, of_item);
      }
    }
  }

 private:
  void move(const Point& at, std::span<const int> colours, int colour) {
    for (std::size_t v = 0; v < xi_.size(); ++v) xi_[v] = colours[v] == colour ? step : 0.0;
    system_.retract({at.q, q_.size()}, xi_, q_);
  }

  // Where another axis of the world has begun to direct the tangents, they have jumped.
  static bool turned(const Contact& a, const Contact& b) {
    double cosine = 0.0;
    for (int i = 0; i < 3; ++i) cosine += a.tangent[i] * b.tangent[i];
    return cosine < 0.5;
  }

  template <class Set, class OfItem>
  void item(int index, const KktFactor& kkt, int colour, const RowBlock& block, const Set& rows, const Set& moved,
            OfItem& of_item) {
    int column = 0;
    for (const Segment& segment : block.segments)
      for (int i = 0; i < segment.length; ++i, ++column) {
        if (kkt.colours()[segment.first + i] != colour) continue;
        const int values = block.row_count * block.width;
        values_.resize(static_cast<std::size_t>(values + block.row_count));
        for (int k = 0; k < values; ++k)
          values_[k] = (moved.G[block.first_value + k] - rows.G[block.first_value + k]) / step;
        for (int row = 0; row < block.row_count; ++row)
          values_[values + row] = (moved.g_t[block.first_row + row] - rows.g_t[block.first_row + row]) / step;
        of_item(index, column, values_.data(), values_.data() + values);
      }
  }

  template <class OfMass>
  void masses(std::span<const int> colours, int colour, std::span<const double> M, OfMass& of_mass) {
    for (const MatrixBlock& block : system_.blocks()) {
      if (block.constant_mass || block.storage != Storage::dense) continue;
      for (int i = 0; i < block.n; ++i) {
        if (colours[block.v0 + i] != colour) continue;
        values_.resize(static_cast<std::size_t>(block.values()));
        for (int k = 0; k < block.values(); ++k) values_[k] = (M_[block.a0 + k] - M[block.a0 + k]) / step;
        of_mass(block, i, values_.data());
      }
    }
  }

  const System& system_;
  std::vector<double>&xi_, &q_, &M_, &values_;
  JointSet& joints_;
  ContactSet& contacts_;
};

}  // namespace esc
