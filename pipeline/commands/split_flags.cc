#include "pipeline/commands/split_flags.h"

#include <fmt/format.h>

#include "schema/option.h"

namespace thresher::pipeline {
namespace {

// A whole number of messages, or a share of them.
FlagCheck CountOrShare() {
  const schema::OptionSpec count = {.min = 1, .whole = true};
  const schema::OptionSpec share = {.max = 1, .min_excluded = true};
  const std::string expected = fmt::format("{}, or {}", count.Expected(), share.Expected());
  const auto mismatch = [=](const std::string& text) -> std::string {
    if (count.Canonical(text) || share.Canonical(text)) return {};
    return fmt::format("expected {}, found \"{}\"", expected, text);
  };
  return {mismatch, "N|SHARE", expected};
}

}  // namespace

void SplitFlags::AddTo(Command command) {
  FlagGroup group = command.AddGroup("Split", "For corpora whose order has no meaning");
  group
      .Add("--folds", &split_.folds,
           "Cross-validation with this number of parts: each part is classified by a model that was "
           "trained on the others")
      .Check(WholeNumber(UINT32_MAX, 2));
  group
      .Add("--train-first", &split_.train_first,
           "Train on this number of messages (below 1: this share of them), then only classify the rest")
      .Check(CountOrShare())
      .Excludes({"--folds"});
  group.Add("--shuffle", &split_.shuffle, "Shuffle the messages with this seed")
      .Check(WholeNumber(UINT64_MAX));
}

}  // namespace thresher::pipeline
