#include "pipeline/serve/run_as.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace thresher::pipeline {

Result<void> RunAs(const std::string& user) {
  const passwd* const entry =
      ::getpwnam(user.c_str());  // NOLINT(concurrency-mt-unsafe): there are no threads
  if (entry == nullptr)
    return tl::unexpected(Error{kConfig, fmt::format("there is no user '{}' (serve.run_as)", user)});
  const uid_t id = entry->pw_uid;
  const gid_t group = entry->pw_gid;
  const std::string home = entry->pw_dir;
  if (::geteuid() != 0) {
    if (::geteuid() == id) return {};
    return tl::unexpected(
        Error{kConfig, fmt::format("only root can become the user '{}' (serve.run_as)", user)});
  }
  // Groups first: without root they cannot be changed.
  if (::initgroups(user.c_str(), group) != 0 || ::setgid(group) != 0 || ::setuid(id) != 0) {
    return tl::unexpected(
        Error{kInternal, fmt::format("cannot become the user '{}': {}", user, std::strerror(errno))});
  }
  // NOLINTBEGIN(concurrency-mt-unsafe): there are no threads
  ::setenv("HOME", home.c_str(), 1);
  ::unsetenv("XDG_CONFIG_HOME");
  ::unsetenv("XDG_DATA_HOME");
  // NOLINTEND(concurrency-mt-unsafe)
  return {};
}

}  // namespace thresher::pipeline
