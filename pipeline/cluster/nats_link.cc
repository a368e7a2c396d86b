#include "pipeline/cluster/nats_link.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/cluster/ordered_log.h"

namespace thresher::pipeline {
namespace {

constexpr int64_t kReconnectMs = 500;

// Of the first server. A password may have commas: after the first server, one with a password begins with
// nats:// or tls://.
size_t LengthOfFirst(std::string_view log) {
  for (size_t comma = log.find(','); comma != std::string_view::npos; comma = log.find(',', comma + 1)) {
    const std::string_view rest = log.substr(comma + 1);
    if (rest.starts_with("nats://") || rest.starts_with("tls://")) return comma;
    const size_t next = std::min(rest.find(",nats://"), rest.find(",tls://"));
    if (rest.substr(0, next).find('@') == std::string_view::npos) return comma;
  }
  return log.size();
}

std::vector<std::string> SplitServers(std::string_view log) {
  std::vector<std::string> servers;
  while (!log.empty()) {
    const size_t comma = LengthOfFirst(log);
    servers.emplace_back(log.substr(0, comma));
    log.remove_prefix(std::min(comma + 1, log.size()));
  }
  return servers;
}

// Servers as people may see them: without passwords.
std::string WithoutCredentials(const std::vector<std::string>& servers) {
  std::vector<std::string> shown;
  for (const std::string& server : servers) {
    const size_t scheme = server.find("://");
    const size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
    // The last one: a password may have others, and slashes.
    const size_t at = server.rfind('@');
    const bool has_none = at == std::string::npos || at < begin;
    shown.push_back(has_none ? server : server.substr(0, begin) + server.substr(at + 1));
  }
  return fmt::format("{}", fmt::join(shown, ","));
}

natsStatus SetOptions(const NatsLibrary& nats, const ClusterSettings& settings, natsOptions* options) {
  const std::vector<std::string> names = SplitServers(settings.log);
  std::vector<const char*> servers;
  servers.reserve(names.size());
  for (const std::string& server : names) servers.push_back(server.c_str());
  // Errors are returned to the caller; what else the library reports is not printed.
  const natsErrHandler ignore = [](natsConnection*, natsSubscription*, natsStatus, void*) {};
  const natsStatus set[] = {
      nats.natsOptions_SetServers(options, servers.data(), static_cast<int>(servers.size())),
      nats.natsOptions_SetName(options, "thresher"),
      nats.natsOptions_SetTimeout(options, settings.answer.count()),
      nats.natsOptions_SetMaxReconnect(options, -1),
      nats.natsOptions_SetReconnectWait(options, kReconnectMs),
      nats.natsOptions_SetPingInterval(options, settings.answer.count()),
      nats.natsOptions_SetMaxPingsOut(options, 2),
      nats.natsOptions_SetErrorHandler(options, ignore, nullptr),
      settings.ca_file.empty() ? NATS_OK : nats.natsOptions_SetSecure(options, true),
      settings.credentials_file.empty() ? NATS_OK
                                        : nats.natsOptions_SetUserCredentialsFromFiles(
                                              options, settings.credentials_file.c_str(), nullptr)};
  const auto* const failed =
      std::find_if(std::begin(set), std::end(set), [](auto s) { return s != NATS_OK; });
  return failed == std::end(set) ? NATS_OK : *failed;
}

// Takes the authorities' certificates, and asks for the credentials, which are read with each connection. A
// file that cannot be read may be there later: what is taught waits, as it does while no server can be
// reached.
Result<void> LoadFiles(const NatsLibrary& nats, const ClusterSettings& settings, natsOptions* options) {
  const auto unusable = [](const std::string& path, const char* setting, const char* why) {
    return tl::unexpected(Error{kBusy, fmt::format("{}: {} ({})", path, why, setting)});
  };
  const std::string& ca = settings.ca_file;
  if (!ca.empty() && nats.natsOptions_LoadCATrustedCertificates(options, ca.c_str()) != NATS_OK)
    return unusable(ca, "cluster.ca_file", "no certificates can be read");
  const std::string& credentials = settings.credentials_file;
  if (!credentials.empty() && !std::ifstream(credentials).good())
    return unusable(credentials, "cluster.credentials_file", "cannot be read");
  return {};
}

}  // namespace

Error NatsFailure(const NatsLink& link, const ClusterSettings& settings, const char* what,
                  natsStatus status) {
  const char* const detail = link.nats->nats_GetLastError(nullptr);
  const char* const text = link.nats->natsStatus_GetText(status);
  // It may be of an earlier call, or say the same again; of an argument, it may repeat a password.
  const bool says_more = status != NATS_INVALID_ARG && detail != nullptr && *detail != '\0' &&
                         std::string_view(detail).find(text) == std::string_view::npos;
  const std::string_view denied = status == NATS_TIMEOUT ? link.LastDenied() : std::string_view();
  return {kBusy, fmt::format("the log '{}' at {}: cannot {}: {}{}{}", settings.stream,
                             WithoutCredentials(SplitServers(settings.log)), what, text,
                             says_more ? fmt::format(" ({})", detail) : "",
                             denied.empty() ? "" : fmt::format(" (last denied: {})", denied))};
}

Error LogRemoved(const ClusterSettings& settings) {
  return {kData, fmt::format("the log '{}' at {} was removed: the servers have no stream of that name",
                             settings.stream, WithoutCredentials(SplitServers(settings.log)))};
}

NatsLink::~NatsLink() {
  nats->jsCtx_Destroy(jet);
  nats->natsConnection_Destroy(connection);
}

Result<std::shared_ptr<NatsLink>> NatsLink::Connect(const NatsLibrary& nats,
                                                    const ClusterSettings& settings) {
  auto link = std::make_shared<NatsLink>(nats);
  natsOptions* made = nullptr;
  natsStatus status = nats.natsOptions_Create(&made);
  const Owned<natsOptions> options(made, nats.natsOptions_Destroy);
  if (status == NATS_OK) status = SetOptions(nats, settings, made);
  if (status == NATS_OK) {
    if (auto usable = LoadFiles(nats, settings, made); !usable) return tl::unexpected(usable.error());
  }
  if (status == NATS_OK) status = nats.natsConnection_Connect(&link->connection, made);
  jsOptions wait;
  if (status == NATS_OK) status = nats.jsOptions_Init(&wait);
  wait.Wait = settings.answer.count();
  if (status == NATS_OK) status = nats.natsConnection_JetStream(&link->jet, link->connection, &wait);
  if (status != NATS_OK) return tl::unexpected(NatsFailure(*link, settings, "connect", status));
  constexpr int64_t kHeaders = 1024;
  const int64_t most = nats.natsConnection_GetMaxPayload(link->connection);
  if (most < static_cast<int64_t>(OrderedLog::kLongestRecord) + kHeaders) {
    return tl::unexpected(
        Error{kConfig, fmt::format("the servers {} take messages of {} bytes; set their max_payload to {} at "
                                   "least",
                                   WithoutCredentials(SplitServers(settings.log)), most,
                                   OrderedLog::kLongestRecord + kHeaders)});
  }
  return link;
}

std::string_view NatsLink::LastDenied() const {
  if (connection == nullptr) return {};
  const char* denied = nullptr;
  const natsStatus last = nats->natsConnection_GetLastError(connection, &denied);
  return last == NATS_NOT_PERMITTED && denied != nullptr ? denied : std::string_view();
}

Result<std::shared_ptr<NatsLink>> NatsConnector::Connected() {
  const std::lock_guard lock(mutex_);
  if (link_ && nats_->natsConnection_Status(link_->connection) == NATS_CONN_STATUS_CLOSED) link_.reset();
  if (!link_) {
    auto link = NatsLink::Connect(*nats_, settings_);
    if (!link) return link;
    link_ = *std::move(link);
  }
  if (nats_->natsConnection_Status(link_->connection) != NATS_CONN_STATUS_CONNECTED)
    return tl::unexpected(NatsFailure(*link_, settings_, "reach a server", NATS_NOT_YET_CONNECTED));
  return link_;
}

}  // namespace thresher::pipeline
