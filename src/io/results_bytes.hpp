// Plain values as bytes, for the checkpoints of a results file.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>

#include <escapement/options.hpp>

namespace esc::io {

// Plain values one after the other.
struct ByteWriter {
  std::string& bytes;
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const char* from = reinterpret_cast<const char*>(&value);
    bytes.append(from, sizeof value);
  }
};

struct ByteReader {
  const char* at;
  const char* end;
  bool ok = true;  // false: the bytes were too few, or a value does not exist
  template <class T>
  void operator()(T& value) {
    if (static_cast<std::size_t>(end - at) < sizeof value) {
      ok = false;
      return;
    }
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
  }
  // A value of a field table: a file must not bring in choices that do not exist.
  template <class T>
  void operator()(T& value, const FieldRow& row) {
    T read = value;
    (*this)(read);
    if (!row.names.empty() && static_cast<std::size_t>(read) >= row.names.size()) ok = false;
    if (ok) value = read;
  }
};

}  // namespace esc::io
