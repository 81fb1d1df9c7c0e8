// A program outside this project: one contact, 0 <= u = 2 p - 1 _|_ p >= 0, whose solution is p = 1/2.
#include <vector>

#include <escapement/cone_problem.hpp>

int main() {
  esc::ConeProblem problem;
  problem.cones = {{.kind = esc::ConeKind::positive}};
  problem.W = esc::DenseW{{2.0}};
  problem.b = {-1.0};
  const double right = esc::residual(problem, std::vector<double>{0.5});
  const double wrong = esc::residual(problem, std::vector<double>{0.0});
  return right == 0.0 && wrong > 0.1 ? 0 : 1;
}
