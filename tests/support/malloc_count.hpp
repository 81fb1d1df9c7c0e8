// Counts every allocation of the process at the level of malloc: Eigen and the C library do not pass operator new.
// The definitions replace the C library's (malloc_count.cpp, linked where malloc_calls is read).
#pragma once

#include <atomic>
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

extern std::atomic<std::int64_t> malloc_calls;

// How many allocations task makes.
template <class Task>
std::int64_t allocations(Task task) {
  const std::int64_t before = malloc_calls.load();
  task();
  return malloc_calls.load() - before;
}

}  // namespace esc::testing
