// Sockets that listen: on a TCP address, at a path, or as the service manager opened them.
//
// Made by the daemon. Thread-safety: plain functions, of any thread.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/error.h"
#include "storage/descriptor.h"

namespace thresher::pipeline {

// Owns its descriptor, which does not block, and the file of a Unix socket that this process made.
class ListeningSocket {
 public:
  ListeningSocket(storage::Descriptor socket, bool over_tcp)
      : socket_(std::move(socket)), over_tcp_(over_tcp) {}
  ~ListeningSocket();
  ListeningSocket(ListeningSocket&& other) noexcept
      : socket_(std::move(other.socket_)),
        over_tcp_(other.over_tcp_),
        file_(std::exchange(other.file_, {})),
        inode_(std::exchange(other.inode_, {})) {}
  ListeningSocket& operator=(ListeningSocket&&) = delete;

  bool over_tcp() const { return over_tcp_; }
  int fd() const { return socket_.number(); }
  // Whether clients can connect to it: another program that opened it may have opened something else.
  bool IsListening() const;
  // This socket is bound to that file, which Close removes, unless another process took its place.
  void Own(std::string file);
  void Close();
  // As ADDRESS:PORT or path.
  std::string Name() const;

 private:
  storage::Descriptor socket_;
  bool over_tcp_;
  std::string file_ = {};
  std::optional<std::pair<dev_t, ino_t>> inode_ = {};  // of the file
};

struct ListeningRules {
  bool remote = false;   // TCP addresses other than loopback
  unsigned mode = 0600;  // of Unix sockets
};

// Whether it is the path of a Unix socket: it contains a slash.
bool IsSocketFile(std::string_view where);

// "127.0.0.1:783", "[::1]:783", "localhost:783", or a path. A socket file that nobody
// listens on is replaced. Errors: kUsage, kConfig (an address that other machines reach), kBusy, kCantCreate.
Result<ListeningSocket> ListenAt(std::string_view where, const ListeningRules& rules);

}  // namespace thresher::pipeline
