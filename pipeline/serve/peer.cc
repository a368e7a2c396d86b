#include "pipeline/serve/peer.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace thresher::pipeline {
namespace {

// A provider gives its customers whole networks of IPv6: 64 bits of an address name one of them.
constexpr size_t kNetworkBytes = 8;
constexpr size_t kMappedAt = 12;  // where an address of IPv4 is in one of IPv6

std::string NameOfAddress(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    ::inet_ntop(AF_INET, &in.sin_addr, text.data(), INET6_ADDRSTRLEN);
    return text.data();
  }
  if (address.ss_family != AF_INET6) return {};
  sockaddr_in6 in6{};
  std::memcpy(&in6, &address, sizeof in6);
  uint8_t* const bytes = in6.sin6_addr.s6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&in6.sin6_addr)) {
    ::inet_ntop(AF_INET, bytes + kMappedAt, text.data(), INET6_ADDRSTRLEN);
    return text.data();
  }
  std::fill(bytes + kNetworkBytes, bytes + sizeof in6.sin6_addr, uint8_t{0});
  ::inet_ntop(AF_INET6, bytes, text.data(), INET6_ADDRSTRLEN);
  return fmt::format("{}/{}", text.data(), 8 * kNetworkBytes);
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
