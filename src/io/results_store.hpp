// The bytes of a results file. HDF5 changes its metadata in place, in many small writes: a program that is killed
// between two of them, or a disk that is full, would leave a file that cannot be read. Here all that HDF5 writes stays
// in memory until commit(), which is all or nothing:
//   1. bytes beyond the old end of the file are written; the old superblock does not know of them yet;
//   2. the changed pages of the old part are appended as a journal, with a checksum;
//   3. the pages are written to their places, and the journal is cut off.
// A file that ends in a valid journal was stopped in 3: whoever opens it here reads through the journal. The order of
// the writes is kept by the operating system when the process dies; nothing is promised for a loss of power. Whoever
// reads a file that a run is writing reads a copy, made between two commits.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <hdf5.h>

namespace esc::io {

class Store {
 public:
  enum class Mode : std::uint8_t { create, overwrite, append, read };

  // A new file is not seen under its name before the first commit. Throws ResultsError.
  Store(std::string path, Mode mode);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  bool read(std::uint64_t address, char* to, std::uint64_t size) const;
  bool write(std::uint64_t address, const char* from, std::uint64_t size);
  // Throws ResultsError; the file is then as it was after the last commit.
  void commit();

  const std::string& path() const { return path_; }
  bool writable() const { return mode_ != Mode::read; }
  bool fresh() const { return mode_ == Mode::create || mode_ == Mode::overwrite; }  // not opened but made
  std::uint64_t end() const { return committed_ + tail_.size(); }                   // of the bytes there are
  std::uint64_t allocated = 0;                                                      // end of what HDF5 has given out
  std::function<void()> before_call = [] {};  // asked before every call that changes the file

  hid_t access() const;  // file access properties with which HDF5 opens this store; the caller closes them

 private:
  static constexpr std::uint64_t page_size = 4096;
  using Page = std::array<char, page_size>;

  void check_free();
  void create_temporary();
  void give_name();
  bool replace_file();
  void open_existing();
  void lock();
  void read_journal();
  std::string journal(std::uint64_t end) const;
  void write_pages();
  void put(std::uint64_t address, const char* from, std::uint64_t size);
  void cut(std::uint64_t size);
  bool get(std::uint64_t address, char* to, std::uint64_t size) const;
  Page& page(std::uint64_t number);
  [[noreturn]] void fail(const std::string& what, int code) const;

  std::string path_, temporary_;
  Mode mode_;
  int file_ = -1;
  std::uint64_t committed_ = 0;          // bytes of the file that are as HDF5 wants them, save for pages_
  std::map<std::uint64_t, Page> pages_;  // changed, by number
  std::vector<char> tail_;               // from committed_ on
  std::vector<char> copy_;               // of a file that is read while a run writes it; empty otherwise
};

}  // namespace esc::io
