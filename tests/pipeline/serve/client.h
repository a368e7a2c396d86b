// A client of a daemon, as bytes.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <utility>

#include "pipeline/serve/unix_address.h"

namespace thresher::pipeline {

class Client {
 public:
  explicit Client(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const auto address = UnixAddress::Of(path);
    is_connected_ = address && ::connect(fd_, address->get(), UnixAddress::size()) == 0;
  }
  // On a port of this machine.
  explicit Client(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~Client() {
    if (fd_ >= 0) ::close(fd_);
  }
  Client(Client&& other) noexcept : fd_(std::exchange(other.fd_, -1)), is_connected_(other.is_connected_) {}
  Client& operator=(Client&&) = delete;

  bool is_connected() const { return is_connected_; }
  // False if the other side has closed.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(count));
    }
    return true;
  }
  void SendEnd() { ::shutdown(fd_, SHUT_WR); }
  // Up to the end, or up to `enough` bytes.
  std::string Receive(size_t enough = std::string::npos) {
    std::string all;
    char buffer[4096];
    while (all.size() < enough) {
      const ssize_t count = ::recv(fd_, buffer, sizeof buffer, 0);
      if (count <= 0) break;
      all.append(buffer, static_cast<size_t>(count));
    }
    return all;
  }
  // Whether something has come, or the other side has closed.
  bool HasAnswer() const {
    pollfd waits{.fd = fd_, .events = POLLIN, .revents = 0};
    return ::poll(&waits, 1, 0) > 0;
  }
  std::string Ask(std::string_view request) {
    Send(request);
    return Receive();
  }

 private:
  int fd_;
  bool is_connected_ = false;
};

}  // namespace thresher::pipeline
