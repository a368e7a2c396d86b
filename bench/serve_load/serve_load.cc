// Puts load on a filter that listens on this machine, and prints one line of figures. scripts/bench-serve
// runs it.
//
//   serve_load --at SOCKET --ask spamd|http|rspamd|milter|learn|taught|raw [OPTION…] INDEX
//
// INDEX has lines "spam PATH" or "ham PATH". Columns: name, connections, requests offered a second (or all),
// answered a second, p50, p99 and p99.9 of the time to the answer in ms, failed requests, processor time per
// message of this client and of the server in µs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "bench/serve_load/load.h"
#include "bench/serve_load/processor_time.h"
#include "bench/serve_load/program.h"
#include "bench/serve_load/requests.h"
#include "bench/serve_load/times.h"

namespace thresher::bench {
namespace {

struct Flags {
  LoadOptions load;
  std::string ask = "http";
  std::string name;
  pid_t server = 0;
  std::string answered;  // file
  bool heading = false;
  std::string index;
};

void PrintHeading() {
  fmt::print("{:<26} {:>5} {:>8} {:>10} {:>8} {:>8} {:>8} {:>7} {:>9} {:>9}\n", "", "conn.", "offered/s",
             "answered/s", "p50 ms", "p99 ms", "p99.9 ms", "failed", "client µs", "server µs");
}

void Print(const Flags& flags, const LoadResult& result, double client, double server) {
  const auto answered = static_cast<double>(std::max<size_t>(1, result.answered.size()));
  fmt::print("{:<26} {:>5} {:>9} {:>10.4g} {:>8.3g} {:>8.3g} {:>8.3g} {:>7} {:>9.3g} {:>9.3g}\n", flags.name,
             flags.load.connections, flags.load.rate == 0 ? "all" : fmt::format("{:.4g}", flags.load.rate),
             static_cast<double>(result.answered.size()) / result.seconds,
             Percentile(result.milliseconds, .5), Percentile(result.milliseconds, .99),
             Percentile(result.milliseconds, .999), result.failed, client / answered * 1e6,
             server / answered * 1e6);
}

void PrintManner(const Flags& flags, const LoadResult& result) {
  fmt::print(
      "{:<26} {:>5} clients, {} connections, {} of them ended by the server with an answer, after {:.3g} to "
      "{:.3g} s\n",
      flags.name, flags.load.connections, result.connected, result.answered.size() + result.failed,
      Percentile(result.milliseconds, 0) / 1000, Percentile(result.milliseconds, 1) / 1000);
}

int Run(Flags flags) {
  if (flags.heading) PrintHeading();
  flags.load.ask = *AskNamed(flags.ask);
  const std::vector<SentMessage> messages = ReadMessages(flags.index);
  const double server_before = flags.server == 0 ? 0 : SecondsOfTree(flags.server);
  const double client_before = OwnSeconds();
  const LoadResult result = RunLoad(flags.load, messages);
  const double client = OwnSeconds() - client_before;
  const double server = flags.server == 0 ? 0 : SecondsOfTree(flags.server) - server_before;
  if (!flags.answered.empty()) {
    std::ofstream file(flags.answered);
    for (const size_t i : result.answered)
      file << (messages[i].spam ? "spam " : "ham ") << messages[i].path << '\n';
  }
  if (flags.load.manner == Manner::kSound) {
    Print(flags, result, client, server);
  } else {
    PrintManner(flags, result);
  }
  return 0;
}

int Main(int argc, char** argv) {
  CLI::App app("Puts load on a filter and prints one line of figures");
  Flags flags;
  app.add_option("--at", flags.load.at, "Path of a Unix socket, or 127.0.0.1:PORT")->required();
  app.add_option("--ask", flags.ask, "spamd, http, rspamd, milter, learn, taught, raw")
      ->check([](const std::string& name) { return AskNamed(name) ? "" : name + " is not asked"; });
  app.add_option("--manner", flags.load.manner, "sound, slow, unfinished, idle")
      ->transform(CLI::CheckedTransformer(std::map<std::string, Manner>{{"sound", Manner::kSound},
                                                                        {"slow", Manner::kSlow},
                                                                        {"unfinished", Manner::kUnfinished},
                                                                        {"idle", Manner::kIdle}}));
  app.add_option("--connections", flags.load.connections);
  app.add_option("--rate", flags.load.rate, "Requests offered a second; 0: as many as are answered");
  app.add_option("--seconds", flags.load.seconds, "0: until each message was sent once")->take_last();
  app.add_option("--name", flags.name, "The first column");
  app.add_option("--server", flags.server, "Process whose processor time is the server's");
  app.add_option("--answered", flags.answered, "File for the index of what was answered rightly");
  app.add_flag("--heading", flags.heading);
  app.add_option("INDEX", flags.index)->required();
  CLI11_PARSE(app, argc, argv);
  return Run(flags);
}

}  // namespace
}  // namespace thresher::bench

int main(int argc, char** argv) {
  return thresher::bench::RunProgram("serve_load", thresher::bench::Main, argc, argv);
}
