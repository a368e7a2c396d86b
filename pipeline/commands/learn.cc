// thresher learn: teach messages.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "pipeline/commands/command.h"
#include "pipeline/commands/labelled_paths.h"
#include "pipeline/commands/teach_tally.h"
#include "pipeline/commands/teacher.h"
#include "pipeline/terminal/progress.h"

namespace thresher::pipeline {
namespace {

using Paths = std::vector<std::string>;

struct LearnFlags {
  ModelFlags model;
  InputFlags input;  // its paths: those after no label
  Paths spam;        // {""}: the flag was given without a path
  Paths ham;
  bool stream = false;
  bool force = false;
};

// The messages of one class.
struct ClassOfMail {
  Label label;
  const Paths* paths;
  InputReader reader;
  uint64_t total = 0;  // 0: not counted
  TeachTally tally = {};
  uint64_t refused = 0;
  bool ended = false;

  // Of the message of this name.
  void Add(const std::string& name, const Result<TeachResult>& taught) {
    if (taught) return tally.Add(*taught);
    ++refused;
    Fail(FileError(taught.error().exit_code, name, taught.error().message));
  }
};

Result<void> CheckCanBeCounted(const Paths& paths, Label label) {
  for (const std::string& path : paths) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    const bool can = is_regular_file(status) || is_directory(status) || !exists(status);
    if (can && !path.empty() && path != "-") continue;
    return tl::unexpected(
        Error{kUsage, fmt::format("--{0}: where both classes are given, the messages are counted first; name "
                                  "files and folders after --{0}",
                                  NameOf(label))});
  }
  return {};
}

// What cannot be read is reported when the messages are read again.
uint64_t Count(const InputFlags& input, const Paths& paths, const Paths& left_out = {}) {
  InputReader reader(
      input.form(), paths, [](const Error&) {}, left_out);
  RawMessage message;
  while (reader.Next(&message)) {
  }
  return reader.tally().visited;
}

// What lies at a path of the other class is left out of a folder around it.
Result<std::vector<ClassOfMail>> BothClasses(const LearnFlags& flags) {
  if (!flags.input.paths.empty()) {
    return tl::unexpected(
        FileError(kUsage, flags.input.paths.front(), "spam or ham? Name it after --spam or after --ham"));
  }
  for (const auto& [label, paths] : {std::pair(Label::kHam, &flags.ham), {Label::kSpam, &flags.spam}}) {
    if (auto can = CheckCanBeCounted(*paths, label); !can) return tl::unexpected(can.error());
  }
  if (auto apart = CheckLabelledPaths(flags.spam, flags.ham); !apart) return tl::unexpected(apart.error());
  std::vector<ClassOfMail> classes;
  for (const auto& [label, paths, others] :
       {std::tuple(Label::kHam, &flags.ham, &flags.spam), {Label::kSpam, &flags.spam, &flags.ham}}) {
    const Paths left_out = PlacesOf(*others);
    classes.push_back({label, paths, InputReader(flags.input.form(), *paths, Fail, left_out),
                       Count(flags.input, *paths, left_out)});
  }
  return classes;
}

// `paths` is where the class's paths are kept.
std::vector<ClassOfMail> OneClass(const LearnFlags& flags, Paths* paths) {
  const Label label = flags.spam.empty() ? Label::kHam : Label::kSpam;
  const Paths& named = flags.spam.empty() ? flags.ham : flags.spam;
  *paths = flags.input.paths;
  if (named != Paths{""}) paths->insert(paths->end(), named.begin(), named.end());
  if (paths->empty()) paths->emplace_back("-");
  std::vector<ClassOfMail> classes;
  classes.push_back({label, paths, InputReader(flags.input.form(), *paths, Fail)});
  return classes;
}

// The class whose next message comes first if both are to end together; null if there are no more.
ClassOfMail* NextOf(std::vector<ClassOfMail>& classes) {
  ClassOfMail* first = nullptr;
  for (ClassOfMail& each : classes) {
    if (each.ended) continue;
    const auto after_next = [](const ClassOfMail& of) { return of.reader.tally().visited + 1; };
    if (first == nullptr || after_next(each) * first->total < after_next(*first) * each.total) first = &each;
  }
  return first;
}

// The turns (evidence.h) of the next message of a class: in proportion, so that all `waiting` examples have
// had theirs with the last message. Depends on nothing else, so that a run that was interrupted goes on in
// the same way.
uint8_t TurnsOfNext(const ClassOfMail& mail, uint64_t waiting) {
  if (waiting == 0 || mail.total < mail.reader.tally().visited) return 1;
  const auto left = static_cast<double>(mail.total - mail.reader.tally().visited + 1);
  const double rounding = std::fmod(left * std::numbers::phi, 1.0);  // spreads evenly what is below 1
  const double turns = std::floor(static_cast<double>(waiting) / left + (left > 1 ? rounding : 0));
  return static_cast<uint8_t>(std::min<double>(turns, kMostTurns));
}

Result<void> TeachAll(const LearnFlags& flags, std::vector<ClassOfMail>& classes, Teacher& teacher) {
  const auto sum = [&](const auto& of) {
    return std::transform_reduce(classes.begin(), classes.end(), uint64_t{0}, std::plus<>(), of);
  };
  std::optional<Progress> progress;
  RawMessage message;
  const auto caution = classes.size() == 1 && !flags.force ? Teacher::Caution::kAsk : Teacher::Caution::kNone;
  while (ClassOfMail* const next = NextOf(classes)) {
    next->ended = !next->reader.Next(&message);
    if (next->ended) continue;
    const auto waiting = teacher.Waiting(OtherClass(next->label));
    if (!waiting) return tl::unexpected(waiting.error());
    if (!progress) {
      const bool is_to_be_counted = next->total == 0 && *waiting > 0;
      if (is_to_be_counted && CheckCanBeCounted(*next->paths, next->label))
        next->total = Count(flags.input, *next->paths);
      progress.emplace("messages", sum([](const ClassOfMail& each) { return each.total; }));
    }
    // Of two classes each message has a turn at least, as if they had come in together.
    const uint8_t least_turns = classes.size() == 1 ? 0 : 1;
    const uint8_t turns = std::max(least_turns, TurnsOfNext(*next, *waiting));
    auto taught = teacher.Teach(message.bytes, flags.input.kind(), next->label,
                                {.streamed = flags.stream, .turns = turns}, caution,
                                [next, name = message.name](const auto& result) { next->Add(name, result); });
    if (!taught) return taught;
    progress->Set(sum([](const ClassOfMail& each) { return each.reader.tally().visited; }));
  }
  return teacher.TeachHeld();
}

// Nothing on standard input is somebody's mistake; a folder or an mbox may be empty, as on a quiet day.
bool IsFromStandardInput(const ClassOfMail& mail) {
  return std::ranges::find(*mail.paths, "-") != mail.paths->end();
}

void SayTaught(const std::vector<ClassOfMail>& classes) {
  for (const ClassOfMail& each : classes) {
    const InputTally& read = each.reader.tally();
    fmt::print("{}: {}{}{}\n", NameOf(each.label), each.tally.Text(),
               each.refused > 0 ? fmt::format(", {} not taken", each.refused) : "",
               read.no_mail > 0 ? fmt::format(", {} no mail", read.no_mail) : "");
  }
}

uint64_t LearnedOf(const std::vector<ClassOfMail>& classes) {
  return std::transform_reduce(classes.begin(), classes.end(), uint64_t{0}, std::plus<>(),
                               [](const ClassOfMail& each) { return each.tally.Learned(); });
}

// For each class: what is still left of the other one (TurnsOfNext), as where its last messages were known,
// or few. A line each; empty if nothing is.
Result<std::string> WhatWaits(const std::vector<ClassOfMail>& classes, Teacher& teacher) {
  std::string text;
  for (const ClassOfMail& each : classes) {
    if (each.total == 0) continue;
    const Label other = OtherClass(each.label);
    const auto waiting = teacher.Waiting(other);
    if (!waiting) return tl::unexpected(waiting.error());
    if (*waiting == 0) continue;
    text += fmt::format("{} of {} still wait to be learned, with {} that is taught later\n", *waiting,
                        NameOf(other), NameOf(each.label));
  }
  return text;
}

Result<int> Learn(const LearnFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  Paths paths;
  auto classes = flags.spam.empty() || flags.ham.empty()
                     ? Result<std::vector<ClassOfMail>>(OneClass(flags, &paths))
                     : BothClasses(flags);
  if (!classes) return tl::unexpected(classes.error());
  Teacher teacher(*settings);
  auto taught = TeachAll(flags, *classes, teacher);
  // It acknowledges what was taught, whatever ended the run.
  if (auto done = teacher.Finish(); !done) return tl::unexpected((taught ? done : taught).error());
  const uint64_t learned = LearnedOf(*classes);
  if (!taught && learned > 0) SayTaught(*classes);
  if (!taught) return tl::unexpected(taught.error());
  InputTally all;
  uint64_t refused = 0;
  for (const ClassOfMail& each : *classes) {
    all += each.reader.tally();
    refused += each.refused;
  }
  if (all.IsEmpty() && std::ranges::any_of(*classes, IsFromStandardInput)) return tl::unexpected(NoMessage());
  SayTaught(*classes);
  const auto waits = WhatWaits(*classes, teacher);
  if (!waits) return tl::unexpected(waits.error());
  fmt::print("{}", *waits);
  const auto needed = teacher.WhatIsNeeded();
  if (!needed) return tl::unexpected(needed.error());
  if (!needed->empty()) fmt::print("{}\n", *needed);
  const auto doubtful = teacher.WhatIsDoubtful(learned);
  if (!doubtful) return tl::unexpected(doubtful.error());
  if (!doubtful->empty()) fmt::print("{}\n", *doubtful);
  return all.ExitCode() == 0 && refused > 0 ? kData : all.ExitCode();
}

}  // namespace

