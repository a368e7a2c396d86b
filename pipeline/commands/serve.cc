// thresher serve: a daemon that mail systems ask.
#include <string>
#include <vector>

#include "pipeline/commands/command.h"
#include "pipeline/serve/daemon.h"

namespace thresher::pipeline {
namespace {

struct ServeFlags {
  ModelFlags model;
  std::vector<std::string> spamd;
  std::vector<std::string> http;
  std::vector<std::string> milter;
};

Result<int> RunDaemon(const ServeFlags& flags) {
  const auto settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const auto served = Serve(*settings, {.spamd = flags.spamd, .http = flags.http, .milter = flags.milter},
                            {.read = [&] { return flags.model.Resolve(); }, .words = flags.model.Words()});
  if (!served) return tl::unexpected(served.error());
  return 0;
}

}  // namespace

void AddServe(CommandLine& line) {
  Command command = line.Add("serve", "Answer mail systems on sockets: a daemon that classifies and learns");
  command.Footer(
      "The daemon is the only writer of its model. It teaches in one thread and scores in all others, and\n"
      "acknowledges what it has learned when that is on disk. ADDRESS is 127.0.0.1:783, [::1]:783, or the\n"
      "path of a Unix socket. Where serve.remote is not set, only addresses of this machine are allowed.\n"
      "SIGHUP reads the configuration again; SIGTERM finishes what was begun. The log goes to standard "
      "error.\n"
      "A model that cannot be opened is tried again; until then requests are refused, and the mail system\n"
      "delivers without a verdict.\n"
      "Exit code: 0 after SIGTERM or SIGINT; 64, 73, 75 or 78 if a socket cannot be opened.");
  ServeFlags& flags = command.Runs(RunDaemon);
  command
      .Add("--spamd", &flags.spamd,
           "Listen for the spamd protocol, which spamc speaks (docs/serve.md); may be repeated")
      .OneValueEachTime()
      .NameValue("ADDRESS");
  command
      .Add("--http", &flags.http,
           "Listen for HTTP: JSON, rspamc, and a page for people at /; may be repeated")
      .OneValueEachTime()
      .NameValue("ADDRESS");
  command
      .Add("--milter", &flags.milter,
           "Listen for the milter protocol, which Postfix and Sendmail speak; may be repeated")
      .OneValueEachTime()
      .NameValue("ADDRESS");
  flags.model.AddSetting(command, "--models", "serve.models",
                         "Answer by one model, or by one for each domain or user (docs/serve.md)");
  flags.model.AddSetting(
      command, "--log", "cluster.log",
      "Follow a log that several machines share, so that all have one model: servers of NATS "
      "JetStream, nats://HOST:4222, separated by commas (docs/cluster.md)");
  flags.model.AddSetting(command, "--stream", "cluster.stream", "Name of that log (default: thresher)");
  flags.model.AddTo(command);
  flags.model.AddUser(command);
}

}  // namespace thresher::pipeline
