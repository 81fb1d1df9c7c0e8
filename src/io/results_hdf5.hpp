// HDF5 in C++: handles that close themselves, and the few kinds of dataset that results files have. Every function
// throws ResultsError naming the file and the dataset.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <hdf5.h>

#include <escapement/io/results.hpp>

#include "src/io/results_width.hpp"

#include "src/io/results_store.hpp"

namespace esc::io {

// No message of HDF5's own is printed by this thread while this lives.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }
  bool ok() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

template <class T>
struct Types;
template <>
struct Types<double> {
  static hid_t memory() { return H5T_NATIVE_DOUBLE; }
  static hid_t file() { return H5T_IEEE_F64LE; }
};
template <>
struct Types<std::int64_t> {
  static hid_t memory() { return H5T_NATIVE_INT64; }
  static hid_t file() { return H5T_STD_I64LE; }
};
template <>
struct Types<std::int32_t> {
  static hid_t memory() { return H5T_NATIVE_INT32; }
  static hid_t file() { return H5T_STD_I32LE; }
};
template <>
struct Types<std::uint32_t> {
  static hid_t memory() { return H5T_NATIVE_UINT32; }
  static hid_t file() { return H5T_STD_U32LE; }
};
template <>
struct Types<std::uint8_t> {
  static hid_t memory() { return H5T_NATIVE_UINT8; }
  static hid_t file() { return H5T_STD_U8LE; }
};

// A dataset of rows that grows.
struct ColumnShape {
  std::string name;  // path
  Width width;
  std::int64_t chunk = 1;            // rows
  std::string unit = {}, what = {};  // attributes; none where empty
};

struct Column {
  ColumnShape shape;
  Handle data;
};

struct RowRange {
  std::int64_t first = 0, count = 0;
};

// How values lie in memory and in the file.
struct TypePair {
  hid_t memory, file;
};

// Link access properties by which HDF5 follows no link into another file.
hid_t own_links();

class File {
 public:
  explicit File(Store& store);  // creates an empty file in a new store, opens the one that is there otherwise
  void flush();                 // into the store
  void close();                 // the same, and the store is complete

  void make_group(const std::string& name);
  bool has(const std::string& name) const;
  void remove(const std::string& name);

  template <class T>
  Column make_column(const ColumnShape& shape) {
    return {shape, make_dataset(shape, Types<T>::file())};
  }
  Column open_column(const std::string& name, Width width) const { return {{name, width}, open_dataset(name)}; }
  template <class T>
  void append(const Column& column, std::int64_t first, const std::vector<T>& values) {
    const auto count = static_cast<std::int64_t>(values.size()) / column.shape.width;
    write_rows(column, {first, count}, Types<T>::memory(), values.data());
  }
  std::int64_t rows(const std::string& name, Width width) const;  // checks the shape
  void set_rows(const Column& column, std::int64_t rows);
  template <class T>
  std::vector<T> read(const std::string& name, Width width, const RowRange& range) const {
    std::vector<T> values(static_cast<std::size_t>(range.count * width));
    if (range.count > 0) read_rows(open_column(name, width), range, Types<T>::memory(), values.data());
    return values;
  }

  // Texts have a fixed length in the file; only that of write_text has several lines. Control characters and marks of
  // direction are neither written nor read. `owner` is a group or dataset.
  void write_text(const std::string& name, std::string_view text);
  std::string read_text(const std::string& name) const;
  void write_texts(const std::string& name, const std::vector<std::string>& texts);
  std::vector<std::string> read_texts(const std::string& name) const;
  void write_numbers(const std::string& name, const std::vector<double>& numbers);
  void set_text(const std::string& owner, const std::string& name, std::string_view text);
  std::string text(const std::string& owner, const std::string& name) const;
  void set_number(const std::string& owner, const std::string& name, double value);
  double number(const std::string& owner, const std::string& name) const;
  void set_integer(const std::string& owner, const std::string& name, std::int64_t value);
  std::int64_t integer(const std::string& owner, const std::string& name) const;

  [[noreturn]] void fail(const std::string& what) const { throw ResultsError(path_, what); }

 private:
  Handle make_dataset(const ColumnShape& shape, hid_t type);
  Handle open_dataset(const std::string& name) const;
  void write_rows(const Column& column, const RowRange& range, hid_t type, const void* from);
  void read_rows(const Column& column, const RowRange& range, hid_t type, void* to) const;
  void set_attribute(const std::string& owner, const std::string& name, const TypePair& type, const void* value);
  void require_printable(const std::string& name, std::string_view text, std::string_view allowed = "") const;
  std::vector<std::string> stored_texts(const std::string& name) const;
  void get_attribute(const std::string& owner, const std::string& name, hid_t type, void* value) const;

  std::string path_;
  Handle file_;
};

}  // namespace esc::io
