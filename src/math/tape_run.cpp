#include <algorithm>
#include <escapement/ad/dual.hpp>
#include <escapement/ad/program.hpp>

#include "src/math/tape_evaluate.hpp"

namespace esc::ad {

void Program::run(const double* in, double* out, double* scratch) const {
  double* const r = scratch;
  // One by one: a wide copy would wait for the caller's narrow writes to leave the store buffer.
  const int loaded = static_cast<int>(loads.size());
  for (int k = 0; k < loaded; ++k) r[k] = in[loads[k]];
  std::copy_n(constants.data(), constants.size(), r + loaded);
  for (const Instruction& i : code) {
    switch (i.op) {
      case Op::add:
        r[i.to] = r[i.a] + r[i.b];
        break;
      case Op::sub:
        r[i.to] = r[i.a] - r[i.b];
        break;
      case Op::mul:
        r[i.to] = r[i.a] * r[i.b];
        break;
      case Op::div:
        r[i.to] = r[i.a] / r[i.b];
        break;
      case Op::neg:
        r[i.to] = -r[i.a];
        break;
      case Op::mul3:
        r[i.to] = (r[i.a] * r[i.b]) * r[i.c];
        break;
      case Op::neg_mul:
        r[i.to] = -(r[i.a] * r[i.b]);
        break;
      case Op::mul_add:
        r[i.to] = r[i.a] * r[i.b] + r[i.c];
        break;
      case Op::mul_sub:
        r[i.to] = r[i.a] * r[i.b] - r[i.c];
        break;
      case Op::sub_mul:
        r[i.to] = r[i.c] - r[i.a] * r[i.b];
        break;
      case Op::mul_add_mul:
        r[i.to] = r[i.a] * r[i.b] + r[i.c] * r[i.d];
        break;
      case Op::mul_sub_mul:
        r[i.to] = r[i.a] * r[i.b] - r[i.c] * r[i.d];
        break;
      case Op::sincos:
        sincos(r[i.a], r[i.to], r[i.b]);
        break;
      case Op::sqrt:
        r[i.to] = std::sqrt(r[i.a]);
        break;
      default:
        r[i.to] = evaluate(i.op, r[i.a], r[i.b], r[i.c]);  // an operand that op lacks is register a again
    }
  }
  for (int k = 0; k < outputs; ++k) out[k] = r[results[k]];
}

}  // namespace esc::ad
