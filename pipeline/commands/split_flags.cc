#include "pipeline/commands/split_flags.h"

#include <fmt/format.h>

namespace thresher::pipeline {
namespace {

// A whole number of messages, or a share of them.
CLI::Validator CountOrShare() {
  const auto check = [](const std::string& text) -> std::string {
    const schema::OptionSpec count = {.min = 1, .whole = true};
    const schema::OptionSpec share = {.max = 1, .min_excluded = true};
    if (count.Canonical(text) || share.Canonical(text)) return {};
    return fmt::format("expected {}, or {}, found \"{}\"", count.Expected(), share.Expected(), text);
  };
  return {check, "N|SHARE"};
}

}  // namespace

void SplitFlags::AddTo(CLI::App* command) {
  auto* group = command->add_option_group("Split", "For corpora whose order has no meaning");
  auto* folds = group->add_option(
      "--folds", split_.folds,
      "Cross-validation with this number of parts: each part is classified by a model that was "
      "trained on the others");
  folds->transform(WholeNumber(UINT32_MAX, 2));
  group
      ->add_option(
          "--train-first", split_.train_first,
          "Train on this number of messages (below 1: this share of them), then only classify the rest")
      ->check(CountOrShare())
      ->excludes(folds);
  group->add_option("--shuffle", split_.shuffle, "Shuffle the messages with this seed")
      ->transform(WholeNumber(UINT64_MAX));
}

}  // namespace thresher::pipeline
