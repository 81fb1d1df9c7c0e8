// Expressions as a straight list of instructions: plain data, copyable, no pointers to the tape.
#pragma once

#include <span>
#include <vector>

#include <escapement/ad/expr.hpp>
#include <escapement/export.hpp>

namespace esc::ad {

// registers[to] = op(registers[a], registers[b], ...); sincos writes the sine to `to` and the cosine to `b`.
struct Instruction {
  Op op;
  int to, a, b, c, d;
};

// Registers: the inputs that are needed, then the constants, then temporaries, which are used again once their last
// reader has run.
struct ESC_API Program {
  int inputs = 0;          // doubles read by run
  int outputs = 0;         // doubles written by run
  int registers = 0;       // doubles of scratch, contents on entry do not matter
  std::vector<int> loads;  // which input each of the first registers holds
  std::vector<double> constants;
  std::vector<Instruction> code;
  std::vector<int> results;  // the register of each output

  // No allocation, no state: many threads may run one program, each with registers of its own. Outputs may not
  // overlap the registers; singular arguments give infinity or NaN as IEEE arithmetic has it.
  void run(const double* in, double* out, double* scratch) const;
};

// The outputs as functions of the inputs, in this order. Throws std::invalid_argument if an output needs an input that
// is not listed or lives on another tape.
ESC_API Program compile(std::span<const Expr> inputs, std::span<const Expr> outputs);

}  // namespace esc::ad
