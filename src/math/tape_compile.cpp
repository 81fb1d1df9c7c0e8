#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <stdexcept>
#include <string>

#include <escapement/ad/program.hpp>

namespace esc::ad {

namespace {

// What an instruction reads; -1: nothing.
std::array<int, 4> read_by(const Instruction& i) { return {i.a, i.op == Op::sincos ? -1 : i.b, i.c, i.d}; }

// Instructions first name nodes in to, a, b, c, d (-1: none); then registers.
class Compiler {
 public:
  Compiler(std::span<const Expr> inputs, std::span<const Expr> outputs);
  Program program();

 private:
  void count_uses();
  void pair_sines();
  void fuse();
  void list_instructions();
  void place_inputs();
  void assign_registers();
  int constant_register(double value);
  bool is_single_product(int index) const { return tape_->node(index).op == Op::mul && uses_[index] == 1; }
  Instruction fused_sum(const Node& n, int index) const;

  std::span<const Expr> inputs_, outputs_;
  Tape* tape_ = nullptr;
  std::vector<int> uses_;           // by live nodes and outputs
  std::vector<bool> no_code_;       // computed as a part of another instruction
  std::vector<Instruction> fused_;  // by node; op constant: not fused
  std::vector<int> register_;       // by node
  std::map<std::uint64_t, int> constants_;
  Program p_;
};

Compiler::Compiler(std::span<const Expr> inputs, std::span<const Expr> outputs) : inputs_(inputs), outputs_(outputs) {
  for (std::span<const Expr> list : {inputs, outputs}) {
    for (const Expr& e : list) {
      if (e.is_constant()) continue;
      if (tape_ != nullptr && tape_ != e.tape())
        throw std::invalid_argument("the inputs and outputs of a program were recorded on two different tapes");
      tape_ = e.tape();
    }
  }
  const int size = tape_ == nullptr ? 0 : tape_->size();
  uses_.assign(size, 0);
  no_code_.assign(size, false);
  fused_.assign(size, {Op::constant, -1, -1, -1, -1, -1});
  register_.assign(size, -1);
  p_.inputs = static_cast<int>(inputs.size());
  p_.outputs = static_cast<int>(outputs.size());
}

Program Compiler::program() {
  count_uses();
  pair_sines();
  fuse();
  list_instructions();
  place_inputs();
  assign_registers();
  return p_;
}

void Compiler::count_uses() {
  for (const Expr& e : outputs_)
    if (!e.is_constant()) ++uses_[e.index()];
  for (int i = static_cast<int>(uses_.size()) - 1; i >= 0; --i) {
    const Node& n = tape_->node(i);
    const int count = uses_[i] > 0 ? arity(n.op) : 0;
    if (count > 0) ++uses_[n.a];
    if (count > 1) ++uses_[n.b];
    if (count > 2) ++uses_[n.c];
  }
}

void Compiler::pair_sines() {
  std::map<int, std::array<int, 2>> by_argument;  // sine, cosine
  for (int i = 0; i < static_cast<int>(uses_.size()); ++i) {
    const Node& n = tape_->node(i);
    if (uses_[i] == 0 || (n.op != Op::sin && n.op != Op::cos)) continue;
    by_argument.try_emplace(n.a, std::array{-1, -1}).first->second[n.op == Op::cos] = i;
  }
  for (const auto& [argument, pair] : by_argument) {
    if (pair[0] < 0 || pair[1] < 0) continue;
    const int first = std::min(pair[0], pair[1]), later = std::max(pair[0], pair[1]);
    fused_[first] = {Op::sincos, pair[0], argument, pair[1], -1, -1};
    no_code_[later] = true;
  }
}

// A product with one reader, which adds, subtracts, negates or multiplies it, becomes a part of that reader; the
// roundings stay the same. Readers are visited last to first and a product that became a part takes no parts itself.
void Compiler::fuse() {
  for (int i = static_cast<int>(uses_.size()) - 1; i >= 0; --i) {
    const Node& n = tape_->node(i);
    if (uses_[i] == 0 || no_code_[i]) continue;
    if (n.op == Op::add || n.op == Op::sub) {
      fused_[i] = fused_sum(n, i);
    } else if (n.op == Op::neg && is_single_product(n.a)) {
      fused_[i] = {Op::neg_mul, i, tape_->node(n.a).a, tape_->node(n.a).b, -1, -1};
    } else if (n.op == Op::mul && is_single_product(n.a)) {
      fused_[i] = {Op::mul3, i, tape_->node(n.a).a, tape_->node(n.a).b, n.b, -1};
    } else if (n.op == Op::mul && is_single_product(n.b)) {
      fused_[i] = {Op::mul3, i, tape_->node(n.b).a, tape_->node(n.b).b, n.a, -1};
    }
    if (fused_[i].op == Op::constant || fused_[i].op == Op::sincos) continue;
    if (fused_[i].op == Op::mul3) {
      no_code_[is_single_product(n.a) ? n.a : n.b] = true;
      continue;
    }
    if (is_single_product(n.a)) no_code_[n.a] = true;
    if (arity(n.op) > 1 && is_single_product(n.b)) no_code_[n.b] = true;
  }
}

Instruction Compiler::fused_sum(const Node& n, int index) const {
  const bool plus = n.op == Op::add;
  const Node& a = tape_->node(n.a);
  const Node& b = tape_->node(n.b);
  if (is_single_product(n.a) && is_single_product(n.b))
    return {plus ? Op::mul_add_mul : Op::mul_sub_mul, index, a.a, a.b, b.a, b.b};
  if (is_single_product(n.a)) return {plus ? Op::mul_add : Op::mul_sub, index, a.a, a.b, n.b, -1};
  if (is_single_product(n.b)) return {plus ? Op::mul_add : Op::sub_mul, index, b.a, b.b, n.a, -1};
  return {Op::constant, -1, -1, -1, -1, -1};
}

void Compiler::list_instructions() {
  for (int i = 0; i < static_cast<int>(uses_.size()); ++i) {
    const Node& n = tape_->node(i);
    if (uses_[i] == 0 || no_code_[i] || arity(n.op) == 0) continue;
    p_.code.push_back(fused_[i].op != Op::constant ? fused_[i] : Instruction{n.op, i, n.a, n.b, n.c, -1});
  }
}

void Compiler::place_inputs() {
  for (int k = 0; k < p_.inputs; ++k) {
    if (inputs_[k].is_constant() || tape_->node(inputs_[k].index()).op != Op::input)
      throw std::invalid_argument("an input of a program must be an input of the tape, not an expression");
    const int node = inputs_[k].index();
    if (uses_[node] == 0 || register_[node] >= 0) continue;
    register_[node] = static_cast<int>(p_.loads.size());
    p_.loads.push_back(k);
  }
  for (int i = 0; i < static_cast<int>(uses_.size()); ++i) {
    const Node& n = tape_->node(i);
    if (uses_[i] > 0 && n.op == Op::input && register_[i] < 0)
      throw std::invalid_argument("an output depends on input " + std::to_string(n.a) +
                                  " of the tape, which is not among the inputs of the program");
  }
}

int Compiler::constant_register(double value) {
  const int next = static_cast<int>(p_.loads.size() + p_.constants.size());
  const auto [at, is_new] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value), next);
  if (is_new) p_.constants.push_back(value);
  return at->second;
}

