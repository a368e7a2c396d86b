#include "pipeline/commands/figure_flags.h"

#include <cmath>

#include "eval/number.h"

namespace thresher::pipeline {
namespace {

CLI::Validator PositiveNumber() {
  const auto check = [](const std::string& text) -> std::string {
    const std::optional<double> value = eval::ReadNumber(text);
    if (value && *value > 0 && std::isfinite(*value)) return {};
    return text + " is not a number above 0";
  };
  return {check, ">0"};
}

}  // namespace

void FigureFlags::AddTo(CLI::App* command) {
  auto* group = command->add_option_group("Figures", "How they are found; docs/evaluation.md says more");
  group
      ->add_option("--ties", ties_,
                   "A ham and a spam of one score: half in the wrong order, or, as TREC has it, wholly if "
                   "the spam came first: half, trec")
      ->check(CLI::IsMember({"half", "trec"}))
      ->capture_default_str();
  group
      ->add_option("--interval", interval_,
                   "Intervals of the ROC area and of differences: delong (by variance), bootstrap, auto "
                   "(bootstrap of up to a million messages)")
      ->check(CLI::IsMember({"delong", "bootstrap", "auto"}))
      ->capture_default_str();
  group->add_option("--bootstrap-seed", seed_, "Of the chance in it")
      ->check(WholeNumber(UINT64_MAX))
      ->capture_default_str();
  group
      ->add_option("--ham-cost", ham_cost_,
                   "Print expected costs, a lost ham costing as much as so many spams seen")
      ->check(PositiveNumber());
}

eval::SummaryOptions FigureFlags::Options() const {
  eval::SummaryOptions options;
  options.ties = ties_ == "trec" ? eval::Ties::kTrec : eval::Ties::kHalf;
  options.interval.method = interval_ == "bootstrap" ? eval::IntervalMethod::kBootstrap
                            : interval_ == "delong"  ? eval::IntervalMethod::kDeLong
                                                     : eval::IntervalMethod::kAuto;
  options.interval.seed = seed_;
  options.ham_cost = ham_cost_;
  return options;
}

}  // namespace thresher::pipeline
