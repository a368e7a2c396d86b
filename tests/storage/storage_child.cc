// The process that tests kill, race and starve. Prints a line per event; ends when killed, or on an error,
// which it prints.
//   hold DIR            takes the writer lock, prints "held", keeps it
//   teach DIR sync|os   learns examples for ever, prints the number of each when it is acknowledged;
//   checkpoints
//                       every 50 and compacts every 500
//   starve DIR BYTES    as teach, with files limited to BYTES
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>

#include "storage/writer_lock.h"
#include "tests/storage/toy_model.h"

namespace thresher::storage {
namespace {

constexpr uint64_t kCheckpointEvery = 50;
constexpr uint64_t kCompactEvery = 500;

void Say(const std::string& line) {
  std::fputs((line + "\n").c_str(), stdout);
  std::fflush(stdout);
}

int Report(const Error& error) {
  Say("error " + std::to_string(static_cast<int>(error.kind)) + " " + error.message);
  return 1;
}

int Hold(const std::string& dir) {
  const auto lock = WriterLock::Acquire(dir, std::chrono::milliseconds(0));
  if (!lock) return Report(lock.error());
  Say("held");
  pause();
  return 0;
}

int Teach(const std::string& dir, Durability durability) {
  const auto model = ToyModel::OpenOrCreate(dir, durability);
  if (!model) return Report(model.error());
  for (;;) {
    const auto seq = (*model)->Learn();
    if (!seq) {
      // Refused the same way ever after.
      if (const auto again = (*model)->Checkpoint(); again || again.error().message != seq.error().message) {
        Say("went on after an error");
      }
      return Report(seq.error());
    }
    Say(std::to_string(*seq));
    if (*seq % kCheckpointEvery == 0) {
      if (const auto done = (*model)->Checkpoint(); !done) return Report(done.error());
    }
    if (*seq % kCompactEvery == 0) {
      if (const auto done = (*model)->database().Compact(); !done) return Report(done.error());
    }
  }
}

int Starve(const std::string& dir, rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
  return Teach(dir, Durability::kOs);
}

}  // namespace
}  // namespace thresher::storage

int main(int argc, char** argv) {
  using namespace thresher::storage;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 2 && words[0] == "hold") return Hold(words[1]);
  if (words.size() == 3 && words[0] == "teach") {
    return Teach(words[1], words[2] == "sync" ? Durability::kSync : Durability::kOs);
  }
  if (words.size() == 3 && words[0] == "starve") return Starve(words[1], std::stoull(words[2]));
  return 64;
}
