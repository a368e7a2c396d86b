// The address of a Unix socket, at a path of any length.
//
// The kernel takes paths of at most 107 bytes; a longer one is named through a descriptor of its folder.
// Used by listening.h and by clients of the daemon. Thread-safety: a move-only value.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <string_view>

#include "pipeline/error.h"
#include "storage/descriptor.h"

namespace thresher::pipeline {

class UnixAddress {
 public:
  // The error (kCantCreate) says that its folder cannot be opened.
  static Result<UnixAddress> Of(std::string_view path);

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  static constexpr socklen_t size() { return sizeof(sockaddr_un); }
  // Of the socket's file.
  const char* path() const { return address_.sun_path; }

 private:
  UnixAddress() = default;
  sockaddr_un address_ = {};
  storage::Descriptor folder_;
};

}  // namespace thresher::pipeline
