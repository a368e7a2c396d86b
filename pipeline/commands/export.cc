// thresher export: a whole model as text, or the examples it was taught for other learners.
#include <fmt/format.h>
#include <sys/stat.h>

#include "pipeline/commands/command.h"
#include "pipeline/export/model_export.h"
#include "pipeline/model.h"
#include "pipeline/output_file.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  ModelFlags model;
  std::string out = "-";
};

Result<int> Export(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const std::filesystem::path directory = ModelDirectory(*settings);
  if (auto exists = Model::CheckExists(directory); !exists) return tl::unexpected(exists.error());
  ::umask(S_IRWXG | S_IRWXO);  // it holds words of somebody's mail
  auto out = OutputFile::Open(flags.out);
  if (!out) return tl::unexpected(out.error());
  const auto done = ExportModel(directory, *settings, [&](std::string_view line) { out->Write(line); });
  if (!done) return tl::unexpected(done.error());
  if (auto closed = out->Close(); !closed) return tl::unexpected(closed.error());
  return 0;
}

}  // namespace

void AddExport(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("export", "Write a whole model as text");
  command->footer(
      "A line of JSON for each thing it holds (docs/export.md), as they are at this moment; a writer may be "
      "at "
      "work. `thresher import`\n"
      "makes the same model of it, to the bit. Exit code: 0, 65 if the model is damaged, 66 if there is "
      "none.");
  auto flags = std::make_shared<Flags>();
  flags->model.AddTo(command);
  command->add_option("--out", flags->out, "File to write, for its owner only; - is standard output")
      ->capture_default_str();
  command->callback([=] { *exit_code = Run([&] { return Export(*flags); }); });
}

}  // namespace thresher::pipeline
