// Composite: the Method of a scheme that holds one other scheme, such as halve. Its author writes advance(), which
// calls inner().step() and copies the report: it carries the promise of the inner equations.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include <escapement/method.hpp>
#include <escapement/schemes/registry.hpp>

namespace esc {

class Composite : public Method {
 public:
  explicit Composite(std::unique_ptr<Scheme> inner) : inner_(std::move(inner)) {}
  Composite(const SchemeChoice& choice, const System& system, Executor& executor)
      : Composite(make_scheme(choice.scheme, system, choice.options, executor)) {}

  std::span<Scheme* const> holds() const final { return {&held_, 1}; }

 protected:
  Scheme& inner() { return *inner_; }

 private:
  std::unique_ptr<Scheme> inner_;
  Scheme* held_ = inner_.get();
};

// What is known of the scheme that a composite with this choice holds; the composite changes what it does otherwise.
inline SchemeTraits inner_traits(const SchemeChoice& choice) { return scheme_traits(choice.scheme, choice.options); }

}  // namespace esc
