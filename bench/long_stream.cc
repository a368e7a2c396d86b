// Measures a model on an endless, drifting stream of synthetic mail. Each message is scored and learned in
// one process.
//
//   long_stream MESSAGES [KEY=VALUE…]
//
// Prints a tab-separated line for each hundredth of the stream, and a comment on the rows at the end. Sizes
// are in MB: the process, its rows in memory, the store, its weights with their texts, its log with the
// message keys. `errors` is the percentage of the messages since the last line whose probability was on the
// wrong side of ½. KEY=VALUE are settings. Log and memory are bounded as in `learn`; no write waits for the
// disk.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "bench/must.h"
#include "pipeline/generate/generate.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "tests/test_directory.h"

namespace thresher::pipeline {
namespace {

using bench::Must;

constexpr uint64_t kLines = 100;

double Megabytes(uint64_t bytes) { return static_cast<double>(bytes) / 1e6; }

uint64_t ProcessBytes() {
  std::ifstream file("/proc/self/statm");
  uint64_t all = 0;
  uint64_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

class Stream {
 public:
  explicit Stream(const Settings& settings)
      : model_(Open(settings)), tokenizer_(model_->identity().MakeTokenizer()) {}

  void Run(uint64_t messages) {
    fmt::print("messages\tprocess\trows\tstore\tweights\tlog\terrors\n");
    const uint64_t line_every = std::max<uint64_t>(1, messages / kLines);
    for (uint64_t i = 1; i <= messages; ++i) {
      Take(i);
      if (i % line_every == 0) PrintLine(i, line_every);
    }
    const ModelStatistics last = Must(model_->Inspect().Statistics());
    fmt::print("# {} stored rows, {} of them prunable; {} non-zero weights\n", last.stored_rows,
               last.prunable_rows, last.nonzeros);
  }

 private:
  std::unique_ptr<Model> Open(const Settings& settings) const {
    WriteAccess access = TeachingAccess(settings);
    access.durability = storage::Durability::kOs;
    return Must(OpenOrCreateModel(folder_.model(), settings, access));
  }

  void Take(uint64_t number) {
    const SyntheticMessage message = mail_.Next();
    tokenizer_.Tokenize(message.bytes, tokenizer::Kind::kMail, &features_);
    const Label label = message.spam ? Label::kSpam : Label::kHam;
    const Learned learned =
        Must(model_->Learn(features_, {std::to_string(number), ""}, {label, Evidence::kStream}));
    errors_ += (learned.before.probability >= 0.5) != message.spam ? 1 : 0;
  }

  void PrintLine(uint64_t messages, uint64_t since) {
    const storage::Database::Sizes sizes = Must(model_->Inspect().Sizes());
    const auto part = [&](const char* name) { return Megabytes(sizes.parts.at(name)); };
    fmt::print("{}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.3f}\n", messages, Megabytes(ProcessBytes()),
               Megabytes(model_->Inspect().memory_bytes()), Megabytes(sizes.total),
               part("weights") + part("tokens"), part("examples") + part("ids"),
               100 * static_cast<double>(errors_) / static_cast<double>(since));
    std::fflush(stdout);
    errors_ = 0;
  }

  TestDirectory folder_;
  MailGenerator mail_{1};
  std::unique_ptr<Model> model_;
  tokenizer::Tokenizer tokenizer_;
  tokenizer::Features features_;
  uint64_t errors_ = 0;
};

int Main(int argc, char** argv) {
  const uint64_t messages = argc < 2 ? 0 : std::strtoull(argv[1], nullptr, 10);
  if (messages == 0) {
    fmt::print(stderr, "usage: long_stream MESSAGES [KEY=VALUE…]\n");
    return 64;
  }
  Settings settings;
  for (int i = 2; i < argc; ++i) Must(settings.Assign(argv[i]));
  Must(settings.Validate());
  Stream(settings).Run(messages);
  return 0;
}

}  // namespace
}  // namespace thresher::pipeline

int main(int argc, char** argv) { return thresher::pipeline::Main(argc, argv); }
