#include "pipeline/commands/standard_output.h"

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string_view>

#include "storage/write_file.h"

namespace thresher::pipeline {
namespace {

constexpr size_t kBufferBytes = size_t{64} << 10;

// 0 tells the stream that it failed; errno has the reason.
ssize_t WriteWaiting(void* /*cookie*/, const char* bytes, size_t size) {
  return storage::WriteAll(STDOUT_FILENO, std::string_view(bytes, size)) ? static_cast<ssize_t>(size) : 0;
}

}  // namespace

void WaitOnStandardOutput() {
  std::FILE* const waiting = ::fopencookie(
      nullptr, "w", {.read = nullptr, .write = WriteWaiting, .seek = nullptr, .close = nullptr});
  if (waiting == nullptr) return;
  std::setvbuf(waiting, nullptr, ::isatty(STDOUT_FILENO) != 0 ? _IOLBF : _IOFBF, kBufferBytes);
  stdout = waiting;
}

}  // namespace thresher::pipeline
