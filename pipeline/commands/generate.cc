// thresher generate: a synthetic mail stream.
#include "pipeline/generate/generate.h"

#include <fmt/format.h>

#include "pipeline/commands/command.h"

namespace thresher::pipeline {

void AddGenerate(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("generate", "Write a synthetic mail stream as a TREC corpus");
  command->footer(
      "The same seed gives the same bytes on every machine. The corpus is for trying and testing thresher;\n"
      "it says nothing about accuracy on real mail.");
  auto options = std::make_shared<GenerateOptions>();
  command->add_option("--out", options->out, "Directory to create")->required();
  command->add_option("--messages", options->messages, "Number of messages")
      ->transform(WholeNumber())
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the random choices")
      ->transform(WholeNumber(UINT64_MAX))
      ->capture_default_str();
  command->add_option("--spam", options->spam_fraction, "Share of spam")
      ->transform(Fraction())
      ->capture_default_str();
  command->callback([=] {
    *exit_code = Run([&]() -> Result<int> {
      const auto summary = Generate(*options);
      if (!summary) return tl::unexpected(Error{kCantCreate, summary.error()});
      fmt::print("{}: {} ham, {} spam\n", (options->out / "full" / "index").string(), summary->ham,
                 summary->spam);
      return 0;
    });
  });
}

}  // namespace thresher::pipeline
