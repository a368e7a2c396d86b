#include "pipeline/commands/replay_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "eval/figures.h"
#include "eval/report.h"
#include "eval/report_json.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/model/distinct_counter.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

eval::Summary Figures(const ReplayRequest& request, const ReplayRun& run) {
  std::vector<eval::Outcome> even = run.outcomes;
  for (eval::Outcome& outcome : even) outcome.called_spam = outcome.probability >= 0.5;
  const eval::NamedTable::Unsure unsure{run.report.unsure_ham, run.report.unsure_spam};
  return eval::Summarise(
      {{fmt::format("spam if p ≥ {:g}", run.options.thresholds.spam), eval::Tabulate(run.outcomes), unsure},
       {"spam if p ≥ 0.5", eval::Tabulate(even)}},
      run.outcomes, request.figures);
}

// A checkpoint with the figures of the messages classified until then.
struct PointFigures {
  CurvePoint model;
  eval::CurvePoint figures;
};

// Empty for a cross-validation: it has several streams.
std::vector<PointFigures> LearningCurve(const ReplayRequest& request, const ReplayRun& run) {
  if (request.split.folds > 0) return {};
  std::vector<CurvePoint> points = run.report.curve;
  points.push_back({.examples = run.report.taught,
                    .classified = run.report.classified,
                    .nonzeros = run.statistics.nonzeros,
                    .l1_norm = run.statistics.l1_norm,
                    .stored_rows = run.statistics.stored_rows});
  std::vector<uint64_t> ends;
  ends.reserve(points.size());
  for (const CurvePoint& point : points) ends.push_back(point.classified);
  const std::vector<eval::CurvePoint> figures =
      eval::LearningCurve(run.outcomes, ends, 0, request.figures.ties);
  std::vector<PointFigures> curve;
  for (size_t i = 0; i < points.size(); ++i) curve.push_back({points[i], figures[i]});
  return curve;
}

// The stress options that were used, by their names; empty if none.
ordered_json StressOf(const ReplayRequest& request) {
  const Stress plain;
  const Stress& stress = request.stress;
  ordered_json json = ordered_json::object();
  if (request.feedback != "all") json["feedback"] = request.feedback;
  if (request.self_train != 0) json["self-train"] = request.self_train;
  if (stress.share != plain.share) json["share"] = stress.share;
  if (stress.delay != plain.delay) json["delay"] = stress.delay;
  if (stress.flip != plain.flip) json["flip"] = stress.flip;
  if (stress.late_spam_share) json["late-spam-share"] = *stress.late_spam_share;
  const bool is_random = json.contains("share") || json.contains("flip") || json.contains("late-spam-share");
  if (is_random) json["seed"] = stress.seed;
  return json;
}

// The split options that were used, by their names; empty if none.
ordered_json SplitOf(const Split& split) {
  ordered_json json = ordered_json::object();
  if (split.folds > 0) json["folds"] = split.folds;
  if (split.train_first > 0) json["train-first"] = split.train_first;
  if (split.shuffle) json["shuffle"] = *split.shuffle;
  return json;
}

void PrintFlags(std::string_view title, const ordered_json& flags, std::FILE* to) {
  if (flags.empty()) return;
  fmt::print(to, "{:<7}", title);
  for (const auto& [name, value] : flags.items()) {
    fmt::print(to, " {}={}", name,
               value.is_string()         ? value.get<std::string>()
               : value.is_number_float() ? fmt::format("{}", value.get<double>())  // 5000, not 5000.0
                                         : value.dump());
  }
  fmt::print(to, "\n");
}

void PrintCurve(const std::vector<PointFigures>& curve, std::FILE* to) {
  fmt::print(to, "\nexamples   (1−ROCA)%   log-loss   non-zero        ‖w‖₁   stored rows\n");
  for (const PointFigures& point : curve) {
    fmt::print(to, "{:>8} {:>11} {:>10} {:>10} {:>11.4g} {:>13}\n", point.model.examples,
               eval::OrDash(point.figures.so_far.roc_area_above), eval::OrDash(point.figures.window.log_loss),
               point.model.nonzeros, point.model.l1_norm, point.model.stored_rows);
  }
}

ordered_json ToJson(const std::vector<PointFigures>& curve) {
  ordered_json points = ordered_json::array();
  for (const PointFigures& point : curve) {
    points.push_back({{"examples", point.model.examples},
                      {"classified", point.model.classified},
                      {"roc_area_above_percent", eval::OrNull(point.figures.so_far.roc_area_above)},
                      {"log_loss", eval::OrNull(point.figures.window.log_loss)},
                      {"nonzeros", point.model.nonzeros},
                      {"l1_norm", point.model.l1_norm},
                      {"stored_rows", point.model.stored_rows}});
  }
  return points;
}

}  // namespace

