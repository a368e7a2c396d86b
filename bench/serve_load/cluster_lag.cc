// Teaches one node of a shared log at a given rate, and measures how long it takes until each node has
// applied it. scripts/bench-cluster runs it.
//
//   cluster_lag --rate MESSAGES_A_SECOND --count MESSAGES INDEX SOCKET…
//
// The first SOCKET is that of the node that is taught; nobody else may teach meanwhile. Prints the median and
// the 99th percentile, in milliseconds: until the node that was taught has answered, which is when it has
// applied the message; and until all of the others had applied it, as they say when asked.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "bench/serve_load/program.h"
#include "bench/serve_load/requests.h"
#include "bench/serve_load/times.h"
#include "storage/write_file.h"

namespace thresher::bench {
namespace {

// A connection to a daemon's socket for HTTP, which takes one request after the other.
class Client {
 public:
  explicit Client(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    if (::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error(fmt::format("{}: {}", path, std::strerror(errno)));
  }
  ~Client() { ::close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // The body of the answer, which must be right.
  std::string Answered(std::string_view request) {
    if (!storage::WriteAll(fd_, request)) throw std::runtime_error("the daemon takes nothing");
    std::string received;
    Answer answer;
    while (!answer.is_complete) {
      char part[4096];
      const ssize_t count = ::read(fd_, part, sizeof part);
      if (count <= 0) throw std::runtime_error("the daemon gives no answer");
      received.append(part, static_cast<size_t>(count));
      answer = AnswerIn(Ask::kHttp, received, /*at_end=*/false);
    }
    if (!answer.is_right || !answer.keeps) throw std::runtime_error(received);
    return received.substr(received.find("\r\n\r\n") + 4);
  }
  // The last record that the node has applied.
  uint64_t Position() {
    const auto ready = nlohmann::json::parse(Answered("GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    return ready.at("log").at("position").get<uint64_t>();
  }

 private:
  int fd_;
};

std::string Percentiles(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return fmt::format("{:.3g} {:.3g}", Percentile(times, .5), Percentile(times, .99));
}

struct Flags {
  double rate = 50;
  size_t count = 200;
  std::string index;
  std::vector<std::string> sockets;
};

void Run(const Flags& flags) {
  const std::vector<SentMessage> messages = ReadMessages(flags.index);
  std::vector<std::unique_ptr<Client>> nodes;
  for (const std::string& socket : flags.sockets) nodes.push_back(std::make_unique<Client>(socket));
  uint64_t position = nodes.front()->Position();
  std::vector<double> own;
  std::vector<double> all;
  auto due = Clock::now();
  for (size_t i = 0; i < std::min(flags.count, messages.size()); ++i) {
    std::this_thread::sleep_until(due);
    const auto begin = Clock::now();
    nodes.front()->Answered(RequestFor(Ask::kLearn, messages[i], /*begins=*/false));
    own.push_back(MillisecondsSince(begin));
    ++position;
    for (size_t k = 1; k < nodes.size(); ++k) {
      while (nodes[k]->Position() < position) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    all.push_back(MillisecondsSince(begin));
    due = std::max(
        due + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / flags.rate)),
        Clock::now());
  }
  fmt::print("{} {}\n", Percentiles(own), Percentiles(all));
}

int Main(int argc, char** argv) {
  CLI::App app("Measures how long nodes take to apply what one of them is taught");
  Flags flags;
  app.add_option("--rate", flags.rate)->check(CLI::PositiveNumber);
  app.add_option("--count", flags.count)->check(CLI::PositiveNumber);
  app.add_option("INDEX", flags.index)->required();
  app.add_option("SOCKET", flags.sockets)->required();
  CLI11_PARSE(app, argc, argv);
  Run(flags);
  return 0;
}

}  // namespace
}  // namespace thresher::bench

int main(int argc, char** argv) {
  return thresher::bench::RunProgram("cluster_lag", thresher::bench::Main, argc, argv);
}
