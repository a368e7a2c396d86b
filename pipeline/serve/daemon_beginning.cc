#include "pipeline/serve/daemon_beginning.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include "pipeline/serve/run_as.h"
#include "tokenizer/ascii.h"

namespace thresher::pipeline {
namespace {

// Descriptors that clients do not use: of one model, which may have grown; of each of many; the log, sockets
// that listen.
constexpr rlim_t kOfOneModel = 4096;
constexpr rlim_t kOfEachModel = 32;
constexpr rlim_t kOthers = 104;

// Models opens some more before it closes others.
rlim_t OwnDescriptors(const ServeSettings& serve) {
  return kOthers + (serve.models == "one" ? kOfOneModel : kOfEachModel * 2 * (serve.open_models + 1));
}

unsigned ModeOf(const std::string& access) {
  return access == "group" ? 0660U : access == "all" ? 0666U : 0600U;
}

}  // namespace

size_t AllowConnections(const ServeSettings& serve) {
  const size_t wanted = serve.connections;
  const rlim_t needed = OwnDescriptors(serve);
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, std::max<rlim_t>(limit.rlim_cur, wanted + needed));
  // Where this is not allowed, the number that there is must do.
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0 && ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t own = std::min(needed, limit.rlim_cur / 2);
  return std::min<size_t>(wanted, limit.rlim_cur - own);
}

Result<std::vector<NamedSocket>> OpenSockets(const Settings& settings, const ServeAddresses& addresses) {
  const std::vector<std::pair<const char*, const std::vector<std::string>*>> protocols = {
      {"spamd", &addresses.spamd}, {"milter", &addresses.milter}, {"http", &addresses.http}};
  std::vector<NamedSocket> opened = TakeSockets();
  for (const NamedSocket& given : opened) {
    if (std::ranges::none_of(protocols, [&](const auto& each) { return given.name == each.first; })) {
      return tl::unexpected(Error{
          kConfig, fmt::format("the service manager gave a socket with the name '{}'; FileDescriptorName= "
                               "must be the name of a protocol: spamd, milter or http",
                               given.name)});
    }
    if (!given.socket.IsListening()) {
      return tl::unexpected(Error{
          kConfig, fmt::format("the service manager gave a socket with the name '{}' to which no client can "
                               "connect: expected that of a unit with ListenStream= and Accept=no",
                               given.name)});
    }
  }
  const ListeningRules rules{.remote = settings.serve.remote, .mode = ModeOf(settings.serve.access)};
  std::set<std::string> named;
  // Ports may need root. Files are made by who serves, so that they are his.
  for (const bool are_files : {false, true}) {
    if (are_files && !settings.serve.run_as.empty()) {
      if (const auto become = RunAs(settings.serve.run_as); !become) return tl::unexpected(become.error());
    }
    for (const auto& [protocol, places] : protocols) {
      for (const std::string& where : *places) {
        if (IsSocketFile(where) != are_files) continue;
        auto socket = ListenAt(where, rules);
        const bool is_again = !named.insert(where).second;  // "127.0.0.1:0" may be
        if (!socket && is_again)
          return tl::unexpected(Error{kUsage, fmt::format("--{}: {} is named twice", protocol, where)});
        if (!socket) return tl::unexpected(socket.error());
        opened.push_back({protocol, *std::move(socket)});
      }
    }
  }
  if (opened.empty())
    return tl::unexpected(
        Error{kUsage, "there is no socket to listen on: name one by --spamd, --milter or --http"});
  return opened;
}

Result<DaemonFiles> DaemonFiles::Read(const Settings& settings) {
  auto lists = SenderLists::Load(settings);
  if (!lists) return tl::unexpected(lists.error());
  DaemonFiles files{.lists = *std::move(lists), .token = {}};
  const std::string& path = settings.serve.token_file;
  if (path.empty()) return files;
  std::ifstream file(path);
  if (!file)
    return tl::unexpected(
        Error{kConfig, fmt::format("{}: {} (serve.token_file)", path, std::strerror(errno))});
  std::getline(file, files.token);
  files.token = tokenizer::Trim(files.token);
  if (files.token.empty()) {
    return tl::unexpected(
        Error{kConfig, fmt::format("{}: expected a token in the first line (serve.token_file)", path)});
  }
  return files;
}

}  // namespace thresher::pipeline
