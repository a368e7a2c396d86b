#include "pipeline/commands/command.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "pipeline/opening/opening.h"
#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

// The value of a flag that is not there: no argument has a NUL.
constexpr std::string_view kNotGiven("\0", 1);

// The first sentence of the setting's help, and its key.
std::string FlagHelp(const schema::OptionSpec& setting) {
  const std::string_view sentence = setting.help.substr(0, setting.help.find(". "));
  const bool has_dot = sentence.ends_with('.');
  return fmt::format("{} ({})", sentence.substr(0, sentence.size() - (has_dot ? 1 : 0)), setting.name);
}

}  // namespace

void ModelFlags::AddTo(Command command) {
  command
      .Add("--config", &config_,
           "Configuration file (default: thresher/config.yaml in the XDG configuration folder)")
      .Check(NotEmpty())
      .Reads();
  AddSetting(command, "--preset", "preset",
             "Values for several settings at once; `thresher config --presets` lists the presets");
  AddSetting(command, "--store", "store.path",
             "Directory of the store (default: thresher in the XDG data folder)");
  AddSetting(command, "--model", "store.model", "Name of the model in the store (default: default)");
  command.Add("--set", &set_, "Any setting that `thresher config` prints; may be repeated")
      .OneValueEachTime()
      .Check(NotEmpty())
      .NameValue("KEY=VALUE");
  command.ReadsToo([this]() -> std::vector<NamedFile> {
    const Result<Settings> settings = Resolve();
    if (!settings) return {};  // the command says why
    return {{"the model", ModelDirectory(*settings).string()}};
  });
}

void ModelFlags::AddUser(Command command) { AddSetting(command, "--user", "store.user"); }

void ModelFlags::AddSetting(Command command, const std::string& flag, const std::string& key,
                            const std::string& description) {
  const schema::OptionSpec& setting = FindSetting(key)->option;
  flags_.push_back({key, std::string(kNotGiven)});
  Flag option =
      command.Add(flag, &flags_.back().value, description.empty() ? FlagHelp(setting) : description);
  if (key != "store.user") option.Check(NotEmpty());  // who has no name is nobody's user
  if (!setting.choices.empty()) {
    option.NameValue(OneOf({setting.choices.begin(), setting.choices.end()}).range);
  } else if (setting.type == schema::OptionType::kNumber) {
    option.NameValue("NUMBER");
  }
}

std::vector<std::string> ModelFlags::Assignments() const {
  std::vector<std::string> assignments;
  for (const Assignment& each : flags_) {
    if (each.value != kNotGiven) assignments.push_back(each.key + "=" + each.value);
  }
  assignments.insert(assignments.end(), set_.begin(), set_.end());
  return assignments;
}

std::vector<std::string> ModelFlags::Words() const {
  std::vector<std::string> words;
  if (!config_.empty()) words = {"--config", config_};
  for (std::string& each : Assignments()) words.insert(words.end(), {"--set", std::move(each)});
  return words;
}

Result<Settings> ModelFlags::Resolve() const {
  Result<Settings> settings = LoadSettings(config_);
  if (!settings) return settings;
  if (auto done = settings->AssignAll(Assignments()); !done) return tl::unexpected(done.error());
  if (auto valid = settings->Validate(); !valid) return tl::unexpected(valid.error());
  return settings;
}

void InputFlags::AddTo(Command command) {
  Flag path =
      command.Add("PATH", &paths,
                  "Files, directories, Maildirs or mboxes, plain or compressed with gzip, bzip2, xz or "
                  "zstd; - is standard input");
  if (!paths.empty()) path.ShowDefault();
  command.Add("--format", &format, "Format of each PATH: one message, an mbox, or auto to detect it")
      .Check(OneOf({"auto", "message", "mbox"}))
      .ShowDefault();
  command.Add("--document", &document, "The messages are plain text without mail headers");
  command
      .Add("--insist", &insist,
           "Treat every file as mail. Without it, what is no message (binary data, index files of mail "
           "programs, texts without a header) is skipped with a note")
      .Excludes({"--document"});
  command.Add("--verbose", &verbose,
              "Name every file that is skipped or cannot be read, not only the first few for each reason");
}

InputForm InputFlags::form() const {
  return {.format = format == "message" ? Format::kMessage
                    : format == "mbox"  ? Format::kMbox
                                        : Format::kAuto,
          .any_bytes = document || insist,
          .verbose = verbose};
}

Error NoMessage() { return {kNoInput, "there is no message in the input"}; }

Result<InputTally> InputFlags::ForEach(const std::function<Result<void>(const RawMessage&)>& visit,
                                       const std::vector<std::string>& left_out) const {
  InputReader reader(form(), paths, Fail, left_out);
  RawMessage message;
  while (reader.Next(&message)) {
    if (auto visited = visit(message); !visited) return tl::unexpected(visited.error());
  }
  return reader.tally();
}

}  // namespace thresher::pipeline
