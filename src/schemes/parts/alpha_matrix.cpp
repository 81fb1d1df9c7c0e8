// The matrix (44) of AlphaMonolithic, with q and v of the end following from the unknowns (41):
//   dq = w h J dv~ + d shift,   w = beta / gamma;   dv = dv~ + dW;   h dvdot = c dv~
// J = d q~ / dn along retract(q_n, n): one but for rotations. What depends on q is written to the columns of d shift /
// h first; add_way() then adds w J times them to those of dv~.
#include "src/schemes/parts/alpha_monolithic.hpp"

#include <algorithm>

namespace esc {

void AlphaMonolithic::find_changes() {
  const auto items = kkt_.items();
  const std::size_t joints = system_.joints().size();
  int squares = 0, values = 0;
  first_square_.clear();
  first_value_.clear();
  for (std::size_t k = 0; k < items.size(); ++k) {
    first_square_.push_back(squares);
    first_value_.push_back(values);
    squares += items[k].width * items[k].width;
    values +=
        items[k].width * (k < joints ? system_.joints()[k].row_count : contact(static_cast<int>(k - joints)).row_count);
  }
  for (auto* squared : {&H_s_, &H_p_, &H_v_}) squared->assign(static_cast<std::size_t>(squares), 0.0);
  for (auto* as_G : {&T_s_, &T_v_}) as_G->assign(static_cast<std::size_t>(values), 0.0);
  for (auto* blocks : {&K_, &C_}) blocks->assign(static_cast<std::size_t>(system_.tangent_size()), 0.0);
  for (auto* blocks : {&dM_U_, &dM_W_}) blocks->assign(static_cast<std::size_t>(system_.matrix_size()), 0.0);
  const Point& at = motion_.at();
  system_.add_tangent(at, 1.0, 0.0, K_, Part::all);
  system_.add_tangent(at, 0.0, 1.0, C_, Part::all);

  const ContactSet& laws = corrections_.contacts().set;
  const ContactSet& normals = corrections_.positions().normals();
  const bool same = laws.size() == normals.size();
  const auto of_mass = [this](const MatrixBlock& block, int j, const double* dM) { change_of_mass(block, j, dM); };
  for (std::size_t i = 0; i < W_.size(); ++i) W_[i] = motion_.v[i] - motion_.v_tilde[i];
  changes_.visit(
      at, kkt_, {laws, items_of_law_, motion_.mass()},
      [&](int item, int column, const double* dG, const double* dg_t) {
        if (item < static_cast<int>(joints))
          change_of_joint(item, column, dG, dg_t);
        else
          change_of_contact(item, column, dG, dg_t);
      },
      of_mass);
  if (same) return;
  changes_.visit(
      at, kkt_, {normals, items_of_normal_, motion_.mass()},
      [&](int item, int column, const double* dG, const double* dg_t) {
        if (item >= static_cast<int>(joints) && rows_[item - joints].law < 0) change_of_contact(item, column, dG, dg_t);
      },
      [](const MatrixBlock&, int, const double*) {});
}

void AlphaMonolithic::change_of_mass(const MatrixBlock& block, int j, const double* dM) {
  for (int i = 0; i < block.n; ++i)
    for (int k = 0; k < block.n; ++k) {
      const double value = dM[i * block.n + k];
      K_[block.a0 + i * block.n + j] += value * motion_.vdot()[block.v0 + k];
      dM_U_[block.a0 + i * block.n + j] += value * motion_.shift[block.v0 + k];
      dM_W_[block.a0 + i * block.n + j] += value * W_[block.v0 + k];
    }
}

void AlphaMonolithic::change_of_joint(int item, int j, const double* dG, const double* dg_t) {
  const Joint& joint = system_.joints()[item];
  const int width = joint.width, first = first_square_[item];
  for (int row = 0; row < joint.row_count; ++row) {
    const double lambda = motion_.lambda()[joint.first_row + row], nu = motion_.nu[joint.first_row + row],
                 Lambda = motion_.Lambda[joint.first_row + row];
    double smooth = dg_t[row], all = dg_t[row];
    int i = 0;
    for (const Segment& segment : joint.segments)
      for (int v = segment.first; v < segment.first + segment.length; ++v, ++i) {
        const double value = dG[row * width + i];
        H_s_[first + i * width + j] += lambda * value;
        H_p_[first + i * width + j] += nu * value;
        H_v_[first + i * width + j] += Lambda * value;
        smooth += value * motion_.v_tilde[v];
        all += value * motion_.v[v];
      }
    T_s_[first_value_[item] + row * width + j] = smooth;
    T_v_[first_value_[item] + row * width + j] = all;
  }
}

void AlphaMonolithic::change_of_contact(int item, int j, const double* dG, const double* dg_t) {
  const int k = item - static_cast<int>(system_.joints().size());
  const Contact& at = contact(k);
  const bool law = rows_[k].law >= 0;
  const int width = at.width, first = first_square_[item];
  for (int row = 0; row < at.row_count; ++row) {
    const double P = law ? corrections_.contacts().P[at.first_row + row] : 0.0;
    const double nu = row == 0 ? corrections_.positions().tau[k] : 0.5 * motion_.h() * P;
    double all = dg_t[row];
    int i = 0;
    for (const Segment& segment : at.segments)
      for (int v = segment.first; v < segment.first + segment.length; ++v, ++i) {
        const double value = dG[row * width + i];
        H_p_[first + i * width + j] += nu * value;
        H_v_[first + i * width + j] += P * value;
        all += value * motion_.v[v];
      }
    T_v_[first_value_[item] + row * width + j] = all;
  }
}

// J by blocks: one velocity of each at a time.
void AlphaMonolithic::find_way() {
  constexpr double step = RowChanges::step;
  if (system_.nq() == system_.nv()) return;
  J_.assign(static_cast<std::size_t>(system_.matrix_size()), 0.0);
  for (auto* vector : {&n_, &dq_}) vector->resize(system_.nv());
  for (auto* vector : {&q_up_, &q_down_}) vector->resize(system_.nq());
  const auto moved = [&](int j, double by, std::vector<double>& q) {
    n_ = motion_.way();
    for (const MatrixBlock& block : system_.blocks())
      if (j < block.n && block.storage == Storage::dense) n_[block.v0 + j] += by;
    system_.retract(motion_.before().q, n_, q);
  };
  int most = 0;
  for (const MatrixBlock& block : system_.blocks())
    if (block.storage == Storage::dense) most = std::max(most, block.n);
  for (int j = 0; j < most; ++j) {
    moved(j, step, q_up_);
    moved(j, -step, q_down_);
    system_.difference(q_up_, q_down_, dq_);
    for (const MatrixBlock& block : system_.blocks())
      for (int i = 0; i < block.n && j < block.n && block.storage == Storage::dense; ++i)
        J_[block.a0 + i * block.n + j] = dq_[block.v0 + i] / (2.0 * step);
  }
}

void AlphaMonolithic::add_way() {
  const auto add = [&](int node, KktFactor::Block rows, int count) {
    const MatrixBlock& block = system_.blocks()[system_.block_of(kkt_.first_velocity(node))];
    const bool flat = system_.nq() == system_.nv() || block.storage != Storage::dense;
    const int m = kkt_.velocities(node);
    const double w = motion_.position_weight() / motion_.h();
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < m; ++k) {
        const double by_q = w * rows(i, m + k);
        if (by_q == 0.0) continue;
        if (flat) rows(i, k) += by_q;
        for (int j = 0; j < m && !flat; ++j) rows(i, j) += by_q * J_[block.a0 + k * m + j];
      }
  };
  for (int node = 0; node < kkt_.velocity_nodes(); ++node) add(node, kkt_.block(node, node, -1), kkt_.size(node));
  for (int edge = 0; edge < static_cast<int>(kkt_.edges().size()); ++edge) {
    const auto [i, j] = kkt_.edges()[edge];
    add(i, kkt_.block(j, i, edge), kkt_.size(j));
    if (j < kkt_.velocity_nodes()) add(j, kkt_.block(i, j, edge), kkt_.size(i));
  }
}

