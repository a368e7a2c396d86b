#include "pipeline/commands/disagreement.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pipeline/terminal/shell_word.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kNotStored =
    "\nTo see why a filter was wrong, keep its model: run `thresher replay INDEX --store DIR --model NAME` "
    "for "
    "each\nresult file, and `thresher eval` with --store DIR and a --model NAME per result file. The list "
    "then "
    "has a command\nfor each message.\n";
constexpr std::string_view kStored =
    "\nThe commands explain with the model that was wrong, as its replay left it: it has learned these "
    "messages "
    "since.\n";

void PrintList(std::span<const Disagreement> disagreements, bool first_is_right) {
  const std::string_view names[] = {"first", "second"};
  fmt::print("\n{} is right and {} is wrong; score of the first, score of the second\n",
             names[first_is_right ? 0 : 1], names[first_is_right ? 1 : 0]);
  bool any = false;
  for (const Disagreement& d : disagreements) {
    if (d.first_is_right != first_is_right) continue;
    any = true;
    fmt::print("  {:<4} {:>12.6g} {:>12.6g}  {}\n", d.is_spam ? "spam" : "ham", d.first_score, d.second_score,
               d.explain ? *d.explain : ShellWord(d.file));
  }
  if (!any) fmt::print("  none\n");
}

}  // namespace

std::string MessageFile(const std::string& folder, std::string_view path) {
  std::string file(path);
  if (!folder.empty() && !file.starts_with('/')) file = folder + (folder.ends_with('/') ? "" : "/") + file;
  return file;
}

std::optional<std::string> ExplainCommand(const std::optional<ModelPlace>& model,
                                          const ExplainedMessage& message) {
  if (!model) return std::nullopt;
  std::string command = "thresher explain --store " + ShellWord(model->store);
  if (!model->model.empty()) command += " --model " + ShellWord(model->model);
  if (message.is_document) command += " --document";
  if (!message.user.empty()) command += " --user " + ShellWord(message.user);
  return command + " " + ShellWord(message.file.starts_with('-') ? "./" + message.file : message.file);
}

void PrintText(std::span<const Disagreement> disagreements) {
  for (const bool first : {true, false}) PrintList(disagreements, first);
  bool any_stored = false;
  bool all_stored = true;
  for (const Disagreement& d : disagreements) {
    any_stored |= d.explain.has_value();
    all_stored &= d.explain.has_value();
  }
  if (any_stored) fmt::print(kStored);
  if (!all_stored) fmt::print(kNotStored);
}

ordered_json ToJson(std::span<const Disagreement> disagreements) {
  ordered_json list = ordered_json::array();
  for (const Disagreement& d : disagreements) {
    list.push_back({{"path", d.path},
                    {"judge", d.is_spam ? "spam" : "ham"},
                    {"right", d.first_is_right ? "first" : "second"},
                    {"first_score", d.first_score},
                    {"second_score", d.second_score},
                    {"explain", d.explain ? ordered_json(*d.explain) : ordered_json(nullptr)}});
  }
  return list;
}

}  // namespace thresher::pipeline
