#include "src/study/lone_process.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define ESC_CAN_FILTER_CALLS
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>
#endif

namespace esc::study {

namespace {

#ifdef ESC_CAN_FILTER_CALLS

#ifdef __x86_64__
constexpr unsigned architecture = AUDIT_ARCH_X86_64;
constexpr unsigned last_call = 0x3FFFFFFF;  // beyond are the same calls in another convention
constexpr unsigned fork_call = SYS_fork, vfork_call = SYS_vfork;
#else
constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
constexpr unsigned last_call = 0xFFFFFFFF;
constexpr unsigned fork_call = SYS_clone3, vfork_call = SYS_clone3;  // there are none
#endif

// A filter of system calls that refuses those by which a process makes another, and lets threads through. It stays,
// also after exec. The lines of the filter are numbered; a test names the lines to go on at.
bool forbid_children() {
  constexpr int allow = 10, refuse = 11, absent = 12;
  int number = -1;
  const auto load = [&](std::size_t offset) -> sock_filter {
    ++number;
    return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<unsigned>(offset)};
  };
  const auto test = [&](int how, unsigned value, int yes, int no) -> sock_filter {
    ++number;
    const auto distance = [&](int to) { return static_cast<unsigned char>(to == 0 ? 0 : to - number - 1); };
    return {static_cast<unsigned short>(BPF_JMP | BPF_K | how), distance(yes), distance(no), value};
  };
  const auto answer = [](unsigned value) -> sock_filter { return {BPF_RET | BPF_K, 0, 0, value}; };
  constexpr int next = 0;
  sock_filter filter[] = {
      load(offsetof(seccomp_data, arch)),
      test(BPF_JEQ, architecture, next, refuse),
      load(offsetof(seccomp_data, nr)),
      test(BPF_JGT, last_call, refuse, next),
      test(BPF_JEQ, SYS_clone3, absent, next),  // a filter cannot see its flags: who wants a thread then calls clone
      test(BPF_JEQ, fork_call, refuse, next),
      test(BPF_JEQ, vfork_call, refuse, next),
      test(BPF_JEQ, SYS_clone, next, allow),
      load(offsetof(seccomp_data, args)),  // the flags of clone
      test(BPF_JSET, CLONE_THREAD, allow, refuse),
      answer(SECCOMP_RET_ALLOW),
      answer(SECCOMP_RET_ERRNO | EPERM),
      answer(SECCOMP_RET_ERRNO | ENOSYS),
  };
  sock_fprog program{sizeof filter / sizeof filter[0], filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

bool forbid_children() { return false; }

#endif

// Between fork and exec: system calls only. Writes the reason to `report` if the program cannot be started.
[[noreturn]] void become(const char* program, const char* const* arguments, const ProcessPlace& place, int report) {
  const bool placed = dup2(place.input, STDIN_FILENO) >= 0 && dup2(place.output, STDOUT_FILENO) >= 0 &&
                      dup2(place.error, STDERR_FILENO) >= 0 && chdir(place.folder.c_str()) == 0;
  if (placed) {
    constexpr rlimit none{0, 0};
    if (!forbid_children()) setrlimit(RLIMIT_NPROC, &none);
    execvp(program, const_cast<char* const*>(arguments));
  }
  const int reason = errno;
  const ssize_t ignored = write(report, &reason, sizeof reason);
  _exit(ignored > 0 ? 127 : 126);
}

}  // namespace

ProcessEnd run_alone(const char* program, const char* const* arguments, const ProcessPlace& place) {
  int report[2];  // closed by exec
  if (pipe2(report, O_CLOEXEC) != 0) return {-1, errno};
  const pid_t child = fork();
  if (child == 0) become(program, arguments, place, report[1]);
  const int not_forked = errno;
  close(report[1]);
  ProcessEnd end;
  const ssize_t told = child < 0 ? 0 : read(report[0], &end.reason, sizeof end.reason);
  close(report[0]);
  if (child < 0) return {-1, not_forked};
  while (waitpid(child, &end.status, 0) != child)
    if (errno != EINTR) return {-1, errno};
  if (told > 0) end.status = -1;
  return end;
}

}  // namespace esc::study
