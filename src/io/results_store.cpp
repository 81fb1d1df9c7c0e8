#include "src/io/results_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>

#include <escapement/io/results.hpp>

namespace esc::io {

namespace {

constexpr char magic[9] = "ESCJRNL1";

// What stands at the end of a journal.
struct Trailer {
  std::uint64_t length;  // of the whole journal, this included
  std::uint64_t checksum;
  char name[8];
};

std::uint64_t checksum(std::span<const char> bytes) {
  std::uint64_t h = 14695981039346656037u;  // FNV-1a over words; a journal is a whole number of them
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    h = (h ^ word) * 1099511628211u;
    h ^= h >> 32;
  }
  return h;
}

// Two bytes that no file reaches are locked in place of the file: one by the run that writes it, as long as it does,
// the other by whoever changes the file or must not see it change. Locks end with the process. HDF5 itself uses
// flock(), which does not see these: other programs may read the file while it grows.
constexpr off_t writer_byte = off_t{1} << 62, change_byte = writer_byte + 1;

struct flock lock_of(off_t byte, int type) {
  struct flock lock {};
  lock.l_type = static_cast<short>(type);
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return lock;
}

// Waits for the change byte and holds it: F_WRLCK to change the file, F_RDLCK to read it as it is.
class ChangeLock {
 public:
  ChangeLock(int file, int type) : file_(file) {
    struct flock lock = lock_of(change_byte, type);
    while (fcntl(file_, F_OFD_SETLKW, &lock) != 0 && errno == EINTR) {
    }
  }
  ~ChangeLock() {
    struct flock lock = lock_of(change_byte, F_UNLCK);
    fcntl(file_, F_OFD_SETLK, &lock);
  }
  ChangeLock(const ChangeLock&) = delete;

