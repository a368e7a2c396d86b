#include "pipeline/distributed/distributed_report.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/fit/fit_json.h"

namespace thresher::pipeline {
namespace {

// Not fmt::print, which throws where nobody reads what we say: the other processes would wait for ever.
void Print(const std::string& text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), stdout)); }

}  // namespace

DistributedReport::DistributedReport(const DistributedOptions& options, std::string options_text,
                                     const learners::distributed::Share& share)
    : options_(options), options_text_(std::move(options_text)), share_(share) {}

void DistributedReport::Add(const DistributedPoint& point) {
  if (points_.empty() && !options_.json) PrintHead();
  points_.push_back(point);
  if (options_.json) return;
  const learners::batch::Progress& at = point.progress;
  Print(fmt::format("{:>6} {:>9.2f} {:>14} {:>#16.10g} {:>13.6e} {:>10} {:>14} {:>9.3f}\n", at.epochs,
                    at.passes, at.data_accesses, at.primal, at.gap, at.nonzeros, point.bytes, point.seconds));
  std::fflush(stdout);
}

int DistributedReport::End(bool reached) {
  if (options_.json) {
    PrintJson(reached);
  } else {
    Print(reached ? fmt::format("\nstopped at a gap of {:g} of the objective\n", options_.gap)
                  : fmt::format("\nstopped after {} epochs, before the gap was {:g} of the objective\n",
                                points_.back().progress.epochs, options_.gap));
  }
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
  std::fputs("thresher: writing to standard output failed\n", stderr);
  return kIo;
}

void DistributedReport::PrintHead() const {
  Print(fmt::format(
      "{} {}\n{} examples, {} features, {} non-zeros; {} parts, {} processes\n\n"
      "epochs    passes  data accesses        objective           gap  non-zeros     bytes sent   seconds\n",
      options_.solver, options_text_, share_.examples, share_.features, share_.entries, share_.parts.count,
      share_.parts.processes));
}

void DistributedReport::PrintJson(bool reached) const {
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const DistributedPoint& point : points_) {
    points.push_back(PointJson(point.progress, point.seconds));
    points.back()["bytes"] = point.bytes;
  }
  const nlohmann::ordered_json all = {{"solver", options_.solver},
                                      {"options", options_text_},
                                      {"seed", options_.seed},
                                      {"examples", share_.examples},
                                      {"features", share_.features},
                                      {"entries", share_.entries},
                                      {"parts", share_.parts.count},
                                      {"processes", share_.parts.processes},
                                      {"points", points},
                                      {"reached", reached}};
  Print(all.dump(2) + "\n");
}

}  // namespace thresher::pipeline
