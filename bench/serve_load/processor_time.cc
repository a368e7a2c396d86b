#include "bench/serve_load/processor_time.h"

#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <unordered_map>

namespace thresher::bench {
namespace {

struct Process {
  pid_t parent = 0;
  double seconds = 0;
};

// By process id, of all that run.
std::unordered_map<pid_t, Process> Processes() {
  std::unordered_map<pid_t, Process> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream file(entry.path() / "stat");
    const std::string line(std::istreambuf_iterator<char>(file), {});
    const size_t end = line.rfind(')');  // of the program's name
    if (end == std::string::npos) continue;
    std::istringstream fields(line.substr(end + 1));
    std::string skipped;
    Process process;
    fields >> skipped >> process.parent;
    for (int i = 5; i < 14; ++i) fields >> skipped;
    double ticks = 0;
    for (int i = 0; i < 4; ++i) {  // own and waited-for children's, user and system
      double part = 0;
      fields >> part;
      ticks += part;
    }
    process.seconds = ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
    all.emplace(std::stoi(name), process);
  }
  return all;
}

}  // namespace

double OwnSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double SecondsOfTree(pid_t root) {
  const auto all = Processes();
  double seconds = 0;
  for (const auto& [pid, process] : all) {
    pid_t above = pid;
    for (auto found = all.find(above); above != root && found != all.end(); found = all.find(above))
      above = found->second.parent;
    if (above == root) seconds += process.seconds;
  }
  return seconds;
}

}  // namespace thresher::bench
