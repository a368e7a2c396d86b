#include "reproduction/attempts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reproduction/batch_run.h"

namespace thresher::reproduction {
namespace {

using learners::Schedule;

double OrInfinity(double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

double LossAt(const Series& series, double work) { return OrInfinity(ValueAt(series, work)); }

// Of a run that does not come there, beyond all works: less if it ends nearer.
double WorkOrMore(const Series& series, double loss) {
  const double work = WorkUntil(series, loss);
  if (!std::isnan(work)) return work;
  return series.x.back() * (1 + std::max(0.0, OrInfinity(series.y.back()) - loss));
}

template <class Measure>
size_t Least(const std::vector<Attempt>& all, Measure measure) {
  const auto best =
      std::ranges::min_element(all, {}, [&](const Attempt& attempt) { return measure(attempt.series); });
  return static_cast<size_t>(best - all.begin());
}

}  // namespace

double WorkUntil(const Series& series, double loss) {
  for (size_t i = 0; i < series.y.size(); ++i) {
    if (series.y[i] <= loss) return series.x[i];
  }
  return std::nan("");
}

Attempts::Attempts(std::span<const Schedule::Kind> kinds, const StepSizes& sizes, const Aims& aims,
                   const Run& run) {
  for (const Schedule::Kind kind : kinds) Search(kind, SizesFor(kind, sizes), aims, run);
}

void Attempts::Search(Schedule::Kind kind, const StepSizes& sizes, const Aims& aims, const Run& run) {
  StepSearch search(sizes, aims.works.size() + aims.losses.size());
  while (const std::optional<int> k = search.Next()) {
    const Schedule schedule = {.kind = kind, .first = StepSize(*k)};
    const Series series = run(schedule);
    std::vector<double> measures;
    for (const double work : aims.works) measures.push_back(LossAt(series, work));
    for (const double loss : aims.losses) measures.push_back(WorkOrMore(series, loss));
    search.Add(*k, measures);
    all_.push_back({schedule, series});
  }
}

size_t Attempts::BestAt(double work) const {
  return Least(all_, [work](const Series& series) { return LossAt(series, work); });
}

size_t Attempts::FirstAt(double loss) const {
  return Least(all_, [loss](const Series& series) { return WorkOrMore(series, loss); });
}

double Attempts::WorkTo(double loss) const { return WorkUntil(all_[FirstAt(loss)].series, loss); }

Series Attempts::Envelope(const std::string& name) const {
  Series least{.name = name};
  for (const double work : all_.front().series.x) least.Add(work, LossAt(all_[BestAt(work)].series, work));
  return least;
}

}  // namespace thresher::reproduction
