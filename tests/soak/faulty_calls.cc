// Makes one system call of a program fail, or ends the program there: scripts/soak loads this library into
// thresher (LD_PRELOAD).
//
// It counts the calls that change files below a folder, or that read them. The environment says which of them
// is hit and how:
//   FAULT_BELOW   the folder, absolute
//   FAULT_COUNT   a file: at its end the process writes there "CHANGES READS", the number of its calls
//   FAULT_KIND    one of
//     kill        SIGKILL to the process group before the call
//     half        the same after half of a write
//     power       the same; what was not synced of each file is cut or garbled, as after a power cut
//     error       the call fails with EIO
//     broken      this call and all later ones fail with EIO
//     full        this call and all later ones that need room fail with ENOSPC
//     unread      a call that reads fails with EIO
//   FAULT_AT      the number of the call, from 1
//   FAULT_SEED    of the random choices of `power`
// Thread-safety: any number of threads.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <string_view>

namespace {

// The function of the C library.
template <class F>
F* Real(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

std::string Variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "" : value;
}

struct Plan {
  std::string below = Variable("FAULT_BELOW");
  std::string count = Variable("FAULT_COUNT");
  std::string kind = Variable("FAULT_KIND");
  uint64_t at = strtoull(Variable("FAULT_AT").c_str(), nullptr, 10);
  uint64_t seed = strtoull(Variable("FAULT_SEED").c_str(), nullptr, 10);
};

enum class Room { kNeeded, kNotNeeded };

class Calls {
 public:
  const Plan plan{};

  bool IsBelow(std::string_view path) const {
    return !plan.below.empty() && path.size() > plan.below.size() && path.starts_with(plan.below) &&
           path[plan.below.size()] == '/';
  }
  static std::string PathOf(int fd) {
    char path[4096];
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    const ssize_t size = readlink(link.c_str(), path, sizeof path);
    return size <= 0 ? "" : std::string(path, static_cast<size_t>(size));
  }
  static std::string PathIn(int folder, const char* path) {
    if (path[0] == '/') return path;
    if (folder != AT_FDCWD) return PathOf(folder) + "/" + path;
    char here[4096];
    return getcwd(here, sizeof here) == nullptr ? path : std::string(here) + "/" + path;
  }

  // Counts a call that changes a file. Returns the errno with which it must fail, or 0. May end the process;
  // for `half`, writes half of the bytes first.
  int Change(const std::string& path, Room room, int fd = -1, const void* bytes = nullptr, size_t size = 0) {
    if (!IsBelow(path)) return 0;
    const std::lock_guard lock(mutex_);
    const uint64_t n = ++changes_;
    if (plan.at == 0 || n < plan.at) return 0;
    if (plan.kind == "full" && room == Room::kNeeded) return ENOSPC;
    if (plan.kind == "broken") return EIO;
    if (n > plan.at) return 0;
    if (plan.kind == "error") return EIO;
    if (plan.kind == "half" && fd >= 0 && size > 1) Real<decltype(write)>("write")(fd, bytes, size / 2);
    if (plan.kind == "power") TearUnsynced();
    if (plan.kind == "kill" || plan.kind == "half" || plan.kind == "power") {
      kill(0, SIGKILL);
      pause();
    }
    return 0;
  }
  int Read(const std::string& path) {
    if (!IsBelow(path)) return 0;
    const std::lock_guard lock(mutex_);
    return ++reads_ == plan.at && plan.kind == "unread" ? EIO : 0;
  }

