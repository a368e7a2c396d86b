// thresher backup: a copy of a model, made while others use it.
#include "storage/backup.h"

#include <fmt/format.h>

#include "pipeline/commands/command.h"
#include "pipeline/model/store_error.h"
#include "pipeline/opening/opening.h"

namespace thresher::pipeline {
namespace {

struct BackupFlags {
  ModelFlags model;
  std::string target;
};

Result<int> Backup(const BackupFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const std::filesystem::path directory = ModelDirectory(*settings);
  if (auto exists = CheckModelExists(directory); !exists) return tl::unexpected(exists.error());
  const auto backup = storage::BackUp(directory, flags.target);
  if (!backup) return StoreFailure(backup.error());
  fmt::print("{}: {} examples; {} table files linked, {} copied; {:.2f} MB copied\n", flags.target,
             backup->examples, backup->tables_linked, backup->tables_copied,
             static_cast<double>(backup->bytes_copied) / 1e6);
  return 0;
}

}  // namespace

void AddBackup(CommandLine& line) {
  Command command = line.Add("backup", "Copy a model; others may read and write it meanwhile");
  command.Footer(
      "DIR becomes a copy of the model at one moment, with everything trained before that moment, without\n"
      "the spool. To read it, give --store PARENT --model NAME if DIR is PARENT/NAME. To restore it, move\n"
      "it to the place of the model. On the same file system the copy shares the table files of the model,\n"
      "which never change: it is fast and needs little space, but a disk failure destroys both.\n"
      "Exit code: 0; 66 if there is no model; 73 if DIR is not empty or cannot be created.");
  BackupFlags& flags = command.Runs(Backup);
  flags.model.AddTo(command);
  command.Add("DIR", &flags.target, "Directory for the copy; it must be empty or not exist").Require();
}

}  // namespace thresher::pipeline
