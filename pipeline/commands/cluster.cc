// thresher cluster: what a node knows of the log that it shares with others.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/commands/cluster_status.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/serve/daemon_client.h"

namespace thresher::pipeline {
namespace {

struct ClusterFlags {
  ModelFlags model;
  std::string what;
  bool json = false;
};

Result<int> ShowCluster(const ClusterFlags& flags) {
  const auto settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  auto daemon = DaemonClient::Find(*settings);
  if (!daemon) return tl::unexpected(daemon.error());
  if (!*daemon) {
    return tl::unexpected(
        Error{kNoInput, "no daemon owns this model; `thresher serve --log` follows a log (docs/cluster.md)"});
  }
  const auto log = (*daemon)->Log();
  if (!log) return tl::unexpected(log.error());
  if (flags.json) {
    WriteJson(*log);
  } else {
    fmt::print("{}", ClusterStatusText(*log));
  }
  return 0;
}

}  // namespace

void AddCluster(CommandLine& line) {
  Command command = line.Add("cluster", "Show how a daemon follows the log that it shares with others");
  command.Footer(
      "status asks the daemon that owns the model how far it has applied the log, whether it can reach it,\n"
      "and what waits in its outbox. Nodes that have applied the same record have the same digest.\n"
      "The table is of all nodes that were there within a day, as this one saw them last: the state "
      "(follows,\n"
      "not-followed, unequal, differs, away), the last record that is applied and the records that are not,\n"
      "how long ago the node said so, and the last digest of its model that was compared.\n"
      "Exit code: 0; 66 if no daemon owns the model, or it follows no log.");
  ClusterFlags& flags = command.Runs(ShowCluster);
  command.Add("WHAT", &flags.what, "What to show").Check(OneOf({"status"})).Require();
  command.Add("--json", &flags.json, "Print JSON");
  flags.model.AddTo(command);
}

}  // namespace thresher::pipeline
