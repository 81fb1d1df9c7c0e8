// The only door to threads. The library starts none; the default runs in the caller's.
#pragma once

#include <functional>

#include <escapement/export.hpp>

namespace esc {

class ESC_API Executor {
 public:
  virtual ~Executor() = default;
  virtual int workers() const = 0;  // >= 1, constant
  // Calls task(i, worker) for i in [0, n) in any order; at any time each worker in [0, workers()) runs at most one.
  virtual void for_each(int n, const std::function<void(int i, int worker)>& task) = 0;
};

ESC_API Executor& serial();

}  // namespace esc
