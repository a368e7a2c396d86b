// thresher export: a whole model as text, or the examples it was taught for other learners.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "pipeline/commands/command.h"
#include "pipeline/commands/lost_examples.h"
#include "pipeline/commands/waiting_messages.h"
#include "pipeline/export/example_text.h"
#include "pipeline/export/model_export.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/whole_file.h"

namespace thresher::pipeline {
namespace {

// It holds words of somebody's mail.
constexpr auto kReaders = OutputFile::Readers::kOwner;

struct ExportFlags {
  ModelFlags model;
  std::string out = "-";
  std::string examples;
  std::string ids;
};

Result<void> WriteExamples(const ExportFlags& flags, const std::filesystem::path& directory,
                           const Settings& settings, WholeFile* out) {
  auto ids = WholeFile::OpenIfNamed(flags.ids, kReaders);
  if (!ids) return tl::unexpected(ids.error());
  const auto form = flags.examples == "vw" ? ExampleForm::kVw : ExampleForm::kLibsvm;
  auto done = ExportExamples(
      directory, settings, form, [&](std::string_view line) { out->Write(line); },
      [&](std::string_view line) {
        if (*ids) (*ids)->Write(line);
      });
  return done && *ids ? (*ids)->Close() : done;
}

Result<int> Export(const ExportFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const std::filesystem::path directory = ModelDirectory(*settings);
  if (auto exists = CheckModelExists(directory); !exists) return tl::unexpected(exists.error());
  SayIfExamplesAreLost(directory);
  SayIfMessagesWait(*settings);
  auto out = WholeFile::Open(flags.out, kReaders);
  if (!out) return tl::unexpected(out.error());
  const auto done = flags.examples.empty()
                        ? ExportModel(directory, *settings, [&](std::string_view line) { out->Write(line); })
                        : WriteExamples(flags, directory, *settings, &*out);
  if (!done) return tl::unexpected(done.error());
  if (auto closed = out->Close(); !closed) return tl::unexpected(closed.error());
  return 0;
}

}  // namespace

void AddExport(CommandLine& line) {
  Command command = line.Add("export", "Write a whole model as text, or its examples for other programs");
  command.Footer(
      "Writes JSON lines (docs/export.md) of the model as it is at one moment; another process may write\n"
      "meanwhile. `thresher import` makes an identical model from them. With --examples, writes one line\n"
      "for each training example, with features numbered from 1.\n"
      "Exit code: 0; 65 if the model is damaged; 66 if there is none.");
  ExportFlags& flags = command.Runs(Export);
  flags.model.AddTo(command);
  command
      .Add("--out", &flags.out,
           "Output file, readable by its owner only; - is standard output. One that is there is replaced "
           "when all is written")
      .ShowDefault()
      .WritesWhole();
  command
      .Add("--examples", &flags.examples,
           "Write only the examples, in the format of Vowpal Wabbit (vw) or libsvm")
      .Check(OneOf({"vw", "libsvm"}));
  command.Add("--ids", &flags.ids, "File for one JSON line for each feature: its number, id and text")
      .Needs("--examples")
      .WritesWhole();
}

}  // namespace thresher::pipeline
