#include "pipeline/commands/figure_flags.h"

namespace thresher::pipeline {

void FigureFlags::AddTo(CLI::App* command) {
  auto* group = command->add_option_group("Figures", "How figures are computed; see docs/evaluation.md");
  group
      ->add_option(
          "--ties", ties_,
          "A ham and a spam with the same score: half counts them as half in the wrong order, trec as "
          "in the wrong order if the spam came first")
      ->check(OneOf({"half", "trec"}))
      ->capture_default_str();
  group
      ->add_option(
          "--interval", interval_,
          "Intervals of the ROC area and of differences: delong (from the variance), bootstrap, or auto "
          "(bootstrap for up to a million messages)")
      ->check(OneOf({"delong", "bootstrap", "auto"}))
      ->capture_default_str();
  group->add_option("--bootstrap-seed", seed_, "Random seed of the bootstrap")
      ->transform(WholeNumber(UINT64_MAX))
      ->capture_default_str();
  group
      ->add_option("--ham-cost", ham_cost_,
                   "Print expected costs: one ham called spam costs as much as this many spams in the inbox")
      ->transform(Takes({.min_excluded = true}));
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