void PrintReplayText(const ReplayRequest& request, const ReplayRun& run, std::FILE* to) {
  const auto read = static_cast<double>(run.report.entries);
  fmt::print(to, "{}\nlearner {} ({})\n", request.index, run.learner, run.learner_options);
  PrintFlags("stress", StressOf(request), to);
  PrintFlags("split", SplitOf(request.split), to);
  fmt::print(to, "\n{}", eval::FormatText(Figures(request, run)));
  const uint64_t folds = request.split.folds;  // each has a model of its own
  fmt::print(to, "\nlearned from     {} of {} taught messages{} ({} sure of the others)\n",
             run.report.updated, run.report.taught, folds == 0 ? "" : fmt::format(" in all {} models", folds),
             folds == 0 ? "the model was" : "they were");
  if (request.self_train > 0) {
    fmt::print(to, "taught itself    {} messages by its own verdict, {} of them wrongly\n",
               run.report.self_taught, run.report.self_wrong);
  }
  fmt::print(to, "model            {}{} non-zero weights, ‖w‖₁ {:.4g}, {} stored rows, {} features seen\n",
             folds == 0 ? "" : fmt::format("mean of {}: ", folds), run.statistics.nonzeros,
             run.statistics.l1_norm, run.statistics.stored_rows, Approximately(run.statistics.features_seen));
  fmt::print(to,
             "speed            {:.0f} messages/s, {:.1f} MB/s, {:.0f} features per message, {} thread{}\n",
             read / run.seconds, static_cast<double>(run.report.bytes) / run.seconds / 1e6,
             static_cast<double>(run.report.features) / std::max(1.0, read), run.options.threads,
             run.options.threads == 1 ? "" : "s");
  fmt::print(to, "peak memory      {:.1f} MB; store {:.1f} MB\n",
             static_cast<double>(run.peak_kib) * 1024 / 1e6, static_cast<double>(run.sizes.total) / 1e6);
  if (!run.report.truncated.empty())
    fmt::print(to, "truncated        {} messages exceeded a limit\n", run.report.truncated.size());
  if (!run.report.curve.empty()) PrintCurve(LearningCurve(request, run), to);
}

void PrintReplayJson(const ReplayRequest& request, const ReplayRun& run, std::FILE* to) {
  const ordered_json json = {{"index", request.index},
                             {"preset", run.preset},
                             {"learner", run.learner},
                             {"learner_options", run.learner_options},
                             {"stress", StressOf(request)},
                             {"split", SplitOf(request.split)},
                             {"figures", eval::ToJson(Figures(request, run))},
                             {"classified", run.report.classified},
                             {"taught", run.report.taught},
                             {"self_taught", run.report.self_taught},
                             {"self_wrong", run.report.self_wrong},
                             {"updated", run.report.updated},
                             {"truncated", run.report.truncated.size()},
                             {"unreadable", run.report.unreadable.size()},
                             {"nonzeros", run.statistics.nonzeros},
                             {"l1_norm", run.statistics.l1_norm},
                             {"stored_rows", run.statistics.stored_rows},
                             {"features_seen", run.statistics.features_seen},
                             {"learning_curve", ToJson(LearningCurve(request, run))},
                             {"seconds", run.seconds},
                             {"bytes", run.report.bytes},
                             {"threads", run.options.threads},
                             {"peak_memory_kib", run.peak_kib},
                             {"store_bytes", run.sizes.total},
                             {"bytes_per_nonzero", BytesPer(run.statistics.nonzeros, run.sizes)},
                             {"bytes_per_stored_row", BytesPer(run.statistics.stored_rows, run.sizes)}};
  WriteJson(json, 2, to);
}

eval::HtmlRun DrawReplay(const ReplayRequest& request, const ReplayRun& run, eval::WorstErrors worst) {
  const auto order = request.split.folds == 0 ? eval::MessageOrder::kOfTime : eval::MessageOrder::kNone;
  eval::HtmlRun drawn = eval::DrawRun(request.index, Figures(request, run), run.outcomes, order);
  drawn.worst = std::move(worst);
  const Thresholds& thresholds = run.options.thresholds;
  if (const auto score = eval::ScoreAt(thresholds.ham, run.outcomes))
    drawn.thresholds.push_back({fmt::format("ham up to p = {:g}", thresholds.ham), *score});
  if (const auto score = eval::ScoreAt(thresholds.spam, run.outcomes))
    drawn.thresholds.push_back({fmt::format("spam from p = {:g}", thresholds.spam), *score});
  drawn.about = fmt::format("{} ({})", run.learner, run.learner_options);
  for (const ModelSizePoint& size : run.report.sizes) drawn.sizes.push_back({size.examples, size.nonzeros});
  if (request.split.folds == 0) drawn.sizes.push_back({run.report.taught, run.statistics.nonzeros});
  return drawn;
}

}  // namespace thresher::pipeline