void Compiler::assign_registers() {
  for (const Instruction& i : p_.code)
    for (int operand : read_by(i))
      if (operand >= 0 && tape_->node(operand).op == Op::constant)
        register_[operand] = constant_register(tape_->node(operand).value);
  for (const Expr& e : outputs_)
    if (e.is_constant()) constant_register(e.constant());
  p_.registers = static_cast<int>(p_.loads.size() + p_.constants.size());

  std::vector<int> last_reader(uses_.size(), -1);
  for (int k = 0; k < static_cast<int>(p_.code.size()); ++k)
    for (int operand : read_by(p_.code[k]))
      if (operand >= 0) last_reader[operand] = k;
  for (const Expr& e : outputs_)
    if (!e.is_constant()) last_reader[e.index()] = static_cast<int>(p_.code.size());

  std::vector<int> free;
  const auto release = [&](int node, int k) {
    if (node < 0 || last_reader[node] != k || arity(tape_->node(node).op) == 0) return;
    free.push_back(register_[node]);
    last_reader[node] = -1;  // an operand may occur twice in one instruction
  };
  const auto occupy = [&](int node) {
    if (free.empty()) free.push_back(p_.registers++);
    register_[node] = free.back();
    free.pop_back();
  };
  for (int k = 0; k < static_cast<int>(p_.code.size()); ++k) {
    Instruction& i = p_.code[k];
    const Instruction named = i;
    const bool is_pair = named.op == Op::sincos;
    i.a = register_[named.a];
    if (!is_pair) i.b = named.b < 0 ? i.a : register_[named.b];
    i.c = named.c < 0 ? i.a : register_[named.c];
    i.d = named.d < 0 ? i.a : register_[named.d];
    for (int operand : read_by(named)) release(operand, k);
    occupy(named.to);
    i.to = register_[named.to];
    if (!is_pair) continue;
    occupy(named.b);
    i.b = register_[named.b];
  }
  for (const Expr& e : outputs_)
    p_.results.push_back(e.is_constant() ? constant_register(e.constant()) : register_[e.index()]);
}

}  // namespace

Program compile(std::span<const Expr> inputs, std::span<const Expr> outputs) {
  return Compiler(inputs, outputs).program();
}

}  // namespace esc::ad
