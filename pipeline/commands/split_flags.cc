#include "pipeline/commands/split_flags.h"

#include <cmath>

#include "eval/number.h"

namespace thresher::pipeline {
namespace {

// A whole number of messages, or a share of them.
CLI::Validator CountOrShare() {
  const auto check = [](const std::string& text) -> std::string {
    const std::optional<double> value = eval::ReadNumber(text);
    if (value && *value > 0 && std::isfinite(*value) && (*value < 1 || *value == std::floor(*value)))
      return {};
    return text + " is neither a number of messages nor a share below 1";
  };
  return {check, "N|SHARE"};
}

}  // namespace

void SplitFlags::AddTo(CLI::App* command) {
  auto* group = command->add_option_group("Split", "For corpora whose order means nothing");
  auto* folds =
      group->add_option("--folds", split_.folds,
                        "Cross-validation: each of so many parts is classified by a model that was taught "
                        "the others");
  folds->check(WholeNumber())->check([](const std::string& text) {
    return text == "0" || text == "1" ? std::string("a cross-validation has 2 folds or more") : std::string();
  });
  group
      ->add_option(
          "--train-first", split_.train_first,
          "Only learn from so many messages (or, below 1, from that share of them), only classify the rest")
      ->check(CountOrShare())
      ->excludes(folds);
  group->add_option("--shuffle", split_.shuffle, "Take the messages in an order drawn by this seed")
      ->check(WholeNumber(UINT64_MAX));
}

}  // namespace thresher::pipeline
