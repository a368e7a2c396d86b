#include "pipeline/serve/listening.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <system_error>

#include "pipeline/serve/unix_address.h"

namespace thresher::pipeline {
namespace {

Error Failed(std::string_view where, int reason) {
  if (reason == EADDRINUSE)
    return {kBusy, fmt::format("cannot listen on {}: another process listens there", where)};
  return {kCantCreate, fmt::format("cannot listen on {}: {}", where, std::strerror(reason))};
}

// Both kinds of address as numbers; a name could mean several.
Result<std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>> TcpAddress(std::string_view where) {
  const auto wrong = [&] {
    return tl::unexpected(Error{
        kUsage, fmt::format("{}: expected ADDRESS:PORT, such as 127.0.0.1:783 or [::1]:783, or the path of a "
                            "Unix socket with a slash",
                            where)});
  };
  const size_t colon = where.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == where.size()) return wrong();
  std::string host(where.substr(0, colon));
  const std::string port(where.substr(colon + 1));
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  uint16_t number = 0;  // getaddrinfo takes 65536 for 0
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc() || end != port.data() + port.size()) return wrong();
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(host.c_str(), port.c_str(), &hints, &found) != 0) return wrong();
  return std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>(found, &freeaddrinfo);
}

bool IsLoopback(const addrinfo& address) {
  if (address.ai_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, address.ai_addr, sizeof in);
    return ntohl(in.sin_addr.s_addr) >> 24 == 127;
  }
  sockaddr_in6 in6{};
  std::memcpy(&in6, address.ai_addr, std::min<size_t>(sizeof in6, address.ai_addrlen));
  return IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
}

Result<ListeningSocket> ListenOn(ListeningSocket socket, std::string_view where) {
  if (::listen(socket.fd(), SOMAXCONN) != 0) return tl::unexpected(Failed(where, errno));
  return socket;
}

Result<ListeningSocket> ListenAtAddress(std::string_view where, const ListeningRules& rules) {
  const auto address = TcpAddress(where);
  if (!address) return tl::unexpected(address.error());
  const addrinfo& to = **address;
  if (!rules.remote && !IsLoopback(to)) {
    return tl::unexpected(Error{
        kConfig, fmt::format("{}: other machines can reach this address; nothing would be encrypted. Name an "
                             "address of the loopback, or allow it by --set serve.remote=true",
                             where)});
  }
  ListeningSocket socket(
      storage::Descriptor(::socket(to.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)), true);
  if (socket.fd() < 0) return tl::unexpected(Failed(where, errno));
  const int on = 1;
  ::setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(socket.fd(), to.ai_addr, to.ai_addrlen) != 0) return tl::unexpected(Failed(where, errno));
  return ListenOn(std::move(socket), where);
}

// Something else that is in its place: nobody can listen there.
bool IsNoSocket(const UnixAddress& address) {
  struct stat status {};
  return ::lstat(address.path(), &status) == 0 && !S_ISSOCK(status.st_mode);
}

// Nothing if there is no such file.
std::optional<std::pair<dev_t, ino_t>> InodeOf(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

// The error of connecting to it; 0 if somebody listens there, ECONNREFUSED if a killed daemon left it.
// REQUIRES: not IsNoSocket.
int ReasonNotToConnect(const UnixAddress& address) {
  const storage::Descriptor asking(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  return ::connect(asking.number(), address.get(), address.size()) == 0 ? 0 : errno;
}

Result<ListeningSocket> ListenAtPath(std::string_view where, const ListeningRules& rules) {
  const auto address = UnixAddress::Of(where);
  if (!address) return tl::unexpected(address.error());
  ListeningSocket socket(
      storage::Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)), false);
  const int fd = socket.fd();
  if (fd < 0) return tl::unexpected(Failed(where, errno));
  // The file gets the mode of the socket: nobody else can connect before it has that of the rules.
  if (::fchmod(fd, 0600) != 0) return tl::unexpected(Failed(where, errno));
  const auto bind = [&] { return ::bind(fd, address->get(), address->size()) == 0 ? 0 : errno; };
  int reason = bind();
  if (reason == EADDRINUSE && IsNoSocket(*address))
    return tl::unexpected(
        Error{kCantCreate, fmt::format("cannot listen on {}: it exists and is no socket", where)});
  const int closed = reason == EADDRINUSE ? ReasonNotToConnect(*address) : 0;
  if (closed == EACCES)
    return tl::unexpected(
        Error{kCantCreate, fmt::format("cannot listen on {}: there is another user's socket", where)});
  if (closed == ECONNREFUSED) {
    ::unlink(address->path());
    reason = bind();
  }
  if (reason != 0) return tl::unexpected(Failed(where, reason));
  socket.Own(std::string(where));
  if (::chmod(address->path(), rules.mode) != 0) return tl::unexpected(Failed(where, errno));
  return ListenOn(std::move(socket), where);
}

}  // namespace

ListeningSocket::~ListeningSocket() { Close(); }

void ListeningSocket::Own(std::string file) {
  file_ = std::move(file);
  inode_ = InodeOf(file_);
}

bool ListeningSocket::IsListening() const {
  const auto option = [&](int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return ::getsockopt(fd(), SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
  };
  return option(SO_TYPE) == SOCK_STREAM && option(SO_ACCEPTCONN) == 1;
}

// The file goes first: as long as this socket listens, no other process takes its place, unless somebody
// removed it.
void ListeningSocket::Close() {
  if (inode_ && InodeOf(file_) == inode_) ::unlink(file_.c_str());
  file_.clear();
  socket_.Close();
}

// The address of a Unix socket at a long path names it by a descriptor.
std::string ListeningSocket::Name() const {
  if (!file_.empty()) return file_;
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket_.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return "?";
  if (address.ss_family == AF_UNIX) {
    const auto& in_file = reinterpret_cast<const sockaddr_un&>(address);
    return in_file.sun_path;
  }
  char host[NI_MAXHOST] = "?";
  char port[NI_MAXSERV] = "?";
  ::getnameinfo(reinterpret_cast<sockaddr*>(&address), size, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
  return address.ss_family == AF_INET6 ? fmt::format("[{}]:{}", host, port)
                                       : fmt::format("{}:{}", host, port);
}

bool IsSocketFile(std::string_view where) { return where.find('/') != std::string_view::npos; }

Result<ListeningSocket> ListenAt(std::string_view where, const ListeningRules& rules) {
  return IsSocketFile(where) ? ListenAtPath(where, rules) : ListenAtAddress(where, rules);
}

}  // namespace thresher::pipeline
