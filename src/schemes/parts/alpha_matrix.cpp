// The matrix (44) of AlphaMonolithic, with q and v of the end following from the unknowns (41):
//   dq = w h dv~ + d shift,   w = beta / gamma;   dv = dv~ + dW;   h dvdot = c dv~
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
    values += items[k].width * (k < joints ? system_.joints()[k].row_count : contact(static_cast<int>(k - joints)).row_count);
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
      at, kkt_, {motion_.joints(), laws, items_of_law_, motion_.mass()},
      [&](int item, int column, const double* dG, const double* dg_t) {
        if (item < static_cast<int>(joints))
          change_of_joint(item, column, dG, dg_t);
        else
          change_of_contact(item, column, dG, dg_t);
      },
      of_mass);
  if (same) return;
  changes_.visit(
      at, kkt_, {motion_.joints(), normals, items_of_normal_, motion_.mass()},
      [&](int item, int column, const double* dG, const double* dg_t) {
        if (item >= static_cast<int>(joints) && rows_[item - joints].law < 0)
          change_of_contact(item, column, dG, dg_t);
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

void AlphaMonolithic::fill(bool turning) {
  kkt_.clear();
  fill_blocks();
  const int joints = static_cast<int>(system_.joints().size());
  for (int item = 0; item < joints; ++item) fill_joint(item, turning);
  for (std::size_t k = 0; k < rows_.size(); ++k) fill_contact(joints + static_cast<int>(k), turning);
}

// Row i of node a, column j of node b: place = {i, rows of a's levels, j, of b's}.
void AlphaMonolithic::fill_entry(KktFactor::Block to, std::array<int, 4> place, double M, double K, double C) {
  const auto [i, n, j, m] = place;
  const double h = motion_.h();
  to(i, j) += motion_.c() * M + h * C + h * motion_.position_weight() * K;
  to(i, m + j) += h * h * K;
  to(i, 2 * m + j) += h * C;
  to(n + i, m + j) += M;
  to(2 * n + i, 2 * m + j) += M;
}

void AlphaMonolithic::fill_blocks() {
  for (int b = 0; b < static_cast<int>(system_.blocks().size()); ++b) {
    const MatrixBlock& block = system_.blocks()[b];
    if (block.storage == Storage::dense)
      fill_block(block, kkt_.block_node(b));
    else
      fill_band(block);
  }
  for (int k = 0; k < static_cast<int>(system_.couplings().size()); ++k) {
    const Coupling& coupling = system_.couplings()[k];
    const int a = kkt_.block_node(coupling.i), b = kkt_.block_node(coupling.j), edge = kkt_.coupling_edge(k);
    const int n = kkt_.velocities(a), m = kkt_.velocities(b);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) {
        const int up = coupling.upper + i * m + j, down = coupling.lower + j * n + i;
        fill_entry(kkt_.block(a, b, edge), {i, n, j, m}, 0.0, K_[up], C_[up]);
        fill_entry(kkt_.block(b, a, edge), {j, m, i, n}, 0.0, K_[down], C_[down]);
      }
  }
}

void AlphaMonolithic::fill_block(const MatrixBlock& block, int node) {
  const int n = block.n;
  const KktFactor::Block to = kkt_.block(node, node, -1);
  const double h = motion_.h(), wh = motion_.position_weight(), w = wh / h;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const int at = block.a0 + i * n + j;
      fill_entry(to, {i, n, j, n}, motion_.mass()[at], K_[at], C_[at]);
      to(n + i, j) += w * dM_U_[at];
      to(n + i, n + j) += dM_U_[at];
      to(2 * n + i, j) += wh * dM_W_[at];
      to(2 * n + i, n + j) += h * dM_W_[at];
    }
}

void AlphaMonolithic::fill_band(const MatrixBlock& block) {
  int node = kkt_.block_node(static_cast<int>(&block - system_.blocks().data()));
  for (int i = 0; i < block.n; ++i) {  // column i, rows i ... i + half
    if (block.v0 + i == kkt_.first_velocity(node) + kkt_.velocities(node)) ++node;
    const int local = block.v0 + i - kkt_.first_velocity(node), n = kkt_.velocities(node);
    for (int k = 0; k <= block.half && i + k < block.n; ++k) {
      const int at = block.a0 + k * block.n + i;
      const bool next = local + k >= n;
      const int other = next ? node + 1 : node, m = kkt_.velocities(other), row = next ? local + k - n : local + k;
      const int edge = next ? kkt_.next_edge(node) : -1;
      const double M = motion_.mass()[at];
      fill_entry(kkt_.block(other, node, edge), {row, m, local, n}, M, K_[at], C_[at]);
      if (k > 0) fill_entry(kkt_.block(node, other, edge), {local, n, row, m}, M, K_[at], C_[at]);
    }
  }
}

