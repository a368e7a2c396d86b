#include "pipeline/serve/systemd.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace thresher::pipeline {
namespace {

constexpr int kFirstSocket = 3;

std::optional<int64_t> NumberIn(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  int64_t number = 0;
  const char* const end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

bool IsForThisProcess(const char* variable, bool if_unset) {
  const auto pid = NumberIn(variable);
  return pid ? *pid == ::getpid() : if_unset;
}

bool IsOverTcp(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  return ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0 || address.ss_family != AF_UNIX;
}

}  // namespace

void TellSystemd(std::string_view state) {
  const char* const path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (path == nullptr || std::strlen(path) >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  const size_t length = std::strlen(path);
  std::memcpy(address.sun_path, path, length);
  if (address.sun_path[0] == '@') address.sun_path[0] = '\0';
  const storage::Descriptor socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open()) return;
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
  // A beat beside others that were not taken yet says nothing new, and must not keep the daemon.
  const int flags = MSG_NOSIGNAL | (state == "WATCHDOG=1" ? MSG_DONTWAIT : 0);
  // A service manager that went away is told nothing.
  static_cast<void>(::sendto(socket.number(), state.data(), state.size(), flags,
                             reinterpret_cast<const sockaddr*>(&address), size));
}

std::chrono::microseconds WatchdogInterval() {
  if (!IsForThisProcess("WATCHDOG_PID", true)) return {};
  return std::chrono::microseconds(NumberIn("WATCHDOG_USEC").value_or(0)) / 2;
}

std::vector<NamedSocket> TakeSockets() {
  std::vector<NamedSocket> sockets;
  if (!IsForThisProcess("LISTEN_PID", false)) return sockets;
  const char* const given = std::getenv("LISTEN_FDNAMES");
  std::string_view names = given == nullptr ? "" : given;
  for (int i = 0; i < NumberIn("LISTEN_FDS").value_or(0); ++i) {
    const int fd = kFirstSocket + i;
    const size_t end = std::min(names.find(':'), names.size());
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    sockets.push_back(
        {std::string(names.substr(0, end)), ListeningSocket(storage::Descriptor(fd), IsOverTcp(fd))});
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return sockets;
}

}  // namespace thresher::pipeline
