// The HDF5 file driver through which HDF5 reads and writes a Store.
#include <new>

#include "src/io/results_store.hpp"

namespace esc::io {

namespace {

struct DriverFile {
  H5FD_t base;  // HDF5's part stands first
  Store* store;
};

Store& store_of(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file)->store; }
const Store& store_of(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file)->store; }

H5FD_t* open_store(const char*, unsigned, hid_t access, haddr_t) {
  auto* const* store = static_cast<Store* const*>(H5Pget_driver_info(access));
  auto* file = store ? new (std::nothrow) DriverFile{} : nullptr;
  if (!file) return nullptr;
  file->store = *store;
  return &file->base;
}

herr_t close_store(H5FD_t* file) {
  delete reinterpret_cast<DriverFile*>(file);
  return 0;
}

int compare_stores(const H5FD_t* a, const H5FD_t* b) {
  const Store *x = &store_of(a), *y = &store_of(b);
  return x == y ? 0 : (std::less<>{}(x, y) ? -1 : 1);
}

herr_t features(const H5FD_t*, unsigned long* flags) {
  if (flags) *flags = H5FD_FEAT_AGGREGATE_METADATA;
  return 0;
}

haddr_t end_of_allocation(const H5FD_t* file, H5FD_mem_t) { return store_of(file).allocated; }

herr_t set_end_of_allocation(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  store_of(file).allocated = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return store_of(file).end(); }

// HDF5 is C: no exception passes through it.
herr_t read_store(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) try {
  return store_of(file).read(address, static_cast<char*>(buffer), size) ? 0 : -1;
} catch (const std::exception&) {
  return -1;
}

herr_t write_store(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, size_t size, const void* buffer) try {
  return store_of(file).write(address, static_cast<const char*>(buffer), size) ? 0 : -1;
} catch (const std::exception&) {
  return -1;
}

H5FD_class_t driver_class() {
  H5FD_class_t c{};
  c.name = "escapement";
  c.maxaddr = (static_cast<haddr_t>(1) << 62) - 1;
  c.fc_degree = H5F_CLOSE_STRONG;
  c.fapl_size = sizeof(Store*);
  c.open = open_store;
  c.close = close_store;
  c.cmp = compare_stores;
  c.query = features;
  c.get_eoa = end_of_allocation;
  c.set_eoa = set_end_of_allocation;
  c.get_eof = end_of_file;
  c.read = read_store;
  c.write = write_store;
  const H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_SINGLE;
  std::copy(std::begin(map), std::end(map), c.fl_map);
  return c;
}

}  // namespace

hid_t Store::access() const {
  static const H5FD_class_t driver = driver_class();
  static const hid_t id = H5FDregister(&driver);
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  const Store* self = this;
  H5Pset_driver(list, id, &self);
  H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V18);  // metadata with checksums, readable by HDF5 1.8
  H5Pset_meta_block_size(list, 1 << 16);
  H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
  return list;
}

}  // namespace esc::io