void AlphaMonolithic::fill(bool turning) {
  kkt_.clear();
  fill_changes(turning);
  add_way();
  fill_rest();
}

// Every entry of the blocks of M, K and C.
template <class F>
void AlphaMonolithic::each_entry(F&& f) {
  for (int b = 0; b < static_cast<int>(system_.blocks().size()); ++b) {
    const MatrixBlock& block = system_.blocks()[b];
    int node = kkt_.block_node(b);
    for (int i = 0; i < block.n && block.storage == Storage::dense; ++i)
      for (int j = 0; j < block.n; ++j) f(Entry{{node, i}, {node, j}, -1, block.a0 + i * block.n + j});
    for (int i = 0; i < block.n && block.storage == Storage::band; ++i) {  // column i, rows i ... i + half
      if (block.v0 + i == kkt_.first_velocity(node) + kkt_.velocities(node)) ++node;
      const int local = block.v0 + i - kkt_.first_velocity(node), n = kkt_.velocities(node);
      for (int k = 0; k <= block.half && i + k < block.n; ++k) {
        const bool next = local + k >= n;
        const Place row = next ? Place{node + 1, local + k - n} : Place{node, local + k};
        const Entry entry{row, {node, local}, next ? kkt_.next_edge(node) : -1, block.a0 + k * block.n + i};
        f(entry);
        if (k > 0) f(Entry{entry.column, entry.row, entry.edge, entry.value});
      }
    }
  }
}