// -weight K dq / h in the rows of a level.
void AlphaMonolithic::add_turning(const KktFactor::Item& item, int level, double weight, const double* K) {
  const auto pieces = kkt_.pieces(item);
  const double w = motion_.position_weight() / motion_.h();
  for (int p = 0; p < item.piece_count; ++p)
    for (int q = 0; q < item.piece_count; ++q) {
      const KktFactor::Piece &a = pieces[p], &b = pieces[q];
      const KktFactor::Block to = kkt_.block(a.node, b.node, kkt_.pair(item, p, q));
      const int n = kkt_.velocities(a.node), m = kkt_.velocities(b.node);
      for (int i = 0; i < a.length; ++i)
        for (int j = 0; j < b.length; ++j) {
          const double value = weight * K[(a.column + i) * item.width + b.column + j];
          to(level * n + a.local + i, b.local + j) -= w * value;
          to(level * n + a.local + i, m + b.local + j) -= value;
        }
    }
}

void AlphaMonolithic::fill_joint(int index, bool turning) {
  const KktFactor::Item& item = kkt_.items()[index];
  const Joint& joint = system_.joints()[index];
  const int r = joint.row_count;
  const double h = motion_.h(), wh = motion_.position_weight(), w = wh / h, on = turning ? 1.0 : 0.0;
  for (const KktFactor::Piece& piece : kkt_.pieces(item)) {
    const KktFactor::Block up = kkt_.block(piece.node, item.node, piece.edge);
    const KktFactor::Block low = kkt_.block(item.node, piece.node, piece.edge);
    const int m = kkt_.velocities(piece.node);
    for (int row = 0; row < r; ++row)
      for (int i = 0; i < piece.length; ++i) {
        const int column = piece.local + i, value = row * item.width + piece.column + i;
        const double g = motion_.joints().G[joint.first_value + value];
        const double T_s = on * T_s_[first_value_[index] + value], T_v = on * T_v_[first_value_[index] + value];
        for (int level = 0; level < KktFactor::levels; ++level) up(level * m + column, level * r + row) -= g;
        low(row, column) += g + wh * T_s;
        low(row, m + column) += h * T_s;
        low(r + row, column) += joint.position ? w * g : 0.0;
        low(r + row, m + column) += g;
        low(2 * r + row, column) += g + wh * T_v;
        low(2 * r + row, m + column) += h * T_v;
        low(2 * r + row, 2 * m + column) += g;
      }
  }
  const int first = first_square_[index];
  add_turning(item, 0, h * h, &H_s_[first]);
  add_turning(item, 1, 1.0, &H_p_[first]);
  add_turning(item, 2, h, &H_v_[first]);
}

void AlphaMonolithic::fill_contact(int index, bool turning) {
  const KktFactor::Item& item = kkt_.items()[index];
  const int k = index - static_cast<int>(system_.joints().size());
  const Row& row = rows_[k];
  const Contact& at = contact(k);
  const ContactSet& set = set_of(k);
  const double h = motion_.h(), wh = motion_.position_weight(), w = wh / h;
  const int laws = row.law >= 0 ? at.row_count : 0;
  const KktFactor::Block own = kkt_.block(item.node, item.node, -1);
  if (!row.in_A) own(0, 0) = 1.0;
  for (int i = 0; i < laws && !row.in_B; ++i) own(1 + i, 1 + i) = 1.0;

  // What sum of the rows (N, T1, T2) of U is in each row of the node.
  double mix[3][3] = {};
  if (row.in_B) mix[0][0] = 1.0;
  for (int a = 1; a < laws && row.friction == Friction::stick; ++a) mix[a][a] = 1.0;
  if (row.friction == Friction::slip) {
    const double P_N = corrections_.contacts().P[at.first_row], bound = at.law.mu * std::max(P_N, 0.0);
    for (int a = 1; a < laws; ++a) {
      own(1 + a, 1) = -at.law.mu * row.direction[a - 1];
      for (int b = 1; b < laws; ++b) {
        const double one = a == b ? 1.0 : 0.0;
        const double D = laws == 3 ? bound * (one - row.direction[a - 1] * row.direction[b - 1]) / row.trial : 0.0;
        own(1 + a, 1 + b) = one - D;
        mix[a][b] = r_ * row.mass * D;
      }
    }
  }
  for (const KktFactor::Piece& piece : kkt_.pieces(item)) {
    const KktFactor::Block up = kkt_.block(piece.node, item.node, piece.edge);
    const KktFactor::Block low = kkt_.block(item.node, piece.node, piece.edge);
    const int m = kkt_.velocities(piece.node);
    for (int i = 0; i < piece.length; ++i) {
      const int column = piece.local + i;
      const auto value = [&](int b) { return b * item.width + piece.column + i; };
      const double N = set.G[at.first_value + value(0)];
      up(m + column, 0) -= N;
      if (row.in_A) {
        low(0, column) += w * N;
        low(0, m + column) += N;
      }
      for (int b = 0; b < laws; ++b) {
        const double g = set.G[at.first_value + value(b)];
        const double T = turning ? T_v_[first_value_[index] + value(b)] : 0.0;
        up(2 * m + column, 1 + b) -= g;
        if (b > 0) up(m + column, 1 + b) -= 0.5 * g;
        for (int a = 0; a < laws; ++a) {
          low(1 + a, column) += mix[a][b] * (g + wh * T);
          low(1 + a, m + column) += mix[a][b] * h * T;
          low(1 + a, 2 * m + column) += mix[a][b] * g;
        }
      }
    }
  }
  add_turning(item, 1, 1.0, &H_p_[first_square_[index]]);
  add_turning(item, 2, h, &H_v_[first_square_[index]]);
}

}  // namespace esc
