// thresher import: a model from what `thresher export` wrote.
#include <fmt/format.h>

#include "pipeline/commands/command.h"
#include "pipeline/commands/waiting_messages.h"
#include "pipeline/export/model_import.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/awaiting.h"

namespace thresher::pipeline {
namespace {

struct ImportFlags {
  ModelFlags model;
  std::string file = "-";
};

Result<int> Import(const ImportFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const std::filesystem::path directory = ModelDirectory(*settings);
  SayAwaited(flags.file, "the output of `thresher export`");
  const auto imported = ImportModel(flags.file, directory, *settings);
  if (!imported) return tl::unexpected(imported.error());
  fmt::print("{}: {} rows, {} examples\n", directory.string(), imported->rows, imported->examples);
  SayIfMessagesWait(*settings);
  return 0;
}

}  // namespace

void AddImport(CommandLine& line) {
  Command command = line.Add("import", "Make a model from the output of `thresher export`");
  command.Footer(
      "The new model is identical to the exported one. No model of that name may exist. If the input is\n"
      "incomplete or damaged, no model is made.\n"
      "Exit code: 0; 65 if the file is damaged or not an export; 66 if it cannot be read; 73 if there is\n"
      "a model of that name.");
  ImportFlags& flags = command.Runs(Import);
  flags.model.AddTo(command);
  command.Add("FILE", &flags.file, "Output of `thresher export`, plain or compressed; - is standard input")
      .ShowDefault();
}

}  // namespace thresher::pipeline