template <class F>
void AlphaMonolithic::each_coupled(F&& f) {
  for (int k = 0; k < static_cast<int>(system_.couplings().size()); ++k) {
    const Coupling& coupling = system_.couplings()[k];
    const int a = kkt_.block_node(coupling.i), b = kkt_.block_node(coupling.j), edge = kkt_.coupling_edge(k);
    const int n = kkt_.velocities(a), m = kkt_.velocities(b);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) {
        f(Entry{{a, i}, {b, j}, edge, coupling.upper + i * m + j});
        f(Entry{{b, j}, {a, i}, edge, coupling.lower + j * n + i});
      }
  }
}

// The columns of d shift / h of all that depends on q.
void AlphaMonolithic::fill_changes(bool turning) {
  const double h = motion_.h();
  const auto stiffness = [&](const Entry& e) {
    const int m = kkt_.velocities(e.column.node);
    kkt_.block(e.row.node, e.column.node, e.edge)(e.row.local, m + e.column.local) += h * h * K_[e.value];
  };
  const auto inertia = [&](const Entry& e) {
    const KktFactor::Block to = kkt_.block(e.row.node, e.column.node, e.edge);
    const int n = kkt_.velocities(e.row.node), m = kkt_.velocities(e.column.node);
    to(n + e.row.local, m + e.column.local) += dM_U_[e.value];
    to(2 * n + e.row.local, m + e.column.local) += h * dM_W_[e.value];
  };
  each_entry(stiffness);
  if (!system_.constant_mass()) each_entry(inertia);
  each_coupled(stiffness);
  const int joints = static_cast<int>(system_.joints().size());
  for (int item = 0; item < joints; ++item) change_joint(item, turning);
  for (std::size_t k = 0; k < rows_.size(); ++k) change_contact(joints + static_cast<int>(k), turning);
}

// -weight K in the rows of a level.
void AlphaMonolithic::add_turning(const KktFactor::Item& item, int level, double weight, const double* K) {
  const auto pieces = kkt_.pieces(item);
  for (int p = 0; p < item.piece_count; ++p)
    for (int q = 0; q < item.piece_count; ++q) {
      const KktFactor::Piece &a = pieces[p], &b = pieces[q];
      const KktFactor::Block to = kkt_.block(a.node, b.node, kkt_.pair(item, p, q));
      const int n = kkt_.velocities(a.node), m = kkt_.velocities(b.node);
      for (int i = 0; i < a.length; ++i)
        for (int j = 0; j < b.length; ++j)
          to(level * n + a.local + i, m + b.local + j) -= weight * K[(a.column + i) * item.width + b.column + j];
    }
}

