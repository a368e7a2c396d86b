#include "pipeline/commands/doubt_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "pipeline/commands/json_output.h"
#include "pipeline/terminal/shell_word.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

// The command that corrects a label, for the same model.
std::string FeedbackFor(const DoubtedCase& one, const Settings& settings) {
  std::string line = "thresher feedback";
  if (settings.IsNamed("store.path")) line += " --store " + ShellWord(settings.store_path);
  if (settings.IsNamed("store.model")) line += " --model " + ShellWord(settings.model);
  if (!one.user.empty()) line += " --user " + ShellWord(one.user);
  line += fmt::format(" --{} --id {}", NameOf(OtherClass(one.taught)), ShellWord("<" + one.message_id + ">"));
  if (!one.digest.empty()) line += " --key " + one.digest;
  return line;
}

// What was found, of everybody or of `user`, and how much of it is listed.
std::string Found(const DoubtedCases& cases, const std::string& user) {
  const bool is_one = cases.doubted == 1;
  const std::string_view contradicted =
      is_one ? "has a label that the others contradict" : "have a label that the others contradict";
  std::string found;
  if (user.empty()) {
    found = fmt::format("{} of {} messages {}", cases.doubted, cases.messages, contradicted);
  } else {
    const std::string of_user = cases.doubted == 0
                                    ? fmt::format("no label of {}'s is in doubt", Printable(user))
                                    : fmt::format("{} message{} of {} {}", cases.doubted, is_one ? "" : "s",
                                                  Printable(user), contradicted);
    found = fmt::format("{}; those of all users were judged, {}", of_user, cases.messages);
  }
  if (cases.listed.size() == cases.doubted) return found;
  if (cases.listed.size() == 1) return found + "; the most doubtful";
  return fmt::format("{}; the {} most doubtful", found, cases.listed.size());
}

std::string DayOf(int64_t time_us) {
  return fmt::format("{:%F}", fmt::gmtime(static_cast<std::time_t>(time_us / 1000000)));
}

}  // namespace

void PrintDoubts(const DoubtedCases& cases, const Settings& settings) {
  fmt::print("{}\n", Found(cases, settings.user));
  if (cases.expired == 1) fmt::print("the oldest example has expired from the log and is not judged\n");
  if (cases.expired > 1)
    fmt::print("the oldest {} examples have expired from the log and are not judged\n", cases.expired);
  for (const DoubtedCase& one : cases.listed) {
    fmt::print("\n{}  taught as {} on {}; margin by the others {:+.4g}\n      against {}:",
               Printable(one.message_id), NameOf(one.taught), DayOf(one.time_us), one.margin,
               NameOf(one.taught));
    for (const DoubtedCase::Token& token : one.against)
      fmt::print("{} {} {:+.3g}", &token == &one.against.front() ? "" : ",", Printable(token.text),
                 token.contribution);
    fmt::print("\n      {}\n", FeedbackFor(one, settings));
  }
}

void PrintDoubtsAsJson(const DoubtedCases& cases, const Settings& settings) {
  ordered_json list = ordered_json::array();
  for (const DoubtedCase& one : cases.listed) {
    ordered_json tokens = ordered_json::array();
    for (const DoubtedCase::Token& token : one.against)
      tokens.push_back({{"token", token.text}, {"contribution", token.contribution}});
    list.push_back({{"message_id", Listable(one.message_id)},
                    {"key", one.digest},
                    {"user", one.user},
                    {"taught", NameOf(one.taught)},
                    {"day", DayOf(one.time_us)},
                    {"margin", one.margin},
                    {"against", std::move(tokens)},
                    {"feedback", FeedbackFor(one, settings)}});
  }
  const ordered_json json = {{"messages", cases.messages},
                             {"doubted", cases.doubted},
                             {"expired", cases.expired},
                             {"listed", std::move(list)}};
  WriteJson(json);
}

void PrintDoubtList(const DoubtedCases& cases) {
  for (const DoubtedCase& one : cases.listed)
    fmt::print("{} <{}>{}{}\n", NameOf(OtherClass(one.taught)), Listable(one.message_id),
               one.digest.empty() ? "" : " ", one.digest);
  if (cases.of_others == 0) return;
  const size_t users = cases.others.size();
  fmt::print(stderr, "thresher: {} more {} of {} named user{}: doubt --user NAME --list\n", cases.of_others,
             cases.of_others == 1 ? "is" : "are", users, users == 1 ? "" : "s");
}

}  // namespace thresher::pipeline
