#include "reproduction/dual_tasks.h"

#include "reproduction/sets/readers.h"
#include "reproduction/sets/synthetic_text.h"
#include "reproduction/sets/text_features.h"

namespace thresher::reproduction {

DataSet DualData(const Setting& setting) {
  if (setting.size == Size::kFull) {
    return MakeText(ReadNewsgroups(setting.sets), TextFeatures::kWords, 1, IsComputingOrScience);
  }
  DataSet data = MakeSyntheticText({.examples = 1000, .width = 2000, .features = 20}, 1);
  NormaliseExamples(&data);
  return data;
}

double Optimum(const Matrix& matrix, const learners::OptionValues& options, uint64_t entries) {
  constexpr double kMostPasses = 2000;
  const Trace trace =
      RunSolver("sdca", options, matrix,
                {.accesses = 2 * kMostPasses * static_cast<double>(entries), .gap = 1e-10, .points = 10});
  return trace.objective.y.back() - trace.gap.y.back();
}

Trace RunSdca(learners::OptionValues options, const Matrix& matrix, const RunLimit& limit) {
  options["shrinking"] = "off";
  Trace trace = RunSolver("sdca", options, matrix, limit);
  trace.Named("SDCA");
  return trace;
}

Series Suboptimality(const Trace& trace, double optimum, uint64_t entries) {
  Series series{.name = trace.objective.name};
  for (size_t i = 0; i < trace.objective.x.size(); ++i) {
    series.Add(trace.objective.x[i] / (2 * static_cast<double>(entries)), trace.objective.y[i] - optimum);
  }
  return series;
}

}  // namespace thresher::reproduction
