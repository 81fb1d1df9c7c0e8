#include "src/io/results_hdf5.hpp"

#include <algorithm>

namespace esc::io {

namespace {

Handle simple_space(std::vector<hsize_t> size) {
  return {size.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(size.size()), size.data(), nullptr),
          H5Sclose};
}

std::vector<hsize_t> dimensions(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = space.ok() ? H5Sget_simple_extent_ndims(space) : -1;
  std::vector<hsize_t> size(static_cast<std::size_t>(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space, size.data(), nullptr);
  return size;
}

// Whether the bytes in the file can be so many values: deflate shrinks to a thousandth at most. A size without its
// bytes would be read as zeros, and eat the memory.
bool can_hold(hid_t dataset, const std::vector<hsize_t>& size) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  double bytes = type.ok() ? static_cast<double>(H5Tget_size(type)) : 0.0;
  for (const hsize_t n : size) bytes *= static_cast<double>(n);
  return bytes <= 1100.0 * static_cast<double>(H5Dget_storage_size(dataset));
}

std::vector<hsize_t> shape_of(std::int64_t rows, Width width) {
  std::vector<hsize_t> size{static_cast<hsize_t>(rows)};
  if (width.vector) size.push_back(static_cast<hsize_t>(width.count));
  return size;
}

// Some rows of a dataset.
Handle row_space(const Column& column, const RowRange& range) {
  Handle space(H5Dget_space(column.data), H5Sclose);
  const auto size = shape_of(range.count, column.shape.width);
  std::vector<hsize_t> start(size.size(), 0);
  start[0] = static_cast<hsize_t>(range.first);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
  return space;
}

herr_t refuse_file(const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) { return -1; }

hid_t without_other_files(hid_t kind) {
  const hid_t list = H5Pcreate(kind);
  H5Pset_elink_cb(list, refuse_file, nullptr);
  return list;
}

// Whether a dataset has its values in its own file. Virtual and external ones name others, which reading would open.
bool stands_here(hid_t dataset) {
  const Handle list(H5Dget_create_plist(dataset), H5Pclose);
  return list.ok() && H5Pget_layout(list) != H5D_VIRTUAL && H5Pget_external_count(list) == 0;
}

}  // namespace

hid_t own_links() {
  static const hid_t list = without_other_files(H5P_LINK_ACCESS);
  return list;
}

File::File(Store& store) : path_(store.path()) {
  const Handle access(store.access(), H5Pclose);
  if (store.fresh()) {
    file_ = Handle(H5Fcreate(path_.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, access), H5Fclose);
    if (!file_.ok()) fail("HDF5 cannot create it");
    return;
  }
  file_ = Handle(H5Fopen(path_.c_str(), store.writable() ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access), H5Fclose);
  if (!file_.ok()) fail("this is not an HDF5 file, or it is damaged or cut short");
}

void File::flush() {
  if (H5Fflush(file_, H5F_SCOPE_LOCAL) < 0) fail("HDF5 cannot write to it");
}

void File::close() { file_ = Handle(); }

void File::make_group(const std::string& name) {
  const Handle group(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!group.ok()) fail("the group " + name + " cannot be created");
}

bool File::has(const std::string& name) const {
  for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1))
    if (H5Lexists(file_, name.substr(0, slash).c_str(), own_links()) <= 0) return false;
  return H5Lexists(file_, name.c_str(), own_links()) > 0;
}

void File::remove(const std::string& name) {
  if (H5Ldelete(file_, name.c_str(), H5P_DEFAULT) < 0) fail("the group " + name + " cannot be removed");
}

Handle File::make_dataset(const ColumnShape& shape, hid_t type) {
  auto size = shape_of(0, shape.width), most = size, chunk = shape_of(shape.chunk, shape.width);
  most[0] = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data()), H5Sclose);
  const Handle list(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data());
  if (H5Tget_size(type) > 1) H5Pset_shuffle(list);
  H5Pset_deflate(list, 1);
  H5Pset_fletcher32(list);
  Handle column(H5Dcreate2(file_, shape.name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT), H5Dclose);
  if (!column.ok()) fail("the dataset " + shape.name + " cannot be created");
  if (!shape.unit.empty()) set_text(shape.name, "unit", shape.unit);
  if (!shape.what.empty()) set_text(shape.name, "what", shape.what);
  return column;
}

void File::write_rows(const Column& column, const RowRange& range, hid_t type, const void* from) {
  if (range.count == 0) return;
  const Width width = column.shape.width;
  bool ok = H5Dset_extent(column.data, shape_of(range.first + range.count, width).data()) >= 0;
  if (ok) {
    const Handle rows = row_space(column, range), memory = simple_space(shape_of(range.count, width));
    ok = H5Dwrite(column.data, type, memory, rows, H5P_DEFAULT, from) >= 0;
  }
  if (!ok) fail("the dataset " + column.shape.name + " cannot be written");
}

Handle File::open_dataset(const std::string& name) const {
  static const hid_t access = without_other_files(H5P_DATASET_ACCESS);
  Handle column(H5Dopen2(file_, name.c_str(), access), H5Dclose);
  if (!column.ok()) fail("the dataset " + name + " is missing or damaged");
  if (!stands_here(column)) fail("the dataset " + name + " has its values in another file, which is not opened");
  return column;
}

std::int64_t File::rows(const std::string& name, Width width) const {
  const Handle column = open_dataset(name);
  const auto size = dimensions(column);
  const bool fits =
      size.size() == (width.vector ? 2u : 1u) && (!width.vector || size[1] == static_cast<hsize_t>(width.count));
  if (!fits || size[0] > (hsize_t{1} << 48)) fail("the dataset " + name + " does not have the shape it must have");
  if (!can_hold(column, size)) fail("the dataset " + name + " is damaged: it has more rows than the file has room for");
  return static_cast<std::int64_t>(size[0]);
}

void File::set_rows(const Column& column, std::int64_t rows) {
  if (H5Dset_extent(column.data, shape_of(rows, column.shape.width).data()) < 0)
    fail("the dataset " + column.shape.name + " cannot be cut");
}

void File::read_rows(const Column& column, const RowRange& range, hid_t type, void* to) const {
  const std::string& name = column.shape.name;
  const Handle stored(H5Dget_type(column.data), H5Tclose);
  if (H5Tget_class(stored) != H5Tget_class(type)) fail("the dataset " + name + " holds values of another type");
  const Handle rows = row_space(column, range), memory = simple_space(shape_of(range.count, column.shape.width));
  if (H5Dread(column.data, type, memory, rows, H5P_DEFAULT, to) < 0)
    fail("the dataset " + name + " is damaged: it cannot be read");
}

}  // namespace esc::io
