#include "eval/html_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "eval/html/assets.h"
#include "eval/report_json.h"

namespace thresher::eval {
namespace {

using nlohmann::ordered_json;

constexpr uint64_t kCurvePoints = 100;

ordered_json ToJson(const std::vector<ScoredMessage>& messages) {
  ordered_json list = ordered_json::array();
  for (const auto& [path, outcome] : messages) {
    list.push_back({{"path", path},
                    {"score", outcome.score},
                    {"probability", nullptr},
                    {"is_wrong", outcome.called_spam != outcome.judged_spam}});
    if (outcome.probability != Outcome::kUnknown) list.back()["probability"] = outcome.probability;
  }
  return list;
}

ordered_json ToJson(const HtmlRun& run) {
  ordered_json roc = ordered_json::array();
  for (const RocPoint& point : run.roc) roc.push_back({point.ham_lost, point.spam_seen});
  ordered_json sizes = ordered_json::array();
  for (const ModelSize& size : run.sizes) sizes.push_back({size.examples, size.nonzeros});
  ordered_json thresholds = ordered_json::array();
  for (const ThresholdMark& mark : run.thresholds)
    thresholds.push_back({{"label", mark.label}, {"score", mark.score}});
  return {{"name", run.name},
          {"about", run.about},
          {"summary", ToJson(run.summary)},
          {"groups_left_out", run.groups_left_out},
          {"roc", std::move(roc)},
          {"histogram",
           {{"low", run.histogram.low},
            {"width", run.histogram.width},
            {"ham", run.histogram.ham},
            {"spam", run.histogram.spam}}},
          {"sizes", std::move(sizes)},
          {"thresholds", std::move(thresholds)},
          {"worst_ham", ToJson(run.worst.ham())},
          {"worst_spam", ToJson(run.worst.spam())}};
}

// JSON without characters that HTML gives a meaning: names of files and users may be hostile.
std::string ForScript(const ordered_json& json) {
  const std::string text = json.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    switch (c) {  // JSON has these in strings only
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

// Keeps at most kMostCurvePoints, evenly spaced, among them the last.
void Thin(std::vector<CurvePoint>* curve) {
  if (curve->size() <= kMostCurvePoints) return;
  std::vector<CurvePoint> kept;
  for (const uint64_t end : EvenEnds(curve->size(), kMostCurvePoints)) kept.push_back((*curve)[end - 1]);
  *curve = std::move(kept);
}

}  // namespace

HtmlRun DrawRun(std::string name, Summary summary, std::span<const Outcome> outcomes, MessageOrder order) {
  if (summary.curve.empty() && order == MessageOrder::kOfTime) {
    summary.curve = LearningCurve(outcomes, EvenEnds(outcomes.size(), kCurvePoints), 0, summary.options.ties);
  }
  Thin(&summary.curve);
  const size_t shown = std::min(summary.groups.size(), kMostGroups);
  const uint64_t left_out = summary.groups.size() - shown;
  summary.groups.resize(shown);
  return {.name = std::move(name),
          .about = "",
          .summary = std::move(summary),
          .groups_left_out = left_out,
          .roc = RocCurve(Rank(outcomes)),
          .histogram = HistogramOf(outcomes)};
}

bool CanFormatHtml() { return !html::Library().empty(); }

std::string FormatHtml(std::span<const HtmlRun> runs, std::span<const HtmlComparison> comparisons) {
  ordered_json data = {{"runs", ordered_json::array()}, {"comparisons", ordered_json::array()}};
  for (const HtmlRun& run : runs) data["runs"].push_back(ToJson(run));
  for (const HtmlComparison& pair : comparisons)
    data["comparisons"].push_back(ToJson(pair.comparison, pair.first, pair.second));

  const std::string json = ForScript(data);
  const std::pair<std::string_view, std::string_view> parts[] = {
      {"{{style}}", html::Style()},       {"{{data}}", json},
      {"{{licence}}", html::Licence()},   {"{{library}}", html::Library()},
      {"{{elements}}", html::Elements()}, {"{{tables}}", html::Tables()},
      {"{{chart}}", html::Chart()},       {"{{plots}}", html::Plots()}};
  std::string_view page = html::Page();
  std::string text;
  for (const auto& [mark, part] : parts) {  // they are in the order of the page
    const size_t at = page.find(mark);
    text.append(page.substr(0, at)).append(part);
    page.remove_prefix(at + mark.size());
  }
  return text.append(page);
}

}  // namespace thresher::eval
