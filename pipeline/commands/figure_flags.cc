#include "pipeline/commands/figure_flags.h"

namespace thresher::pipeline {

void FigureFlags::AddTo(Command command) {
  FlagGroup group = command.AddGroup("Figures", "How figures are computed; see docs/evaluation.md");
  group
      .Add("--ties", &ties_,
           "A ham and a spam with the same score: half counts them as half in the wrong order, trec as "
           "in the wrong order if the spam came first")
      .Check(OneOf({"half", "trec"}))
      .ShowDefault();
  group
      .Add("--interval", &interval_,
           "Intervals of the ROC area and of differences: delong (from the variance), bootstrap, or auto "
           "(bootstrap for up to a million messages)")
      .Check(OneOf({"delong", "bootstrap", "auto"}))
      .ShowDefault();
  group.Add("--bootstrap-seed", &seed_, "Random seed of the bootstrap")
      .Check(WholeNumber(UINT64_MAX))
      .ShowDefault();
  group
      .Add("--ham-cost", &ham_cost_,
           "Print expected costs: one ham called spam costs as much as this many spams in the inbox")
      .Check(Takes({.min_excluded = true}));
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
