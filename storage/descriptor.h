// Owns a file descriptor: of a file, a socket, an end of a pipe.
//
// Used here and by the pipeline wherever one is opened. Thread-safety: a move-only value.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace thresher::storage {

class Descriptor {
 public:
  Descriptor() = default;
  // What open(2) and the like return: none if it is negative.
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { Close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    const Descriptor before(std::exchange(number_, std::exchange(other.number_, -1)));
    return *this;
  }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  // errno stays, so that who closes it on the way out can still say what failed.
  void Close() {
    if (number_ < 0) return;
    const int reason = errno;
    ::close(std::exchange(number_, -1));
    errno = reason;
  }

 private:
  int number_ = -1;
};

}  // namespace thresher::storage