 private:
  int file_;
};

bool is_being_written(int file) {
  struct flock lock = lock_of(writer_byte, F_RDLCK);
  return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

template <class T>
void append(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

Store::Store(std::string path, Mode mode) : path_(std::move(path)), mode_(mode) {
  if (mode_ == Mode::create || mode_ == Mode::overwrite) {
    check_free();
  } else {
    open_existing();
  }
  allocated = committed_;
}

Store::~Store() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void Store::fail(const std::string& what, int code) const {
  throw ResultsError(path_, what + ": " + std::system_category().message(code));
}

void Store::check_free() {
  struct stat found {};
  if (stat(path_.c_str(), &found) != 0) return;
  if (!S_ISREG(found.st_mode)) throw ResultsError(path_, "this is not a plain file; choose another name");
  if (mode_ == Mode::create)
    throw ResultsError(path_, "the file exists; it is overwritten only on request (--force, Overwrite::allow)");
  file_ = open(path_.c_str(), O_RDWR | O_CLOEXEC);
  if (file_ < 0) fail("cannot be overwritten", errno);
  lock();  // nobody else is writing it
  close(std::exchange(file_, -1));
}

// The first commit goes to a file of another name, so that nobody sees half of one.
void Store::create_temporary() {
  temporary_ = path_ + "." + std::to_string(getpid()) + ".new";
  file_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) {
    const int code = errno;
    temporary_.clear();
    fail("cannot be created", code);
  }
  lock();
}

void Store::open_existing() {
  const int access = mode_ == Mode::append ? O_RDWR : O_RDONLY;
  file_ = open(path_.c_str(), access | O_CLOEXEC | O_NONBLOCK);  // a pipe is refused, not waited for
  if (file_ < 0) fail("cannot be opened", errno);
  struct stat found {};
  if (fstat(file_, &found) != 0 || !S_ISREG(found.st_mode)) {
    close(file_);
    file_ = -1;
    throw ResultsError(path_, "this is not a plain file");
  }
  if (mode_ == Mode::append) lock();
  const ChangeLock as_it_is(file_, mode_ == Mode::append ? F_WRLCK : F_RDLCK);
  if (fstat(file_, &found) != 0) fail("cannot be read", errno);
  committed_ = static_cast<std::uint64_t>(found.st_size);
  if (mode_ == Mode::read && is_being_written(file_)) {
    std::vector<char> bytes(committed_);
    if (!get(0, bytes.data(), bytes.size())) fail("cannot be read", errno);
    copy_ = std::move(bytes);
  }
  read_journal();
  if (mode_ == Mode::append && !pages_.empty()) {
    write_pages();
    cut(committed_);
  }
}

// Keeps two runs apart.
void Store::lock() {
  struct flock byte = lock_of(writer_byte, F_WRLCK);
  if (fcntl(file_, F_OFD_SETLK, &byte) == 0 || (errno != EAGAIN && errno != EACCES)) return;
  close(file_);
  file_ = -1;
  if (!temporary_.empty()) unlink(std::exchange(temporary_, "").c_str());
  throw ResultsError(path_, "another run is writing this file");
}

bool Store::get(std::uint64_t address, char* to, std::uint64_t size) const {
  if (!copy_.empty()) {
    if (address > copy_.size() || size > copy_.size() - address) return false;
    std::copy_n(copy_.data() + address, size, to);
    return true;
  }
  while (size > 0) {
    const ssize_t n = pread(file_, to, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    address += static_cast<std::uint64_t>(n);
    size -= static_cast<std::uint64_t>(n);
  }
  return true;
}

void Store::put(std::uint64_t address, const char* from, std::uint64_t size) {
  while (size > 0) {
    before_call();
    const ssize_t n = pwrite(file_, from, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("writing failed", n == 0 ? ENOSPC : errno);
    from += n;
    address += static_cast<std::uint64_t>(n);
    size -= static_cast<std::uint64_t>(n);
  }
}

void Store::cut(std::uint64_t size) {
  before_call();
  if (ftruncate(file_, static_cast<off_t>(size)) != 0) fail("writing failed", errno);
}

bool Store::read(std::uint64_t address, char* to, std::uint64_t size) const {
  if (address > end() || size > end() - address) {
    // HDF5 may ask for bytes it has given out but never written.
    if (address > allocated || size > allocated - address) return false;
    const std::uint64_t there = address < end() ? end() - address : 0;
    std::memset(to + there, 0, size - there);
    size = there;
  }
  if (address + size > committed_) {
    const std::uint64_t first = std::max(address, committed_);
    std::copy_n(tail_.data() + (first - committed_), address + size - first, to + (first - address));
    size = first - address;
  }
  if (!get(address, to, size)) return false;
  for (auto at = pages_.lower_bound(address / page_size); at != pages_.end() && at->first * page_size < address + size;
       ++at) {
    const std::uint64_t first = std::max(address, at->first * page_size);
    const std::uint64_t last = std::min(address + size, (at->first + 1) * page_size);
    std::copy_n(at->second.data() + (first - at->first * page_size), last - first, to + (first - address));
  }
  return true;
}

Store::Page& Store::page(std::uint64_t number) {
  const auto [at, fresh] = pages_.try_emplace(number);
  if (fresh) {
    at->second.fill(0);
    const std::uint64_t first = number * page_size;
    if (!get(first, at->second.data(), std::min(page_size, committed_ - first))) fail("reading failed", errno);
  }
  return at->second;
}

bool Store::write(std::uint64_t address, const char* from, std::uint64_t size) {
  while (size > 0 && address < committed_) {
    const std::uint64_t offset = address % page_size;
    const std::uint64_t n = std::min({size, page_size - offset, committed_ - address});
    std::copy_n(from, n, page(address / page_size).data() + offset);
    address += n;
    from += n;
    size -= n;
  }
  if (size == 0) return true;
  const std::uint64_t first = address - committed_;
  if (tail_.size() < first + size) tail_.resize(first + size, 0);
  std::copy_n(from, size, tail_.data() + first);
  return true;
}

// The journal: end of the file without it, number of pages, then number and bytes of each page; the trailer.
std::string Store::journal(std::uint64_t end) const {
  std::string bytes;
  bytes.reserve(16 + pages_.size() * (8 + page_size) + sizeof(Trailer));
  append(bytes, end);
  append(bytes, static_cast<std::uint64_t>(pages_.size()));
  for (const auto& [number, content] : pages_) {
    append(bytes, number);
    bytes.append(content.data(), content.size());
  }
  Trailer trailer{bytes.size() + sizeof(Trailer), checksum(bytes), {}};
  std::memcpy(trailer.name, magic, sizeof trailer.name);
  append(bytes, trailer);
  return bytes;
}

void Store::read_journal() {
  Trailer trailer{};
  if (committed_ < sizeof trailer ||
      !get(committed_ - sizeof trailer, reinterpret_cast<char*>(&trailer), sizeof trailer) ||
      std::memcmp(trailer.name, magic, sizeof trailer.name) != 0)
    return;
  if (trailer.length > committed_ || trailer.length < 16 + sizeof trailer || trailer.length % 8 != 0) return;
  std::vector<char> bytes(trailer.length - sizeof trailer);
  if (!get(committed_ - trailer.length, bytes.data(), bytes.size()) || checksum(bytes) != trailer.checksum) return;
  std::uint64_t last = 0, count = 0;
  std::memcpy(&last, bytes.data(), 8);
  std::memcpy(&count, bytes.data() + 8, 8);
  const std::uint64_t room = bytes.size() - 16;
  if (last != committed_ - trailer.length || room % (8 + page_size) != 0 || count != room / (8 + page_size)) return;

  for (const char* at = bytes.data() + 16; at != bytes.data() + bytes.size(); at += 8 + page_size) {
    std::uint64_t number = 0;
    std::memcpy(&number, at, 8);
    if (number <= last / page_size) std::copy_n(at + 8, page_size, pages_[number].begin());
  }
  committed_ = last;
}

void Store::write_pages() {
  for (const auto& [number, content] : pages_) {
    const std::uint64_t first = number * page_size;
    put(first, content.data(), std::min(page_size, committed_ - first));
  }
  pages_.clear();
}

void Store::commit() {
  if (file_ < 0) create_temporary();
  if (tail_.size() < allocated - std::min(allocated, committed_)) tail_.resize(allocated - committed_, 0);
  const std::uint64_t last = committed_ + tail_.size();
  const ChangeLock change(file_, F_WRLCK);
  try {
    put(committed_, tail_.data(), tail_.size());
    if (!pages_.empty()) {
      const auto bytes = journal(last);
      put(last, bytes.data(), bytes.size());
    }
  } catch (const ResultsError&) {
    static_cast<void>(ftruncate(file_, static_cast<off_t>(committed_)));
    throw;
  }
  if (!pages_.empty()) {
    write_pages();
    cut(last);
  }
  committed_ = last;
  tail_.clear();
  if (!temporary_.empty()) give_name();
}

// Of two runs that overwrite the same file, one keeps the name: it changes places with what is there, looks whether
// that is being written, and changes back if it is.
bool Store::replace_file() {
  const auto exchange = [&] {
    return renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_EXCHANGE) == 0;
  };
  if (!exchange()) return false;
  const int old = open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool taken = old >= 0 && is_being_written(old);
  if (old >= 0) close(old);
  if (taken && exchange()) throw ResultsError(path_, "another run is writing this file");
  unlink(temporary_.c_str());
  return true;
}

void Store::give_name() {
  before_call();
  bool done = renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0;
  if (!done && errno == EEXIST && mode_ == Mode::overwrite) done = replace_file();
  if (!done && errno == EINVAL) done = rename(temporary_.c_str(), path_.c_str()) == 0;  // a file system without flags
  if (!done) fail(errno == EEXIST ? "not overwritten" : "cannot be given its name", errno);
  temporary_.clear();
}

}  // namespace esc::io
