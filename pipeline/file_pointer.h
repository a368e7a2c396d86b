// Owns a stream of the C library.
//
// Used by the pipeline where one is opened. Thread-safety: a move-only value.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>

namespace thresher::pipeline {

struct CloseFile {
  void operator()(std::FILE* file) const {
    if (file != stdout) std::fclose(file);
  }
};

using FilePointer = std::unique_ptr<std::FILE, CloseFile>;

// The stream of an open descriptor, which it owns from now on; null, with errno set, if none can be made.
inline FilePointer FileOf(int fd, const char* mode) {
  FilePointer file(::fdopen(fd, mode));
  if (file == nullptr) {
    const int reason = errno;
    ::close(fd);
    errno = reason;
  }
  return file;
}

}  // namespace thresher::pipeline
