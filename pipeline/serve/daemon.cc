#include "pipeline/serve/daemon.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "pipeline/cluster/nats_log.h"
#include "pipeline/opening/opening.h"
#include "pipeline/serve/change_rate.h"
#include "pipeline/serve/daemon_beginning.h"
#include "pipeline/serve/daemon_client.h"
#include "pipeline/serve/doubt_run.h"
#include "pipeline/serve/event_log.h"
#include "pipeline/serve/history.h"
#include "pipeline/serve/http_api.h"
#include "pipeline/serve/http_session.h"
#include "pipeline/serve/line_rate.h"
#include "pipeline/serve/listening.h"
#include "pipeline/serve/metrics.h"
#include "pipeline/serve/milter_session.h"
#include "pipeline/serve/models.h"
#include "pipeline/serve/recent_verdicts.h"
#include "pipeline/serve/server.h"
#include "pipeline/serve/spamd_session.h"
#include "pipeline/serve/systemd.h"
#include "pipeline/serve/watched_service.h"
#include "pipeline/serve/watched_session.h"
#include "pipeline/wall_clock.h"

namespace thresher::pipeline {
namespace {

using Kind = EventLog::Kind;

std::chrono::milliseconds Milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
}

// In a process of its own, of this program, with the daemon's settings: not those of a file in the home
// folder of its user, if it was started with another one.
std::vector<std::string> DoubtCommand(const std::vector<std::string>& words) {
  constexpr char kMostDoubts[] = "100";
  std::vector<std::string> command = {"/proc/self/exe", "doubt", "--json", "--top", kMostDoubts};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

class Daemon {
 public:
  Daemon(const Settings& settings, SettingsSource source, Logs logs)
      : settings_(settings),
        source_(std::move(source)),
        log_(STDERR_FILENO, settings.serve.log),
        models_(settings,
                {.on_change = [this](const std::string& folder,
                                     const Result<void>& ready) { OnModel(folder, ready); },
                 .on_close = [this](const std::string& folder,
                                    const Result<void>& closed) { OnClose(folder, closed); },
                 .on_not_kept = [this](const tokenizer::MessageKey& key,
                                       const Error& why) { OnNotKept(key, why); }},
                &history_,
                {.logs = std::move(logs), .on_change = [this](const LogFigures& now) { OnLog(now); }}),
        server_(LimitsOf(settings), {.on_stop = [this] { OnStop(); },
                                     .on_reload = [this] { static_cast<void>(Reload()); },
                                     .on_beat = [] { TellSystemd("WATCHDOG=1"); },
                                     .beat = WatchdogInterval()}) {
    SetMilterRules(settings_);
  }

  void Listen(std::vector<NamedSocket> opened);
  void SetFiles(DaemonFiles files);
  Result<void> Run();

 private:
  static ConnectionLimits LimitsOf(const Settings& settings);
  MakeSession SpamdSessions();
  MakeSession HttpSessions();
  MakeSession MilterSessions();
  void SetMilterRules(const Settings& settings);
  void ListenToCommands();
  void AwaitFirstOpening();
  DaemonFigures Figures();
  void ListenOn(const std::string& protocol, ListeningSocket socket);
  void OnModel(const std::string& folder, const Result<void>& ready);
  void OnClose(const std::string& folder, const Result<void>& closed);
  void OnNotKept(const tokenizer::MessageKey& key, const Error& why);
  void OnLog(const LogFigures& now);
  void OnStop();
  Result<void> Reload();

  Settings settings_;
  SettingsSource source_;
  std::atomic<bool> is_made_ = false;  // the model's thread begins before the server is made
  std::mutex reload_mutex_;
  EventLog log_;
  LineRate not_kept_lines_;
  RecentVerdicts recent_{settings_.serve.recent, UnixMicroseconds()};
  History history_{UnixSeconds()};
  ChangeRate changes_{static_cast<double>(settings_.serve.changes_per_second)};
  ChangeRate guesses_{static_cast<double>(settings_.serve.changes_per_second)};
  Models models_;
  DoubtRun doubt_{DoubtCommand(source_.words)};
  WatchedService spamd_{"spamd", models_, log_, recent_, history_};
  WatchedService http_{"http", models_, log_, recent_, history_};
  WatchedService milter_{"milter", models_, log_, recent_, history_};
  HttpApi http_api_{http_,
                    {.remote = settings_.serve.remote,
                     .figures = [this] { return Figures(); },
                     .reload = [this] { return Reload(); },
                     .recent = &recent_,
                     .history = &history_,
                     .doubt = &doubt_,
                     .changes = &changes_,
                     .guesses = &guesses_,
                     .describe_log = [this](const Whose& whose,
                                            auto done) { models_.DescribeLog(whose, std::move(done)); }}};
  std::mutex command_socket_mutex_;  // of what follows
  bool listens_to_commands_ = false;
  std::mutex milter_mutex_;  // of milter_rules_
  std::shared_ptr<const MilterSession::Rules> milter_rules_;
  Server server_;  // last: its connections use the rest
};

ConnectionLimits Daemon::LimitsOf(const Settings& settings) {
  const ServeSettings& serve = settings.serve;
  // What a request has besides the message: headers of the protocol, the packet that is being read.
  constexpr size_t kHeader = size_t{3} << 20;
  return {.connections = AllowConnections(serve),
          .request_bytes = serve.request_bytes + kHeader,
          .held_bytes = serve.held_bytes,
          .request = Milliseconds(serve.request_seconds),
          .idle = Milliseconds(serve.idle_seconds),
          .patience = Milliseconds(settings.milter.idle_seconds)};
}

MakeSession Daemon::SpamdSessions() {
  return [this](const Peer& peer) {
    const ServeSettings& serve = settings_.serve;
    return std::make_unique<SpamdSession>(
        spamd_, SpamdSession::Rules{.may_teach = !peer.over_tcp || serve.tell_over_tcp,
                                    .message_bytes = serve.request_bytes,
                                    .marks = settings_.features.marks,
                                    .may_change_now = [this, peer] { return changes_.Allow(peer); }});
  };
}

MakeSession Daemon::HttpSessions() {
  return [this](const Peer& peer) {
    return std::make_unique<HttpSession>(http_api_, peer, settings_.serve.request_bytes);
  };
}

MakeSession Daemon::MilterSessions() {
  const auto rules_now = [this] {
    const std::lock_guard lock(milter_mutex_);
    return milter_rules_;
  };
  return [this, rules_now](const Peer&) { return std::make_unique<MilterSession>(milter_, rules_now); };
}

void Daemon::SetMilterRules(const Settings& settings) {
  auto next = std::make_shared<const MilterSession::Rules>(
      MilterSession::Rules{.settings = settings.milter,
                           .models = settings_.serve.models,
                           .tempfail = settings.filter_on_error == "tempfail",
                           .message_bytes = settings_.serve.request_bytes,
                           .marks = settings_.features.marks});
  const std::lock_guard lock(milter_mutex_);
  milter_rules_ = std::move(next);
}

void Daemon::Listen(std::vector<NamedSocket> opened) {
  if (::geteuid() == 0) log_.Write(Kind::kDaemon, {{"event", "warning"}, {"why", "root"}});
  for (NamedSocket& each : opened) ListenOn(each.name, std::move(each.socket));
  ListenToCommands();
}

// Where that fails, commands wait for the writer's lock, as they do for any other writer. A store that does
// not exist is not made for it. The model's thread calls again when it has opened the model: another daemon,
// which listened there, may have ended.
void Daemon::ListenToCommands() {
  std::error_code failed;
  const std::lock_guard lock(command_socket_mutex_);
  if (listens_to_commands_ || !std::filesystem::exists(settings_.store_path, failed)) return;
  const std::string where =
      (models_.are_many() ? StoreSocket(settings_.store_path) : ControlSocket(ModelDirectory(settings_)))
          .string();
  auto socket = ListenAt(where, {});
  if (!socket) {
    log_.Write(Kind::kError, {{"event", "listen"}, {"at", where}, {"error", socket.error().message}});
    return;
  }
  listens_to_commands_ = true;
  ListenOn("http", *std::move(socket));
}

void Daemon::SetFiles(DaemonFiles files) {
  models_.SetLists(std::move(files.lists));
  http_api_.SetToken(std::move(files.token));
}

DaemonFigures Daemon::Figures() {
  return {.is_ready = models_.Ready().has_value(),
          .connections = server_.connections(),
          .waiting = models_.waiting(),
          .not_kept = models_.not_kept(),
          .models = models_.figures(),
          .protocols = {&spamd_, &milter_, &http_},
          .log = models_.Log()};
}

void Daemon::ListenOn(const std::string& protocol, ListeningSocket socket) {
  log_.Write(Kind::kDaemon, {{"event", "listen"}, {"protocol", protocol}, {"at", socket.Name()}});
  server_.Listen(std::move(socket), protocol == "spamd"    ? Watched(SpamdSessions(), spamd_)
                                    : protocol == "milter" ? Watched(MilterSessions(), milter_)
                                                           : Watched(HttpSessions(), http_));
}

// Clients wait meanwhile, rather than be refused. To recover a large model, or to fetch a first snapshot, may
// take longer than the unit lets it take to start.
void Daemon::AwaitFirstOpening() {
  constexpr std::chrono::milliseconds kStep{100};
  constexpr int kStepsOfAnExtension = 100;
  for (int step = 1; !models_.AwaitFirstOpening(kStep) && !server_.HearsStop(); ++step) {
    if (step % kStepsOfAnExtension == 0) TellSystemd("EXTEND_TIMEOUT_USEC=60000000");
  }
}

Result<void> Daemon::Run() {
  AwaitFirstOpening();
  is_made_ = true;
  if (!server_.HearsStop()) {
    ListenToCommands();
    TellSystemd("READY=1");
  }
  server_.Run(settings_.serve.threads > 0 ? settings_.serve.threads
                                          : std::max(1U, std::thread::hardware_concurrency()));
  Result<void> stopped = models_.Stop();
  log_.Write(Kind::kDaemon, {{"event", "stopped"}, {"error", stopped ? "" : stopped.error().message}});
  return stopped;
}

void Daemon::OnModel(const std::string& folder, const Result<void>& ready) {
  if (ready) {
    log_.Write(Kind::kDaemon, {{"event", "ready"}, {"model", folder}});
    if (is_made_) ListenToCommands();
  } else {
    log_.Write(Kind::kError, {{"event", "not-ready"}, {"model", folder}, {"error", ready.error().message}});
  }
  // Of many, one is not the daemon.
  if (models_.are_many()) return;
  TellSystemd(ready ? "STATUS=Ready" : "STATUS=Not ready: " + ready.error().message);
}

void Daemon::OnClose(const std::string& folder, const Result<void>& closed) {
  log_.Write(closed ? Kind::kDaemon : Kind::kError,
             {{"event", "closed"}, {"model", folder}, {"error", closed ? "" : closed.error().message}});
}

void Daemon::OnNotKept(const tokenizer::MessageKey& key, const Error& why) {
  if (!not_kept_lines_.Allow()) return;
  log_.Write(Kind::kError, {{"event", "not-kept"}, {"key", key.digest}, {"error", why.message}});
}

void Daemon::OnLog(const LogFigures& now) {
  const bool is_well = now.trouble.empty() && now.differs.empty();
  log_.Write(is_well ? Kind::kDaemon : Kind::kError,
             {{"event", !now.differs.empty() ? "log-differs"
                        : is_well            ? "log-followed"
                                             : "log-not-followed"},
              {"stream", now.stream},
              {"position", fmt::format("{}", now.position)},
              {"outbox", fmt::format("{}", now.outbox)},
              {"error", now.trouble.empty() ? now.differs : now.trouble}});
}

void Daemon::OnStop() {
  TellSystemd("STOPPING=1");
  log_.Write(Kind::kDaemon, {{"event", "stop"}});
}

// By SIGHUP, or by a client.
Result<void> Daemon::Reload() {
  const std::lock_guard lock(reload_mutex_);
  // From READY=1 on systemd waits for beats, which begin when clients are served.
  const bool is_begun = is_made_;
  if (is_begun) TellSystemd("RELOADING=1");
  const Result<Settings> settings = source_.read();
  auto files = settings ? DaemonFiles::Read(*settings) : tl::unexpected(settings.error());
  Result<void> reloaded;
  if (files) {
    SetFiles(*std::move(files));
    models_.Reload(*settings);
    SetMilterRules(*settings);
    log_.SetLevel(settings->serve.log);
  } else {
    reloaded = tl::unexpected(files.error());
  }
  log_.Write(reloaded ? Kind::kDaemon : Kind::kError,
             {{"event", "reload"}, {"error", reloaded ? "" : reloaded.error().message}});
  if (is_begun) TellSystemd("READY=1");
  return reloaded;
}

// As the user of serve.run_as reads them, now and at each reload: of its own home, and only what it may read.
Result<Settings> SettingsToServe(const Settings& given, const SettingsSource& source) {
  const std::string& user = given.serve.run_as;
  if (user.empty()) return given;
  auto read = source.read();
  if (!read || read->serve.run_as == user) return read;
  return tl::unexpected(
      Error{kConfig,
            fmt::format("the user '{}' reads another configuration than the one that has serve.run_as: name "
                        "one by --config that this user may read",
                        user)});
}

}  // namespace

Result<void> Serve(const Settings& given, const ServeAddresses& addresses, const SettingsSource& source) {
  // First, as it may change the user.
  auto sockets = OpenSockets(given, addresses);
  if (!sockets) return tl::unexpected(sockets.error());
  const auto read = SettingsToServe(given, source);
  if (!read) return tl::unexpected(read.error());
  const Settings& settings = *read;
  const auto logs = settings.cluster.log.empty() ? Result<Logs>(nullptr) : MakeNatsLogs(settings.cluster);
  if (!logs) return tl::unexpected(logs.error());
  auto files = DaemonFiles::Read(settings);
  if (!files) return tl::unexpected(files.error());
  Daemon daemon(settings, source, *logs);
  daemon.SetFiles(*std::move(files));
  daemon.Listen(*std::move(sockets));
  return daemon.Run();
}

}  // namespace thresher::pipeline
