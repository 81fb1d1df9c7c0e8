// Second derivatives of joints, contacts and masses: how their rows and M change with the positions, as small matrices
// by item. Two evaluations per colour of the velocities (KktFactor::colours) move all of one colour forth and back
// along retract(); no two of them are in one row, so the difference of a row is the change with its own velocity.
//   visit(item, column, dG, dg_t): d(G, g_t) / dq_j of an item, dG its values, row-major
// Differences are good to 1e-9 of the rows: enough for a Newton loop, which judges by residuals.
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
  static constexpr double step = 0x1p-20;  // in the unit of the velocity times s

  RowChanges(const System& system, Scratch& scratch)
      : system_(system),
        xi_(scratch.vector(system.nv())),
        q_(scratch.vector(system.nq())),
        values_(scratch.vector()),
        up_{scratch.joints(), scratch.contacts(), scratch.vector()},
        down_{scratch.joints(), scratch.contacts(), scratch.vector()} {}

  struct Rows {  // at the point, as System::evaluate gives them
    const ContactSet& contacts;
    std::span<const int> contact_items;  // of KktFactor::items(), by contact
    std::span<const double> M;
  };
  // of_item as above; of_mass(block, i, dM): d/dq of a block of M with its velocity i, values as M.
  template <class OfItem, class OfMass>
  void visit(const Point& at, const KktFactor& kkt, const Rows& rows, OfItem of_item, OfMass of_mass) {
    for (Side* side : {&up_, &down_}) {
      side->contacts.contacts = rows.contacts.contacts;
      side->contacts.G = rows.contacts.G;
      side->contacts.g_t = rows.contacts.g_t;
      side->M.assign(rows.M.begin(), rows.M.end());
    }
    for (int colour = 0; colour < kkt.colour_count(); ++colour) {
      evaluate(at, kkt.colours(), colour, step, up_);
      evaluate(at, kkt.colours(), colour, -step, down_);
      if (!system_.constant_mass()) masses(kkt.colours(), colour, of_mass);
      for (std::size_t k = 0; k < system_.joints().size(); ++k)
        item(static_cast<int>(k), kkt.colours(), colour, system_.joints()[k], up_.joints, down_.joints, of_item);
      for (int k = 0; k < rows.contacts.size(); ++k)
        if (!turned(up_.contacts.contacts[k], down_.contacts.contacts[k]))
          item(rows.contact_items[k], kkt.colours(), colour, rows.contacts.contacts[k], up_.contacts, down_.contacts,
               of_item);
    }
  }

 private:
  struct Side {
    JointSet& joints;
    ContactSet& contacts;
    std::vector<double>& M;
  };

  void evaluate(const Point& at, std::span<const int> colours, int colour, double by, Side& side) {
    for (std::size_t v = 0; v < xi_.size(); ++v) xi_[v] = colours[v] == colour ? by : 0.0;
    system_.retract({at.q, q_.size()}, xi_, q_);
    const Point moved{at.t, q_.data(), at.v, at.u, at.scratch, at.form};
    if (!system_.constant_mass()) system_.mass(moved, side.M, Part::varying);
    if (system_.joint_rows() > 0) system_.evaluate(moved, side.joints);
    if (!side.contacts.empty()) system_.evaluate(at.t, q_, side.contacts);
  }

  // Where another axis of the world has begun to direct the tangents, they have jumped.
  static bool turned(const Contact& a, const Contact& b) {
    double cosine = 0.0;
    for (int i = 0; i < 3; ++i) cosine += a.tangent[i] * b.tangent[i];
    return cosine < 0.5;
  }

  template <class Set, class OfItem>
  void item(int index, std::span<const int> colours, int colour, const RowBlock& block, const Set& up, const Set& down,
            OfItem& of_item) {
    int column = 0;
    for (const Segment& segment : block.segments)
      for (int i = 0; i < segment.length; ++i, ++column) {
        if (colours[segment.first + i] != colour) continue;
        const int values = block.row_count * block.width;
        values_.resize(static_cast<std::size_t>(values + block.row_count));
        for (int k = 0; k < values; ++k) {
          const int at = block.first_value + k;
          values_[k] = (up.G[at] - down.G[at]) / (2.0 * step);
        }
        for (int row = 0; row < block.row_count; ++row) {
          const int at = block.first_row + row;
          values_[values + row] = (up.g_t[at] - down.g_t[at]) / (2.0 * step);
        }
        return of_item(index, column, values_.data(), values_.data() + values);  // a velocity may stand twice in a row
      }
  }

  template <class OfMass>
  void masses(std::span<const int> colours, int colour, OfMass& of_mass) {
    for (const MatrixBlock& block : system_.blocks()) {
      if (block.constant_mass || block.storage != Storage::dense) continue;
      for (int i = 0; i < block.n; ++i) {
        if (colours[block.v0 + i] != colour) continue;
        values_.resize(static_cast<std::size_t>(block.values()));
        for (int k = 0; k < block.values(); ++k)
          values_[k] = (up_.M[block.a0 + k] - down_.M[block.a0 + k]) / (2.0 * step);
        of_mass(block, i, values_.data());
      }
    }
  }

  const System& system_;
  std::vector<double>&xi_, &q_, &values_;
  Side up_, down_;
};

}  // namespace esc
