// Counts every allocation of the process at the level of malloc: Eigen and the C library do not pass operator new.
// The definitions replace the C library's; include this header in one source file of an executable.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#if defined(__has_feature)  // Clang says it so, GCC by macros
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ESC_TEST_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ESC_TEST_SANITIZED
#endif

#if defined(ESC_TEST_SANITIZED)
#define ESC_TEST_COUNTS_MALLOC 0
#elif defined(__GLIBC__)
#define ESC_TEST_COUNTS_MALLOC 1
#else
#define ESC_TEST_COUNTS_MALLOC 0
#endif

namespace esc::testing {

inline constexpr bool counts_malloc = ESC_TEST_COUNTS_MALLOC != 0;
inline constexpr const char* why_no_count =
    "malloc is counted by replacing glibc's functions, which a sanitizer does too, and which other C libraries lack";

inline std::atomic<std::int64_t> malloc_calls{0};

// How many allocations task makes.
template <class Task>
std::int64_t allocations(Task task) {
  const std::int64_t before = malloc_calls.load();
  task();
  return malloc_calls.load() - before;
}

}  // namespace esc::testing

#if ESC_TEST_COUNTS_MALLOC

#pragma GCC visibility push(default)  // the shared libraries must find these
extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++esc::testing::malloc_calls;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++esc::testing::malloc_calls;
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) noexcept {
  ++esc::testing::malloc_calls;
  return __libc_realloc(block, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  ++esc::testing::malloc_calls;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  *block = memalign(alignment, size);
  return *block ? 0 : ENOMEM;
}

}  // extern "C"
#pragma GCC visibility pop

#endif