void AlphaMonolithic::change_joint(int index, bool turning) {
  const KktFactor::Item& item = kkt_.items()[index];
  const Joint& joint = system_.joints()[index];
  const int r = joint.row_count, first = first_square_[index];
  const double h = motion_.h(), by_turning = turning ? h : 0.0;
  for (const KktFactor::Piece& piece : kkt_.pieces(item)) {
    const KktFactor::Block low = kkt_.block(item.node, piece.node, piece.edge);
    const int m = kkt_.velocities(piece.node);
    for (int row = 0; row < r; ++row)
      for (int i = 0; i < piece.length; ++i) {
        const int column = m + piece.local + i, value = row * item.width + piece.column + i;
        low(row, column) += by_turning * T_s_[first_value_[index] + value];
        if (joint.position) low(r + row, column) += motion_.joints().G[joint.first_value + value];
        low(2 * r + row, column) += by_turning * T_v_[first_value_[index] + value];
      }
  }
  add_turning(item, 0, h * h, &H_s_[first]);
  add_turning(item, 1, 1.0, &H_p_[first]);
  add_turning(item, 2, h, &H_v_[first]);
}

void AlphaMonolithic::change_contact(int index, bool turning) {
  const KktFactor::Item& item = kkt_.items()[index];
  const int k = index - static_cast<int>(system_.joints().size());
  const Contact& at = contact(k);
  const ContactSet& set = set_of(k);
  const double h = motion_.h();
  const int laws = rows_[k].law >= 0 && turning ? at.row_count : 0;
  const Mix mix = mix_of(k);
  for (const KktFactor::Piece& piece : kkt_.pieces(item)) {
    const KktFactor::Block low = kkt_.block(item.node, piece.node, piece.edge);
    const int m = kkt_.velocities(piece.node);
    for (int i = 0; i < piece.length; ++i) {
      const int column = m + piece.local + i;
      if (rows_[k].in_A) low(0, column) += set.G[at.first_value + piece.column + i];
      for (int a = 0; a < laws; ++a)
        for (int b = 0; b < laws; ++b)
          low(1 + a, column) += mix[a][b] * h * T_v_[first_value_[index] + b * item.width + piece.column + i];
    }
  }
  add_turning(item, 1, 1.0, &H_p_[first_square_[index]]);
  add_turning(item, 2, h, &H_v_[first_square_[index]]);
}

// The columns of velocities and multipliers.
void AlphaMonolithic::fill_rest() {
  const double h = motion_.h(), c = motion_.c();
  const auto damping = [&](const Entry& e) {
    const KktFactor::Block to = kkt_.block(e.row.node, e.column.node, e.edge);
    const double C = h * C_[e.value];
    to(e.row.local, e.column.local) += C;
    to(e.row.local, 2 * kkt_.velocities(e.column.node) + e.column.local) += C;
  };
  each_entry(damping);
  each_coupled(damping);
  each_entry([&](const Entry& e) {
    const KktFactor::Block to = kkt_.block(e.row.node, e.column.node, e.edge);
    const int n = kkt_.velocities(e.row.node), m = kkt_.velocities(e.column.node);
    const double M = motion_.mass()[e.value];
    to(e.row.local, e.column.local) += c * M;
    to(n + e.row.local, m + e.column.local) += M;
    to(2 * n + e.row.local, 2 * m + e.column.local) += M;
  });
  const int joints = static_cast<int>(system_.joints().size());
  for (int item = 0; item < joints; ++item) fill_joint(item);
  for (std::size_t k = 0; k < rows_.size(); ++k) fill_contact(joints + static_cast<int>(k));
}

