// A synthetic mail stream: seeded, endless, the same bytes on every machine.
//
// For trying thresher without anybody's mail, for tests and for benchmarks; the command `generate` writes it
// to disk. Nothing in it is real: hosts are below example.com, example.net, example.org and .example,
// addresses in the blocks kept for documentation. It drifts: topics follow seasons, words come into fashion
// and go, spammers change domains. About one message in seventy is of a kind that comes wanted and unwanted
// alike, so no filter can be perfect. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <tl/expected.hpp>

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

// Writes the first messages of a generator as a TREC corpus: data/NNN/NNN, full/index, and a README that says
// what it is. The index is written last, so a corpus that was cut short has none. One line says what went
// wrong.
tl::expected<GenerateSummary, std::string> Generate(const GenerateOptions& options);

}  // namespace thresher::pipeline
