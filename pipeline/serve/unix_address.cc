#include "pipeline/serve/unix_address.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace thresher::pipeline {

Result<UnixAddress> UnixAddress::Of(std::string_view path) {
  UnixAddress address;
  address.address_.sun_family = AF_UNIX;
  std::string name(path);
  if (name.size() >= sizeof address.address_.sun_path) {
    const size_t slash = name.rfind('/');
    const std::string folder = name.substr(0, slash == std::string::npos ? 0 : slash + 1);
    address.folder_ =
        storage::Descriptor(::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!address.folder_.is_open())
      return tl::unexpected(Error{kCantCreate, fmt::format("{}: {}", folder, std::strerror(errno))});
    name = fmt::format("/proc/self/fd/{}/{}", address.folder_.number(), name.substr(folder.size()));
    if (name.size() >= sizeof address.address_.sun_path)
      return tl::unexpected(Error{kCantCreate, fmt::format("{}: the name of the socket is too long", path)});
  }
  std::memcpy(address.address_.sun_path, name.data(), name.size());
  return address;
}

}  // namespace thresher::pipeline
