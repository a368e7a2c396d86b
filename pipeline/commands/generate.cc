// thresher generate: a synthetic mail stream.
#include "pipeline/generate/generate.h"

#include <fmt/format.h>

#include "pipeline/commands/command.h"

namespace thresher::pipeline {
namespace {

Result<int> GenerateCorpus(const GenerateOptions& options) {
  const auto summary = Generate(options);
  if (!summary) return tl::unexpected(summary.error());
  fmt::print("{}: {} ham, {} spam\n", (options.out / "full" / "index").string(), summary->ham, summary->spam);
  return 0;
}

}  // namespace

void AddGenerate(CommandLine& line) {
  Command command = line.Add("generate", "Write a synthetic mail stream as a TREC corpus");
  command.Footer(
      "The same seed gives the same bytes on every machine. The corpus is for trying and testing thresher;\n"
      "it says nothing about accuracy on real mail.");
  GenerateOptions& options = command.Runs(GenerateCorpus);
  command.Add("--out", &options.out, "Directory to create").Require();
  command.Add("--messages", &options.messages, "Number of messages").Check(WholeNumber()).ShowDefault();
  command.Add("--seed", &options.seed, "Seed of the random choices")
      .Check(WholeNumber(UINT64_MAX))
      .ShowDefault();
  command.Add("--spam", &options.spam_fraction, "Share of spam").Check(Fraction()).ShowDefault();
}

}  // namespace thresher::pipeline
