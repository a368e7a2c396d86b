#include "pipeline/distributed/distributed_fit.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "learners/batch/solvers.h"
#include "learners/distributed/solver.h"
#include "learners/distributed/tree_sum.h"
#include "learners/options.h"
#include "pipeline/distributed/agreement.h"
#include "pipeline/distributed/distributed_report.h"
#include "pipeline/distributed/file_share.h"
#include "pipeline/distributed/shared_state.h"
#include "pipeline/fit/report_schedule.h"
#include "pipeline/terminal/whole_file.h"

namespace thresher::pipeline {
namespace {

using learners::distributed::Group;
using learners::distributed::Parts;
using learners::distributed::Share;
using learners::distributed::Solver;
using Clock = std::chrono::steady_clock;

// An error of process 0, which all others take part in finding. `mine` is the error of this process, if any.
template <class T>
int CodeOf(Group& group, const Result<T>& mine) {
  return FirstFailure(group, mine ? nullptr : &mine.error());
}

// Identifies the examples, in process 0; the same for any number of processes.
uint64_t DigestOf(Group& group, const FileShare& file) {
  std::vector<uint64_t> digests;
  for (const PartRows& part : file.rows()) digests.push_back(part.Digest());
  if (group.rank() > 0) {
    group.SendNumbers(0, std::span<const uint64_t>(digests));
    return 0;
  }
  const Parts parts = file.share().parts;
  for (size_t other = 1; other < group.size(); ++other) {
    std::vector<uint64_t> others(parts.FirstOf(other + 1) - parts.FirstOf(other));
    group.ReceiveNumbers(other, std::span(others));
    digests.insert(digests.end(), others.begin(), others.end());
  }
  const uint64_t ids = XXH3_64bits(file.ids().data(), file.ids().size_bytes());
  return XXH3_64bits_withSeed(digests.data(), digests.size() * sizeof(uint64_t), ids);
}

class DistributedFitting {
 public:
  DistributedFitting(const Share& share, Solver& solver, const DistributedOptions& options,
                     SharedState* state, DistributedReport* report)
      : share_(share), solver_(solver), options_(options), state_(state), report_(report) {}

  // The exit code.
  int Run() {
    if (const int code = Report(options_.resume.empty()); code != 0) return code;
    while (!(reached_ && IsReportDue(epochs_)) && epochs_ < options_.epochs) {
      const uint64_t sent = share_.group.bytes_sent();
      const auto begin = Clock::now();
      solver_.Step();
      seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
      bytes_ += share_.group.bytes_sent() - sent;
      ++epochs_;
      const bool is_due = IsReportDue(epochs_);
      if (!is_due && epochs_ < options_.epochs) continue;
      if (const int code = Report(is_due); code != 0) return code;
    }
    return 0;
  }

  bool reached() const { return reached_; }

 private:
  // As fitting.cc's; the parts of the processes have no bound of the minimum in their memory.
  int Report(bool is_surely_due) {
    const auto report = [this] { return solver_.Report(); };
    DistributedPoint point = {
        .progress = is_surely_due ? report() : ReportOutOfTurn(solver_.SharedMemory(), report),
        .bytes = 0,
        .seconds = seconds_};
    if (point.progress.gap <= 0) point.progress.gap = 0;  // below 0 by rounding only
    point.bytes = BytesOfAll();
    const double objective = point.progress.primal;
    Result<void> done;
    if (share_.group.rank() == 0 && !std::isfinite(objective)) {
      done = tl::unexpected(Error{
          kData, fmt::format("solver {}: the objective is {} after {} epochs; scale the features or take "
                             "a larger penalty",
                             options_.solver, objective, point.progress.epochs)});
    }
    if (const int code = CodeOf(share_.group, done); code != 0) return code;
    epochs_ = point.progress.epochs;
    reached_ = point.progress.gap <= options_.gap * std::abs(objective);
    if (share_.group.rank() == 0) report_->Add(point);
    if (options_.resume.empty() || epochs_ == 0) return 0;
    return CodeOf(share_.group, state_->Save());
  }

