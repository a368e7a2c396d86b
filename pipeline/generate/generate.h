// A synthetic mail stream: seeded, endless, the same bytes on every machine.
//
// Called by the command `generate`, which writes it to disk, and by tests and benchmarks. Nothing in it is
// real: hosts are below example.com, example.net, example.org and .example, addresses in the blocks reserved
// for documentation. It drifts: topics follow seasons, words come into fashion and leave it, spammers change
// domains. About one message in seventy is of a kind that occurs equally as ham and as spam, so no filter can
// be perfect. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "pipeline/error.h"

namespace thresher::pipeline {

struct SyntheticMessage {
  bool spam;
  std::string bytes;  // lines end in LF
};

class MailGenerator {
 public:
  // REQUIRES: 0 ≤ spam_fraction ≤ 1.
  explicit MailGenerator(uint64_t seed, double spam_fraction = 0.5);
  ~MailGenerator();
  MailGenerator(MailGenerator&&) noexcept;
  MailGenerator& operator=(MailGenerator&&) noexcept;

  SyntheticMessage Next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct GenerateOptions {
  uint64_t seed = 1;
  size_t messages = 2000;
  double spam_fraction = 0.5;
  std::filesystem::path out;  // made if missing; must be empty
};

struct GenerateSummary {
  size_t ham = 0;
  size_t spam = 0;
  uint64_t bytes = 0;
};

// Writes the first messages of a generator as a TREC corpus: data/NNN/NNN, full/index, and a README that
// describes it. The index is written last, so an incomplete corpus has none. kCantCreate: the folder cannot
// be made, or is not empty; kIo: a file cannot be written; kUsage: spam_fraction is none.
Result<GenerateSummary> Generate(const GenerateOptions& options);

}  // namespace thresher::pipeline
