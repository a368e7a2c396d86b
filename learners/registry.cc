#include "learners/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

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

tl::expected<OptionValues, OptionFault> Complete(const LearnerSpec& spec, const OptionValues& given) {
  auto complete = CompleteOptions(spec.options, given, spec.check);
  if (complete && !ReadObjective(*complete).CanLearn()) {
    return tl::unexpected(OptionFault{
        "min_gradient", fmt::format("min_gradient: expected less than the largest derivative of {} loss, 1, "
                                    "found \"{}\": no example would be learned",
                                    WordOption(*complete, "loss"), WordOption(*complete, "min_gradient"))});
  }
  return complete;
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
  const auto complete = Complete(*spec, given);
  if (complete) return std::nullopt;
  return complete.error();
}

tl::expected<std::unique_ptr<Learner>, std::string> MakeLearner(std::string_view name,
                                                                const OptionValues& given) {
  const LearnerSpec* spec = FindLearner(name);
  if (spec == nullptr) return tl::unexpected(UnknownLearner(name));
  const auto complete = Complete(*spec, given);
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
