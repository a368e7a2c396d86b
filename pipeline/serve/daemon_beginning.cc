#include "pipeline/serve/daemon_beginning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace thresher::pipeline {
namespace {

unsigned ModeOf(const std::string& access) {
  return access == "group" ? 0660U : access == "all" ? 0666U : 0600U;
}

}  // namespace

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
  }
  const ListeningRules rules{.remote = settings.serve.remote, .mode = ModeOf(settings.serve.access)};
  for (const auto& [protocol, places] : protocols) {
    for (const std::string& where : *places) {
      auto socket = ListenAt(where, rules);
      if (!socket) return tl::unexpected(socket.error());
      opened.push_back({protocol, *std::move(socket)});
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
  if (!std::getline(file, files.token) || files.token.empty()) {
    return tl::unexpected(
        Error{kConfig, fmt::format("{}: expected a token in the first line (serve.token_file)", path)});
  }
  return files;
}

}  // namespace thresher::pipeline