void AlphaMonolithic::fill_joint(int index) {
  const KktFactor::Item& item = kkt_.items()[index];
  const Joint& joint = system_.joints()[index];
  const int r = joint.row_count;
  for (const KktFactor::Piece& piece : kkt_.pieces(item)) {
    const KktFactor::Block up = kkt_.block(piece.node, item.node, piece.edge);
    const KktFactor::Block low = kkt_.block(item.node, piece.node, piece.edge);
    const int m = kkt_.velocities(piece.node);
    for (int row = 0; row < r; ++row)
      for (int i = 0; i < piece.length; ++i) {
        const int column = piece.local + i;
        const double g = motion_.joints().G[joint.first_value + row * item.width + piece.column + i];
        for (int level = 0; level < KktFactor::levels; ++level) up(level * m + column, level * r + row) -= g;
        low(row, column) += g;
        if (!joint.position) low(r + row, m + column) += g;
        low(2 * r + row, column) += g;
        low(2 * r + row, 2 * m + column) += g;
      }
  }
}

// Which sum of the rows (N, T1, T2) of U each row of B has: none, its own, or for slip r m mu P_N times the change of
// the direction of P_T - r m U_T.
AlphaMonolithic::Mix AlphaMonolithic::mix_of(int k) const {
  const Row& row = rows_[k];
  Mix mix{};
  if (!row.in_B) return mix;
  const Contact& at = contact(k);
  mix[0][0] = 1.0;
  for (int a = 1; a < at.row_count; ++a) {
    if (row.friction == Friction::stick) mix[a][a] = 1.0;
    for (int b = 1; b < at.row_count && row.friction == Friction::slip; ++b)
      mix[a][b] = r_ * row.mass * change_of_direction(k, a, b);
  }
  return mix;
}

// d(mu P_N y_a / |y|)/dy_b; none in the plane.
double AlphaMonolithic::change_of_direction(int k, int a, int b) const {
  const Row& row = rows_[k];
  const Contact& at = contact(k);
  if (at.row_count < 3) return 0.0;
  const double bound = at.law.mu * std::max(corrections_.contacts().P[at.first_row], 0.0);
  return bound / row.trial * ((a == b ? 1.0 : 0.0) - row.direction[a - 1] * row.direction[b - 1]);
}

void AlphaMonolithic::fill_contact(int index) {
  const KktFactor::Item& item = kkt_.items()[index];
  const int k = index - static_cast<int>(system_.joints().size());
  const Row& row = rows_[k];
  const Contact& at = contact(k);
  const ContactSet& set = set_of(k);
  const int laws = row.law >= 0 ? at.row_count : 0;
  const KktFactor::Block own = kkt_.block(item.node, item.node, -1);
  if (!row.in_A) own(0, 0) = 1.0;
  for (int i = 0; i < laws && !row.in_B; ++i) own(1 + i, 1 + i) = 1.0;
  for (int a = 1; a < laws && row.friction == Friction::slip; ++a) {
    own(1 + a, 1) = -at.law.mu * row.direction[a - 1];
    for (int b = 1; b < laws; ++b) own(1 + a, 1 + b) = (a == b ? 1.0 : 0.0) - change_of_direction(k, a, b);
  }
  const Mix mix = mix_of(k);
  for (const KktFactor::Piece& piece : kkt_.pieces(item)) {
    const KktFactor::Block up = kkt_.block(piece.node, item.node, piece.edge);
    const KktFactor::Block low = kkt_.block(item.node, piece.node, piece.edge);
    const int m = kkt_.velocities(piece.node);
    for (int i = 0; i < piece.length; ++i) {
      const int column = piece.local + i;
      const double* G = &set.G[at.first_value + piece.column + i];
      up(m + column, 0) -= G[0];
      for (int b = 0; b < laws; ++b) {
        const double g = G[b * item.width];
        up(2 * m + column, 1 + b) -= g;
        if (b > 0) up(m + column, 1 + b) -= 0.5 * g;
        for (int a = 0; a < laws; ++a) {
          low(1 + a, column) += mix[a][b] * g;
          low(1 + a, 2 * m + column) += mix[a][b] * g;
        }
      }
    }
  }
}

}  // namespace esc
