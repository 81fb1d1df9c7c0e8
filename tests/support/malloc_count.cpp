#include "tests/support/malloc_count.hpp"

#include <cerrno>
#include <cstddef>

std::atomic<std::int64_t> esc::testing::malloc_calls{0};

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