  uint64_t BytesOfAll() const {
    std::array<double, 1> sum = {static_cast<double>(bytes_)};
    const size_t size = share_.group.size();
    learners::distributed::TreeSum all(share_.group, {size, size}, 1);
    all.Add(sum);
    all.Finish(sum);
    return static_cast<uint64_t>(sum[0]);
  }

  const Share& share_;
  Solver& solver_;
  const DistributedOptions& options_;
  SharedState* state_;
  DistributedReport* report_;
  uint64_t epochs_ = 0;
  uint64_t bytes_ = 0;  // sent by this process
  double seconds_ = 0;
  bool reached_ = false;
};

// What is wrong before anything is read; only process 0 looks.
Result<void> Check(const Group& group, const DistributedOptions& options) {
  if (group.rank() > 0) return {};
  const auto complete = learners::distributed::CompleteSolverOptions(options.solver, options.options);
  if (!complete) return tl::unexpected(Error{kConfig, complete.error()});
  if (options.parts != 0 && options.parts < group.size())
    return tl::unexpected(Error{kUsage, fmt::format("--parts {}: expected at least one for each of the {} "
                                                    "processes",
                                                    options.parts, group.size())});
  return {};
}

Result<void> WriteWeights(WholeFile& file, std::span<const uint64_t> ids, std::span<const double> weights) {
  for (size_t j = 0; j < ids.size(); ++j)
    if (weights[j] != 0) file.Write(fmt::format("{} {}\n", ids[j], weights[j]));
  return file.Close();
}

}  // namespace

int RunDistributedFit(Group& group, const DistributedOptions& options) {
  if (const int code = CodeOf(group, Check(group, options)); code != 0) return code;
  using learners::distributed::CompleteSolverOptions;
  const learners::distributed::SolverSpec& spec = *learners::distributed::FindSolver(options.solver);
  const learners::OptionValues complete = *CompleteSolverOptions(options.solver, options.options);
  auto weights = group.rank() == 0 ? WholeFile::OpenIfNamed(options.weights)
                                   : Result<std::optional<WholeFile>>(std::nullopt);
  if (const int code = CodeOf(group, weights); code != 0) return code;

  const Parts parts = {options.parts == 0 ? group.size() : options.parts, group.size()};
  const auto file = FileShare::Read(group, parts, spec.by, options.input);
  if (const int code = CodeOf(group, file); code != 0) return code;
  const Share share = file->share();
  Result<void> targets;
  for (const PartRows& part : file->rows()) {
    const auto wrong = learners::batch::FirstWrongTarget(complete, part.targets);
    if (wrong)
      targets = tl::unexpected(Error{kData, fmt::format("{}: an example {}", options.input, wrong->why)});
  }
  if (const int code = CodeOf(group, targets); code != 0) return code;

  const auto solver = spec.make(share, complete, options.seed);
  const std::string text = learners::FormatOptions(spec.options, complete);
  const uint64_t digest = options.resume.empty() ? 0 : DigestOf(group, *file);
  SharedState state(share, *solver, options.resume,
                    fmt::format("{} {} seed={} parts={} examples={:016x}", options.solver, text, options.seed,
                                parts.count, digest));
  if (!options.resume.empty()) {
    if (const int code = CodeOf(group, state.Restore()); code != 0) return code;
  }
  DistributedReport report(options, text, share);
  DistributedFitting fitting(share, *solver, options, &state, &report);
  if (const int code = fitting.Run(); code != 0) return code;
  const std::span<const double> result = solver->Weights();
  Result<void> written;
  if (group.rank() == 0 && *weights) written = WriteWeights(**weights, file->ids(), result);
  if (const int code = CodeOf(group, written); code != 0) return code;
  return group.rank() == 0 ? report.End(fitting.reached()) : 0;
}

}  // namespace thresher::pipeline
