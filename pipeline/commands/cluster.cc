// thresher cluster: what a node knows of the log that it shares with others.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "pipeline/commands/command.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/serve/daemon_client.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

struct ClusterFlags {
  ModelFlags model;
  std::string what;
  bool json = false;
};

// Of the table of nodes.
constexpr char kRow[] = "{:16}  {:12}  {:12}  {:>10}  {:>8}  {:>6}  {:>6}  {:10}  {}\n";

void PrintNodes(const nlohmann::json& nodes) {
  fmt::print("\n");
  fmt::print(kRow, "node", "machine", "state", "record", "lag", "outbox", "seen", "version",
             "digest (after record)");
  for (const nlohmann::json& node : nodes) {
    const auto text = [&](const char* name) { return Printable(node.value(name, std::string())); };
    const auto number = [&](const char* name) { return node.value(name, uint64_t{0}); };
    fmt::print(kRow, text("id"), text("name"), text("state"), number("position"), number("lag"),
               number("outbox"), fmt::format("{} s", number("seconds_ago")), text("version"),
               number("digest_record") == 0
                   ? "none"
                   : fmt::format("{} ({})", text("digest"), number("digest_record")));
  }
  for (const nlohmann::json& node : nodes) {
    if (const std::string trouble = node.value("trouble", std::string()); !trouble.empty())
      fmt::print("{}: {}\n", Printable(node.value("id", std::string())), Printable(trouble));
  }
}

void PrintStatus(const nlohmann::json& log) {
  const auto text = [&](const char* name) { return Printable(log.value(name, std::string())); };
  const auto number = [&](const char* name) { return log.value(name, uint64_t{0}); };
  fmt::print("log {} of model {}\n", text("stream"), text("model"));
  fmt::print("{}\n", log.value("followed", false) ? "followed" : "not followed: " + text("trouble"));
  if (const std::string differs = text("differs"); !differs.empty()) fmt::print("differs: {}\n", differs);
  if (number("last") < number("position")) {
    fmt::print("record {} applied; the log has not been read yet\n", number("position"));
  } else {
    fmt::print("record {} of {} applied\n", number("position"), number("last"));
  }
  fmt::print("{} messages in the outbox\n", number("outbox"));
  fmt::print("records since the start: {} applied, {} twice in the log, {} foreign\n", number("applied"),
             number("duplicates"), number("foreign"));
  fmt::print("digest: {}\n", text("digest"));
  fmt::print("snapshot: {}\n",
             number("snapshot") == 0 ? "none" : fmt::format("after record {}", number("snapshot")));
  if (const std::string why = text("snapshot_trouble"); !why.empty())
    fmt::print("the last snapshot could not be made: {}\n", why);
  PrintNodes(log.value("nodes", nlohmann::json::array()));
}

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
    PrintStatus(*log);
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
