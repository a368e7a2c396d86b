// thresher export: a whole model as text, or the examples it was taught for other learners.
#include <fmt/format.h>
#include <sys/stat.h>

#include <optional>

#include "pipeline/commands/command.h"
#include "pipeline/export/example_text.h"
#include "pipeline/export/model_export.h"
#include "pipeline/model.h"
#include "pipeline/output_file.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  ModelFlags model;
  std::string out = "-";
  std::string examples;
  std::string ids;
};

Result<void> WriteExamples(const Flags& flags, const std::filesystem::path& directory,
                           const Settings& settings, OutputFile* out) {
  std::optional<OutputFile> ids;
  if (!flags.ids.empty()) {
    auto opened = OutputFile::Open(flags.ids);
    if (!opened) return tl::unexpected(opened.error());
    ids.emplace(*std::move(opened));
  }
  const auto form = flags.examples == "vw" ? ExampleForm::kVw : ExampleForm::kLibsvm;
  auto done = ExportExamples(
      directory, settings, form, [&](std::string_view line) { out->Write(line); },
      [&](std::string_view line) {
        if (ids) ids->Write(line);
      });
  if (!done || !ids) return done;
  return ids->Close();
}

Result<int> Export(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const std::filesystem::path directory = ModelDirectory(*settings);
  if (auto exists = Model::CheckExists(directory); !exists) return tl::unexpected(exists.error());
  ::umask(S_IRWXG | S_IRWXO);  // it holds words of somebody's mail
  auto out = OutputFile::Open(flags.out);
  if (!out) return tl::unexpected(out.error());
  const auto done = flags.examples.empty()
                        ? ExportModel(directory, *settings, [&](std::string_view line) { out->Write(line); })
                        : WriteExamples(flags, directory, *settings, &*out);
  if (!done) return tl::unexpected(done.error());
  if (auto closed = out->Close(); !closed) return tl::unexpected(closed.error());
  return 0;
}

}  // namespace

void AddExport(CLI::App& app, int* exit_code) {
  CLI::App* command =
      app.add_subcommand("export", "Write a whole model as text, or its examples for other learners");
  command->footer(
      "A line of JSON for each thing the model holds (docs/export.md), as they are at this moment; a writer "
      "may "
      "be at work. `thresher\n"
      "import` makes the same model of it, to the bit. With --examples, what it was taught: a line for each "
      "time, features numbered from 1.\n"
      "Exit code: 0, 65 if the model is damaged, 66 if there is none.");
  auto flags = std::make_shared<Flags>();
  flags->model.AddTo(command);
  command->add_option("--out", flags->out, "File to write, for its owner only; - is standard output")
      ->capture_default_str();
  auto* examples = command
                       ->add_option("--examples", flags->examples,
                                    "Only the examples, in the form of Vowpal Wabbit (vw) or libsvm")
                       ->check(CLI::IsMember({"vw", "libsvm"}));
  command->add_option("--ids", flags->ids, "File for a line of JSON with each feature's number, id and text")
      ->needs(examples);
  command->callback([=] { *exit_code = Run([&] { return Export(*flags); }); });
}

}  // namespace thresher::pipeline
