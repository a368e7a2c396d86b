// thresher backup: a copy of a model, made while others use it.
#include "storage/backup.h"

#include <fmt/format.h>

#include "pipeline/commands/command.h"
#include "pipeline/model.h"
#include "pipeline/store_error.h"

namespace thresher::pipeline {
namespace {

struct Flags {
  ModelFlags model;
  std::string target;
};

Result<int> Backup(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const std::filesystem::path directory = ModelDirectory(*settings);
  if (auto exists = Model::CheckExists(directory); !exists) return tl::unexpected(exists.error());
  const auto backup = storage::BackUp(directory, flags.target);
  if (!backup) return StoreFailure(backup.error());
  fmt::print("{}: {} examples; {} table files linked, {} copied; {:.2f} MB copied\n", flags.target,
             backup->last_seq, backup->tables_linked, backup->tables_copied,
             static_cast<double>(backup->bytes_copied) / 1e6);
  return 0;
}

}  // namespace

void AddBackup(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("backup", "Copy a model, while it is being used");
  command->footer(
      "DIR becomes a model as this one is at one moment: what had been learned before is in it. Read it by "
      "`--store PARENT --model NAME`\n"
      "where DIR is PARENT/NAME; to restore it, put it where the model was. On the same file system it "
      "shares "
      "the model's table files, which\n"
      "never change, so that it takes little time and room but is lost with the disk. Without spool/. Exit "
      "code: 0, 66 if there is no model,\n"
      "73 if DIR is not empty or cannot be made.");
  auto flags = std::make_shared<Flags>();
  flags->model.AddTo(command);
  command->add_option("DIR", flags->target, "A directory that is empty or not there yet")->required();
  command->callback([=] { *exit_code = Run([&] { return Backup(*flags); }); });
}

}  // namespace thresher::pipeline
