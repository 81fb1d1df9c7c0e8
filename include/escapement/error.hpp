// Exceptions are thrown only while a model, an option or a file is read and compiled; a running scheme reports a
// status.
#pragma once

#include <stdexcept>
#include <string>

#include <escapement/export.hpp>

namespace esc {

// what() reads "<item>: <what is wrong>; <what is allowed>".
class ESC_API ModelError : public std::runtime_error {
 public:
  ModelError(const std::string& item, const std::string& message);
  const std::string& item() const { return item_; }

 private:
  std::string item_;
};

class ESC_API OptionError : public std::invalid_argument {
 public:
  OptionError(const std::string& option, const std::string& message);
  const std::string& option() const { return option_; }

 private:
  std::string option_;
};

}  // namespace esc