void AddLearn(CommandLine& line) {
  Command command = line.Add("learn", "Train a model on messages as spam or as ham");
  command.Footer(
      "Messages of both classes are taught in turn, in proportion to their numbers, as if they had come in\n"
      "together: learn --spam Maildir/.Junk --ham Maildir. What is named after one label is left out of a\n"
      "folder around it that is named after the other. A message that was trained before with the same\n"
      "label is skipped; with the other label, the model is corrected. The command succeeds only when all\n"
      "its examples are on disk. One that was interrupted can be run again. If a daemon owns the model\n"
      "(`thresher serve`), it learns them; a model of several machines learns them through their log\n"
      "(cluster.log). Where messages of one class are taught and the model goes on\n"
      "contradicting them, the command stops and asks for --force.\n"
      "Exit code: 0, also for an empty folder; 66 if a message could not be read (the others are trained),\n"
      "standard input has none, or there are paths of both labels and one is not there (nothing is\n"
      "trained); 65 if there was something, but no mail, if the daemon or the log did not take a message\n"
      "(the others are trained), or --force is asked for; 75 if another process is writing to the model.");
  LearnFlags& flags = command.Runs(Learn);
  flags.input.paths.clear();
  FlagGroup label = command.AddGroup("label", "Labels of the messages; without a PATH, standard input");
  label.Add("--spam", &flags.spam, "These are spam").TakeAnyNumber().NameValue("PATH");
  label.Add("--ham", &flags.ham, "These are ham").TakeAnyNumber().NameValue("PATH");
  label.RequireAny("spam or ham? Name the messages after --spam or after --ham");
  command.Add(
      "--stream", &flags.stream,
      "The messages are all mail that arrived, in that order: the probabilities are calibrated on them, too");
  command.Add("--force", &flags.force,
              "Train on messages of one class even if the model contradicts most of them");
  flags.model.AddTo(command);
  flags.model.AddUser(command);
  flags.model.AddSetting(command, "--learner", "learner.name");
  flags.input.AddTo(command);
  flags.model.AddSetting(command, "--wait", "store.wait_seconds");
}

}  // namespace thresher::pipeline
