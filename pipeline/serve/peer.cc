#include "pipeline/serve/peer.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>

namespace thresher::pipeline {
namespace {

// A provider gives its customers whole networks of IPv6: 64 bits of an address name one of them.
constexpr size_t kNetworkBytes = 8;

std::string NameOfAddress(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    return fmt::format("{:08x}", ntohl(in.sin_addr.s_addr));
  }
  if (address.ss_family != AF_INET6) return {};
  sockaddr_in6 in6{};
  std::memcpy(&in6, &address, sizeof in6);
  const bool is_four = IN6_IS_ADDR_V4MAPPED(&in6.sin6_addr);
  std::string name;
  for (size_t i = is_four ? 12 : 0; i < (is_four ? sizeof in6.sin6_addr : kNetworkBytes); ++i)
    name += fmt::format("{:02x}", in6.sin6_addr.s6_addr[i]);
  return name;
}

}  // namespace

Peer PeerOf(int fd, bool over_tcp) {
  Peer peer{.over_tcp = over_tcp};
  if (over_tcp) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0)
      peer.name = NameOfAddress(address);
    return peer;
  }
  ucred user{};
  socklen_t size = sizeof user;
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &user, &size) != 0) return peer;
  peer.is_owner = user.uid == 0 || user.uid == ::geteuid();
  peer.name = fmt::format("user {}", user.uid);
  return peer;
}

}  // namespace thresher::pipeline
