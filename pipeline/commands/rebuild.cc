// thresher rebuild: make a model again from its log, with the same learner or another.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "learners/options.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/command_access.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/progress.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

struct RebuildFlags {
  ModelFlags model;
  bool partial = false;
  bool corrected = false;
  bool as_taught = false;
  bool without_bad = false;
};

Result<void> PrintCounts(const char* what, const Inspection& model) {
  const auto statistics = model.Statistics();
  if (!statistics) return tl::unexpected(statistics.error());
  fmt::print("{:<8}{} ham, {} spam, {} non-zero weights\n", what, statistics->ham, statistics->spam,
             statistics->nonzeros);
  return {};
}

// Of the learner's options only those that changed: all of them would hide these.
void PrintLearner(const learners::Learner& now, const std::string& name_before,
                  const learners::OptionValues& options_before) {
  if (now.Name() != name_before) {
    fmt::print("learner {}, was {}: {}\n", now.Name(), name_before, now.OptionsText());
    return;
  }
  const std::string changed = Differences(*learners::SplitOptions(now.OptionsText()), options_before, "was");
  fmt::print("learner {}{}\n", now.Name(), changed.empty() ? ", as before" : ": " + changed);
}

// The preset of a configuration file is for new models.
void SayIfPresetIsNotUsed(const Settings& settings, const ModelIdentity& recorded, const Remaking& wanted) {
  if (const auto* const preset = PresetNotUsed(settings, recorded, wanted)) {
    fmt::print(stderr,
               "thresher: {0}: preset {1} is for new models and does not count here; only --preset does\n",
               Printable(preset->place), settings.preset);
  }
}

Result<void> RebuildAs(Remaking wanted, LabelsToLearn labels, Model& model) {
  const Inspection inspection = model.Inspect();
  const std::string name_before = inspection.learner().Name();
  const learners::OptionValues options_before = *learners::SplitOptions(inspection.learner().OptionsText());
  if (auto printed = PrintCounts("was", inspection); !printed) return printed;
  {
    Progress progress("examples", inspection.log().last_seq);
    auto rebuilt = model.Rebuild(
        std::move(wanted.learner), wanted.rehearsal, labels, [&](uint64_t seq) { progress.Set(seq); },
        wanted.features);
    if (!rebuilt) return rebuilt;
  }
  if (auto done = model.Compact(); !done) {
    Error error = done.error();
    error.message = "rebuilt, but not compacted, so that the old rows still take room: " + error.message;
    return tl::unexpected(error);
  }
  if (wanted.features) fmt::print("all messages of the log were tokenised again, with other features\n");
  if (auto printed = PrintCounts("is", inspection); !printed) return printed;
  PrintLearner(inspection.learner(), name_before, options_before);
  return {};
}

// Names the examples that nothing can be learned from; they go if `leave_out` is set, and else are an error.
Result<void> LeaveOutBad(Model& model, bool leave_out) {
  const auto bad = model.BadExamples();
  if (!bad) return tl::unexpected(bad.error());
  if (bad->empty()) return {};
  for (const BadExample& example : *bad)
    fmt::print(stderr, "thresher: example {}{}: {}\n", example.seq,
               example.message ? fmt::format(" of <{}>", Printable(example.message->message_id)) : "",
               example.what);
  if (!leave_out) {
    return tl::unexpected(
        Error{kData, fmt::format("nothing can be learned from {} example{} of the log: "
                                 "--without-bad leaves {} message{} out",
                                 bad->size(), bad->size() == 1 ? "" : "s", bad->size() == 1 ? "its" : "their",
                                 bad->size() == 1 ? "" : "s")});
  }
  const auto left_out = model.ForgetBad(*bad);
  if (!left_out) return tl::unexpected(left_out.error());
  fmt::print("left out: {} message{}, {} example{}\n", left_out->messages, left_out->messages == 1 ? "" : "s",
             left_out->examples, left_out->examples == 1 ? "" : "s");
  return {};
}

Result<void> CheckComplete(const LogPosition& log) {
  if (log.expired == 0) return {};
  return tl::unexpected(Error{
      kData, fmt::format("the oldest {} of {} examples have expired from the log: --partial makes a model "
                         "of the others",
                         log.expired, log.last_seq)});
}

Result<int> Rebuild(const RebuildFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  WriteAccess access = CommandAccess(*settings);
  access.model.may_be_bad = flags.without_bad;
  auto model = OpenModel(ModelDirectory(*settings), *settings, access, Remake::kYes);
  if (!model) return tl::unexpected(model.error());
  if (auto complete = CheckComplete((*model)->Inspect().log()); !complete && !flags.partial)
    return tl::unexpected(complete.error());
  if (auto sound = LeaveOutBad(**model, flags.without_bad); !sound) return tl::unexpected(sound.error());
  auto wanted = WantedRemaking(*settings, (*model)->identity());
  if (!wanted) return tl::unexpected(wanted.error());
  SayIfPresetIsNotUsed(*settings, (*model)->identity(), *wanted);
  if (KeepsFeatures(*settings, (*model)->identity()))
    fmt::print(stderr, "thresher: the features stay as they are: the log holds features, not messages\n");
  const LabelsToLearn labels = flags.corrected   ? LabelsToLearn::kCorrected
                               : flags.as_taught ? LabelsToLearn::kAsTaught
                                                 : (*model)->labels();
  if (auto done = RebuildAs(*std::move(wanted), labels, **model); !done) return tl::unexpected(done.error());
  return 0;
}

}  // namespace

void AddRebuild(CommandLine& line) {
  Command command = line.Add("rebuild", "Train a model again from its log, with the same learner or another");
  command.Footer(
      "Examples stay; --learner NAME, --set learner.options.NAME=VALUE and --set rehearsal.NAME=VALUE\n"
      "change how the model learns. What is not given stays as it was: a model that was rebuilt with\n"
      "--corrected is so again, until --as-taught. With --preset NAME it learns as a new model of that\n"
      "preset, whatever it was; default is one, too. A preset, learner or features of the configuration\n"
      "file are for new models; rebuild says so if --preset with that of the file would make another model.\n"
      "A log of features keeps them: a preset that names others, as fast, is refused. A log of messages\n"
      "(log.holds=message) is tokenised again, with the features of --preset or --set features.NAME=VALUE;\n"
      "only features.ignore_headers stays. What `thresher forget` took away leaves no trace. Others see the\n"
      "old model until the new one is complete, also after a crash.\n"
      "Exit code: 0; 65 if a part of the log has expired, or an example of it is bad; 66 if there is no\n"
      "model; 75 if another process is writing to the model.");
  RebuildFlags& flags = command.Runs(Rebuild);
  flags.model.AddTo(command);
  flags.model.AddSetting(
      command, "--learner", "learner.name",
      "Learner of the rebuilt model (default: its present one); `thresher learners` lists them");
  flags.model.AddSetting(command, "--wait", "store.wait_seconds");
  command.Add("--corrected", &flags.corrected,
              "Train on each message once, with its last label, so that corrected mistakes leave no trace");
  command
      .Add("--as-taught", &flags.as_taught,
           "Train on every example under the label it was taught, mistakes and corrections included")
      .Excludes({"--corrected"});
  command.Add("--without-bad", &flags.without_bad,
              "Take messages with a bad example (see `thresher check`) out of the log, for good");
  command.Add("--partial", &flags.partial, "Rebuild even if the oldest examples have expired from the log");
}

}  // namespace thresher::pipeline
