// The process that tests kill, read beside, and limit the disk of. Prints a line per event; ends when it is
// killed, or with an error, which it prints.
//   hold DIR            takes the writer lock, prints "held", keeps it
//   teach DIR sync|os   learns examples for ever, prints the number of each when it is acknowledged;
//                       checkpoints every 50, by turns as table files and as a batch, and compacts every 500
//   stroll DIR MS       as teach os, with a pause after each checkpoint for readers under sanitizers
//   visit DIR sync|os   opens, learns 25 examples, checkpoints, closes, again and again; prints the number of
//                       each example, "checkpoint" and "closing" as it begins these
//   starve DIR BYTES    as teach os, with files limited to BYTES, checkpoints as batches only
//   choke DIR BYTES     learns 200 examples, then makes a checkpoint of table files limited to BYTES
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <thread>

#include "storage/writer_lock.h"
#include "tests/storage/toy_model.h"

namespace thresher::storage {
namespace {

constexpr uint64_t kCheckpointEvery = 50;
constexpr uint64_t kCompactEvery = 500;
constexpr uint64_t kVisit = 25;

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

// Prints `error` and checks that every later write fails with it as well.
int ReportForGood(ToyModel& model, const Error& error) {
  for (const Way way : {Way::kBatch, Way::kTables}) {
    if (const auto again = model.Checkpoint(way); again || again.error().message != error.message) {
      Say("went on after an error");
    }
  }
  if (const auto again = model.Learn(); again || again.error().message != error.message) {
    Say("went on after an error");
  }
  return Report(error);
}

int Teach(const std::string& dir, Durability durability, Way odd_way,
          std::chrono::milliseconds pause = std::chrono::milliseconds(0)) {
  const auto model = ToyModel::OpenOrCreate(dir, durability);
  if (!model) return Report(model.error());
  for (;;) {
    const auto seq = (*model)->Learn();
    if (!seq) return ReportForGood(**model, seq.error());
    Say(std::to_string(*seq));
    if (*seq % kCheckpointEvery == 0) {
      const Way way = *seq / kCheckpointEvery % 2 == 0 ? Way::kBatch : odd_way;
      if (const auto done = (*model)->Checkpoint(way); !done) return ReportForGood(**model, done.error());
      std::this_thread::sleep_for(pause);
    }
    if (*seq % kCompactEvery == 0) {
      if (const auto done = (*model)->database().Compact(); !done)
        return ReportForGood(**model, done.error());
    }
  }
}

int Visit(const std::string& dir, Durability durability) {
  for (uint64_t visit = 0;; ++visit) {
    const auto model = ToyModel::OpenOrCreate(dir, durability);
    if (!model) return Report(model.error());
    for (uint64_t i = 0; i < kVisit; ++i) {
      const auto seq = (*model)->Learn();
      if (!seq) return Report(seq.error());
      Say(std::to_string(*seq));
    }
    Say("checkpoint");
    const Way way = visit % 4 == 3 ? Way::kBatch : Way::kTables;
    if (const auto done = (*model)->Checkpoint(way); !done) return Report(done.error());
    Say("closing");
  }
}

void LimitFiles(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

int Starve(const std::string& dir, rlim_t bytes) {
  LimitFiles(bytes);
  return Teach(dir, Durability::kOs, Way::kBatch);
}

int Choke(const std::string& dir, rlim_t bytes) {
  const auto model = ToyModel::OpenOrCreate(dir, Durability::kOs);
  if (!model) return Report(model.error());
  for (int i = 0; i < 200; ++i) {
    const auto seq = (*model)->Learn();
    if (!seq) return Report(seq.error());
    Say(std::to_string(*seq));
  }
  LimitFiles(bytes);
  const auto done = (*model)->Checkpoint(Way::kTables);
  return done ? 0 : ReportForGood(**model, done.error());
}

}  // namespace
}  // namespace thresher::storage

int main(int argc, char** argv) {
  using namespace thresher::storage;
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() >= 2 && words[0] == "hold") return Hold(words[1]);
  const auto durability = words.size() == 3 && words[2] == "sync" ? Durability::kSync : Durability::kOs;
  // With pauses, in which a backup finds a state that stays, however slow the build is.
  if (words.size() == 3 && words[0] == "teach")
    return Teach(words[1], durability, Way::kTables, std::chrono::milliseconds(20));
  if (words.size() == 3 && words[0] == "stroll")
    return Teach(words[1], Durability::kOs, Way::kTables, std::chrono::milliseconds(std::stoi(words[2])));
  if (words.size() == 3 && words[0] == "visit") return Visit(words[1], durability);
  if (words.size() == 3 && words[0] == "starve") return Starve(words[1], std::stoull(words[2]));
  if (words.size() == 3 && words[0] == "choke") return Choke(words[1], std::stoull(words[2]));
  return 64;
}