  void NoteWritten(const std::string& path) {
    const std::lock_guard lock(mutex_);
    if (!IsBelow(path)) return;
    struct stat status {};
    const bool is_there = stat(path.c_str(), &status) == 0;
    synced_.try_emplace(path, is_there ? static_cast<uint64_t>(status.st_size) : 0);
  }
  void NoteSynced(const std::string& path) {
    const std::lock_guard lock(mutex_);
    struct stat status {};
    if (IsBelow(path) && stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
      synced_[path] = static_cast<uint64_t>(status.st_size);
  }
  void NoteEmptied(const std::string& path) {
    const std::lock_guard lock(mutex_);
    if (IsBelow(path)) synced_[path] = 0;
  }
  void NoteRenamed(const std::string& from, const std::string& to) {
    const std::lock_guard lock(mutex_);
    const auto found = synced_.find(from);
    if (found == synced_.end()) return;
    synced_[to] = found->second;
    synced_.erase(from);
  }

  void WriteCount() {
    if (plan.count.empty()) return;
    FILE* file = fopen(plan.count.c_str(), "a");
    if (file == nullptr) return;
    fprintf(file, "%lu %lu\n", static_cast<unsigned long>(changes_), static_cast<unsigned long>(reads_));
    fclose(file);
  }

 private:
  // Of each file some bytes after the last sync are there, and some of those are garbage.
  void TearUnsynced() {
    std::mt19937_64 random(plan.seed);
    for (const auto& [path, synced] : synced_) {
      struct stat status {};
      if (stat(path.c_str(), &status) != 0) continue;
      const auto size = static_cast<uint64_t>(status.st_size);
      if (size <= synced) continue;
      const uint64_t left = synced + random() % (size - synced + 1);
      if (truncate(path.c_str(), static_cast<off_t>(left)) != 0 || random() % 2 == 0) continue;
      const int fd = Real<decltype(open)>("open")(path.c_str(), O_WRONLY | O_CLOEXEC);
      for (uint64_t at = synced + random() % (left - synced + 1); fd >= 0 && at < left; ++at) {
        const auto garbage = static_cast<char>(random());
        if (pwrite(fd, &garbage, 1, static_cast<off_t>(at)) != 1) break;
      }
    }
  }

  std::recursive_mutex mutex_;
  uint64_t changes_ = 0;
  uint64_t reads_ = 0;
  std::map<std::string, uint64_t> synced_;  // bytes of each file that was written
};

Calls& TheCalls() {
  static Calls* const calls = [] {
    std::atexit([] { TheCalls().WriteCount(); });
    return new Calls;  // never destroyed: destructors of others make calls
  }();
  return *calls;
}

template <class T>
bool Fails(int error, T* result) {
  if (error == 0) return false;
  errno = error;
  *result = -1;
  return true;
}

int OpenIn(int folder, const char* path, int flags, mode_t mode) {
  Calls& calls = TheCalls();
  const std::string full = Calls::PathIn(folder, path);
  int result = 0;
  const bool changes = (flags & (O_CREAT | O_TRUNC)) != 0;
  const int error = changes ? calls.Change(full, Room::kNeeded) : calls.Read(full);
  if (Fails(error, &result)) return result;
  result = Real<decltype(openat)>("openat")(folder, path, flags, mode);
  if (result >= 0 && (flags & O_TRUNC) != 0) calls.NoteEmptied(full);
  return result;
}

template <class Write>
ssize_t WriteTo(int fd, const void* bytes, size_t size, Write write_all) {
  const std::string path = Calls::PathOf(fd);
  ssize_t result = 0;
  TheCalls().NoteWritten(path);
  if (Fails(TheCalls().Change(path, Room::kNeeded, fd, bytes, size), &result)) return result;
  return write_all();
}

template <class Sync>
int SyncOf(int fd, Sync sync) {
  const std::string path = Calls::PathOf(fd);
  int result = 0;
  if (Fails(TheCalls().Change(path, Room::kNotNeeded), &result)) return result;
  if (sync() != 0) return -1;
  TheCalls().NoteSynced(path);
  return 0;
}

template <class Do>
int Change(const std::string& path, Room room, Do change) {
  int result = 0;
  return Fails(TheCalls().Change(path, room), &result) ? result : change();
}

template <class Do>
ssize_t ReadFrom(int fd, Do read_all) {
  ssize_t result = 0;
  return Fails(TheCalls().Read(Calls::PathOf(fd)), &result) ? result : read_all();
}

mode_t ModeOf(int flags, va_list arguments) { return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0; }

}  // namespace

// NOLINTBEGIN(cert-dcl50-cpp, readability-inconsistent-declaration-parameter-name)
extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return OpenIn(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return OpenIn(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return OpenIn(folder, path, flags, mode);
}

ssize_t write(int fd, const void* bytes, size_t size) {
  return WriteTo(fd, bytes, size, [&] { return Real<decltype(write)>("write")(fd, bytes, size); });
}
ssize_t writev(int fd, const iovec* parts, int count) {
  return WriteTo(fd, nullptr, 0, [&] { return Real<decltype(writev)>("writev")(fd, parts, count); });
}
ssize_t pwrite(int fd, const void* bytes, size_t size, off_t at) {
  return WriteTo(fd, nullptr, 0, [&] { return Real<decltype(pwrite)>("pwrite")(fd, bytes, size, at); });
}
ssize_t pwrite64(int fd, const void* bytes, size_t size, off64_t at) { return pwrite(fd, bytes, size, at); }

ssize_t read(int fd, void* bytes, size_t size) {
  return ReadFrom(fd, [&] { return Real<decltype(read)>("read")(fd, bytes, size); });
}
ssize_t pread(int fd, void* bytes, size_t size, off_t at) {
  return ReadFrom(fd, [&] { return Real<decltype(pread)>("pread")(fd, bytes, size, at); });
}
ssize_t pread64(int fd, void* bytes, size_t size, off64_t at) { return pread(fd, bytes, size, at); }

int fsync(int fd) {
  return SyncOf(fd, [&] { return Real<decltype(fsync)>("fsync")(fd); });
}
int fdatasync(int fd) {
  return SyncOf(fd, [&] { return Real<decltype(fdatasync)>("fdatasync")(fd); });
}

// Without flags it does nothing, so it does not fail: RocksDB asks in this way whether the system knows it.
int sync_file_range(int fd, off64_t at, off64_t size, unsigned flags) {
  if (flags == 0) return Real<decltype(sync_file_range)>("sync_file_range")(fd, at, size, flags);
  return Change(Calls::PathOf(fd), Room::kNotNeeded,
                [&] { return Real<decltype(sync_file_range)>("sync_file_range")(fd, at, size, flags); });
}

int rename(const char* from, const char* to) {
  const int done = Change(Calls::PathIn(AT_FDCWD, to), Room::kNeeded,
                          [&] { return Real<decltype(rename)>("rename")(from, to); });
  if (done == 0) TheCalls().NoteRenamed(Calls::PathIn(AT_FDCWD, from), Calls::PathIn(AT_FDCWD, to));
  return done;
}
int link(const char* from, const char* to) {
  return Change(Calls::PathIn(AT_FDCWD, to), Room::kNeeded,
                [&] { return Real<decltype(link)>("link")(from, to); });
}
int unlink(const char* path) {
  return Change(Calls::PathIn(AT_FDCWD, path), Room::kNotNeeded,
                [&] { return Real<decltype(unlink)>("unlink")(path); });
}
int unlinkat(int folder, const char* path, int flags) {
  return Change(Calls::PathIn(folder, path), Room::kNotNeeded,
                [&] { return Real<decltype(unlinkat)>("unlinkat")(folder, path, flags); });
}
int remove(const char* path) {
  return Change(Calls::PathIn(AT_FDCWD, path), Room::kNotNeeded,
                [&] { return Real<decltype(remove)>("remove")(path); });
}
int chmod(const char* path, mode_t mode) {
  return Change(Calls::PathIn(AT_FDCWD, path), Room::kNotNeeded,
                [&] { return Real<decltype(chmod)>("chmod")(path, mode); });
}
int rmdir(const char* path) {
  return Change(Calls::PathIn(AT_FDCWD, path), Room::kNotNeeded,
                [&] { return Real<decltype(rmdir)>("rmdir")(path); });
}
int mkdir(const char* path, mode_t mode) {
  return Change(Calls::PathIn(AT_FDCWD, path), Room::kNeeded,
                [&] { return Real<decltype(mkdir)>("mkdir")(path, mode); });
}
int ftruncate(int fd, off_t size) {
  return Change(Calls::PathOf(fd), Room::kNeeded,
                [&] { return Real<decltype(ftruncate)>("ftruncate")(fd, size); });
}
int ftruncate64(int fd, off64_t size) { return ftruncate(fd, size); }

// As forked processes end.
void _exit(int status) {
  TheCalls().WriteCount();
  Real<void(int)>("_exit")(status);
  __builtin_unreachable();
}

}  // extern "C"
// NOLINTEND(cert-dcl50-cpp, readability-inconsistent-declaration-parameter-name)
