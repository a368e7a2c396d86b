// thresher check: whether everything in a model is what it must be.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "pipeline/check/model_check.h"
#include "pipeline/commands/command.h"
#include "pipeline/commands/command_access.h"
#include "pipeline/commands/json_output.h"
#include "pipeline/commands/log_name.h"
#include "pipeline/model/store_error.h"
#include "pipeline/opening/opening.h"
#include "pipeline/terminal/progress.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

struct CheckFlags {
  ModelFlags model;
  bool json = false;
  bool cut_log = false;
};

std::string_view Text(ImageState state) {
  switch (state) {
    case ImageState::kNone:
      return "none; scoring asks the database";
    case ImageState::kEqual:
      return "equal to the database";
    case ImageState::kEarlier:
      return "of an earlier checkpoint; the next writer replaces it";
    case ImageState::kDamaged:
      return "damaged or of another version; scoring asks the database, and the next `thresher learn` makes "
             "it "
             "anew";
    case ImageState::kWrong:
      break;
  }
  return "wrong";
}

void PrintCheck(const std::string& where, const ModelCheck& check) {
  fmt::print("model            {}\n", where);
  fmt::print("table files      {}, {:.2f} MB: the checksum of every block, and of the log\n",
             check.files.files, static_cast<double>(check.files.bytes) / 1e6);
  fmt::print("rows             {} of {} ({} bytes each, finite), {} non-zero weights\n", check.rows,
             check.learner, check.row_bytes, check.weights);
  fmt::print("texts            {}, each of its row's id\n", check.texts);
  fmt::print("{}  {}: {} to {}, weights up to {}{}\n", LogName(check.log_of_messages), check.examples,
             check.first_seq, check.last_seq, check.applied_seq,
             check.forgotten > 0 ? fmt::format("; {} of them forgotten", check.forgotten) : "");
  fmt::print("message keys     {}\n", check.message_keys);
  fmt::print("score image      {}\n", Text(check.image));
  for (const std::string& wrong : check.wrong) fmt::print("wrong: {}\n", Printable(wrong));
  if (check.wrong_in_all > check.wrong.size())
    fmt::print("wrong: and {} things more\n", check.wrong_in_all - check.wrong.size());
  if (check.wrong_in_all == 0) fmt::print("nothing is wrong\n");
}

void PrintCheckAsJson(const std::string& where, const ModelCheck& check) {
  const nlohmann::ordered_json json = {{"model", where},
                                       {"wrong", check.wrong},
                                       {"wrong_in_all", check.wrong_in_all},
                                       {"bad_examples", check.bad_examples},
                                       {"learner", check.learner},
                                       {"row_bytes", check.row_bytes},
                                       {"files", check.files.files},
                                       {"file_bytes", check.files.bytes},
                                       {"rows", check.rows},
                                       {"nonzeros", check.weights},
                                       {"texts", check.texts},
                                       {"log_of_messages", check.log_of_messages},
                                       {"examples", check.examples},
                                       {"forgotten", check.forgotten},
                                       {"first_seq", check.first_seq},
                                       {"last_seq", check.last_seq},
                                       {"applied_seq", check.applied_seq},
                                       {"message_keys", check.message_keys},
                                       {"image", Text(check.image)}};
  WriteJson(json);
}

Result<int> Check(const CheckFlags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  const std::filesystem::path directory = ModelDirectory(*settings);
  if (flags.cut_log) {
    const WriteAccess access = CommandAccess(*settings);
    const auto given_up = storage::Database::GiveUpLostExamples(directory, access.wait, access.on_wait);
    if (!given_up) return StoreFailure(given_up.error());
    const std::string lost = given_up->last_lost == 0
                                 ? "no example is known to be lost"
                                 : fmt::format("examples {} to {} are lost: teach their messages again",
                                               given_up->last_left + 1, given_up->last_lost);
    fmt::print(stderr, "thresher: {}: {}; the last one is {}\n", directory.string(), lost,
               given_up->last_left);
  }
  const auto check = [&] {
    std::optional<Progress> progress;
    return CheckModel(directory, *settings, [&](uint64_t done, uint64_t last) {
      if (!progress) progress.emplace("examples", last);
      progress->Set(done);
    });
  }();
  if (!check) return tl::unexpected(check.error());
  (flags.json ? PrintCheckAsJson : PrintCheck)(directory.string(), *check);
  if (check->wrong_in_all == 0) return 0;
  return Fail({kData, fmt::format("{} is damaged in {} places: {}restore it from a backup, or remove it and "
                                  "teach again",
                                  directory.string(), check->wrong_in_all,
                                  check->bad_examples == 0
                                      ? ""
                                      : "make it again without the bad examples by `thresher rebuild "
                                        "--without-bad`, ")});
}

}  // namespace

void AddCheck(CommandLine& line) {
  Command command = line.Add("check", "Verify all data of a model");
  command.Footer(
      "Reads the model as it is at one moment and changes nothing without --cut-log; another process may\n"
      "write meanwhile. Prints one line for each part that was verified and for each error (at most 100).\n"
      "Exit code: 0; 65 if there is an error; 66 if there is no model; 74 if a part cannot be read; 75 if\n"
      "another process is writing to a model whose log is to be cut.");
  CheckFlags& flags = command.Runs(Check);
  flags.model.AddTo(command);
  command.Add(
      "--cut-log", &flags.cut_log,
      "First remove the damaged part of the log and all after it, so that the model can be written again; "
      "this cannot be undone");
  command.Add("--json", &flags.json, "Print JSON");
}

}  // namespace thresher::pipeline
