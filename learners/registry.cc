#include "learners/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "learners/loss/objective.h"
#include "learners/options.h"
#include "learners/specs.h"

namespace thresher::learners {
namespace {

std::string UnknownLearner(std::string_view name) {
  std::vector<std::string_view> known;
  for (const LearnerSpec& spec : AllLearners()) known.push_back(spec.name);
  return fmt::format("unknown learner \"{}\"; expected one of {}", name, fmt::join(known, ", "));
}

}  // namespace

std::span<const LearnerSpec> AllLearners() {
#define THRESHER_CALL(Name) Name(),
  static const std::array kLearners = {THRESHER_LEARNERS(THRESHER_CALL)};
#undef THRESHER_CALL
  return kLearners;
}

const LearnerSpec* FindLearner(std::string_view name) {
  const auto found = std::ranges::find(AllLearners(), name, &LearnerSpec::name);
  return found == AllLearners().end() ? nullptr : &*found;
}

std::optional<OptionFault> WrongOption(std::string_view name, const OptionValues& given) {
  const LearnerSpec* spec = FindLearner(name);
  if (spec == nullptr) return OptionFault{"", UnknownLearner(name)};
  const auto complete = CompleteOptions(spec->options, given, spec->check);
  if (!complete) return complete.error();
  if (const Objective objective = ReadObjective(*complete); !objective.CanBegin()) {
    return OptionFault{
        "min_gradient",
        fmt::format(
            "min_gradient: expected at most {}, the derivative of {} loss at margin 0, found \"{}\": a "
            "new model would learn nothing",
            std::abs(objective.Slope(0, Label::kSpam)), WordOption(*complete, "loss"),
            WordOption(*complete, "min_gradient"))};
  }
  return std::nullopt;
}

tl::expected<std::unique_ptr<Learner>, std::string> MakeLearner(std::string_view name,
                                                                const OptionValues& given) {
  const LearnerSpec* spec = FindLearner(name);
  if (spec == nullptr) return tl::unexpected(UnknownLearner(name));
  const auto complete = CompleteOptions(spec->options, given, spec->check);
  if (!complete) return tl::unexpected(fmt::format("learner {}: {}", name, complete.error().what));
  return spec->make(*complete);
}

tl::expected<std::unique_ptr<Learner>, std::string> RestoreLearner(std::string_view name,
                                                                   std::string_view options_text) {
  const auto values = SplitOptions(options_text);
  if (!values) return tl::unexpected(fmt::format("learner {}: {}", name, values.error()));
  auto learner = MakeLearner(name, *values);
  // An option that the text lacks must not silently take today's default.
  if (learner && (*learner)->OptionsText() != options_text) {
    return tl::unexpected(fmt::format("learner {}: options \"{}\" are not complete; expected the form \"{}\"",
                                      name, options_text, (*learner)->OptionsText()));
  }
  return learner;
}

}  // namespace thresher::learners
