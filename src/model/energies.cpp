#include <escapement/models/energies.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace esc {

namespace {

// Scratch of the caller: inputs (t, q, v, sq, sv), outputs (M, F), registers.
class EnergyBlocks final : public BlockSource {
 public:
  struct Item {
    ad::LagrangePrograms programs;
    Slot slot;
  };

  void append(Item item) {
    const auto& p = item.programs;
    const int registers =
        std::max({p.mass.registers, p.force.registers, p.dynamics.registers, p.tangent.registers, p.energy.registers});
    scratch_ = std::max(scratch_, inputs(p.n) + outputs(p.n) + registers);
    items_.push_back(std::move(item));
  }

  void mass(const Point& at, double* M) const override {
    for (const auto& [programs, slot] : items_)
      write_matrix(programs.n, slot, run(programs, programs.mass, slot, at), M);
  }

  void force(const Point& at, double* F) const override {
    for (const auto& [programs, slot] : items_)
      std::copy_n(run(programs, programs.force, slot, at), programs.n, F + slot.v0);
  }

  void dynamics(const Point& at, double* M, double* F) const override {
    for (const auto& [programs, slot] : items_) {
      const int n = programs.n;
      const double* out = run(programs, programs.dynamics, slot, at);
      write_matrix(n, slot, out, M);
      std::copy_n(out + n * n, n, F + slot.v0);
    }
  }

  void tangent(const Point& at, double sq, double sv, double* A) const override {
    for (const auto& [programs, slot] : items_) {
      const int n = programs.n;
      at.scratch[2 * n + 1] = sq;
      at.scratch[2 * n + 2] = sv;
      const double* out = run(programs, programs.tangent, slot, at);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) A[slot.a0 + i * slot.stride + j] += out[i * n + j];
    }
  }

  Energy energy(const Point& at) const override {
    Energy sum;
    for (const auto& [programs, slot] : items_) {
      const double* out = run(programs, programs.energy, slot, at);
      sum.kinetic += out[0];
      sum.potential += out[1];
    }
    return sum;
  }

  Power power(const Point& at) const override {
    Power sum;
    for (const auto& [programs, slot] : items_) sum.applied += run(programs, programs.energy, slot, at)[2];
    return sum;
  }

  int scratch_size() const override { return scratch_; }

 private:
  static constexpr int inputs(int n) { return 2 * n + 3; }
  static constexpr int outputs(int n) { return std::max(n * n + n, 3); }

  static const double* run(const ad::LagrangePrograms& programs, const ad::Program& program, const Slot& slot,
                           const Point& at) {
    const int n = programs.n;
    double* in = at.scratch;
    double* out = in + inputs(n);
    in[0] = at.t;
    std::copy_n(at.q + slot.q0, n, in + 1);
    std::copy_n(at.v + slot.v0, n, in + 1 + n);
    program.run(in, out, out + outputs(n));
    return out;
  }

  static void write_matrix(int n, const Slot& slot, const double* from, double* M) {
    for (int i = 0; i < n; ++i) std::copy_n(from + i * n, n, M + slot.a0 + i * slot.stride);
  }

  std::vector<Item> items_;
  int scratch_ = 0;
};

class EnergyLeaf final : public BlockLeaf {
 public:
  explicit EnergyLeaf(ad::LagrangePrograms programs) : programs_(std::move(programs)) {}
  int dofs() const override { return programs_.n; }
  Storage storage() const override { return Storage::dense; }
  int half_bandwidth() const override { return 0; }
  bool constant_mass() const override { return programs_.constant_mass; }
  bool linear() const override { return programs_.linear; }
  void check(const std::string&) const override {}
  std::type_index type() const override { return typeid(EnergyBlocks); }
  std::unique_ptr<BlockSource> new_pool() const override { return std::make_unique<EnergyBlocks>(); }
  void append(BlockSource& pool, const Slot& slot, const std::array<double, 3>&) const override {
    static_cast<EnergyBlocks&>(pool).append({programs_, slot});
  }

 private:
  ad::LagrangePrograms programs_;
};

}  // namespace

std::unique_ptr<BlockLeaf> from_programs(ad::LagrangePrograms programs) {
  return std::make_unique<EnergyLeaf>(std::move(programs));
}

}  // namespace esc
