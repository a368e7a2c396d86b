#include "pipeline/commands/command.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

namespace thresher::pipeline {

void ModelFlags::AddTo(CLI::App* command) {
  command->add_option("--store", store, "Directory of the store (default: thresher/ in the XDG data folder)");
  command->add_option("--model", model, "Name of the model inside the store (default: default)");
  command->add_option("--config", config,
                      "Configuration file (default: thresher/config.yaml in the XDG configuration folder)");
  command->add_option(
      "--preset", preset,
      "Values for several settings at once: default, sparse, …; `thresher config` prints them all");
  command->add_option("--learner", learner, "Learner for a new model; `thresher learners` lists them");
  command->add_option("--set", set, "KEY=VALUE: any setting that `thresher config` prints; may be repeated")
      ->allow_extra_args(false);
}

Result<Settings> ModelFlags::Resolve() const {
  Result<Settings> settings = LoadSettings(config);
  if (!settings) return settings;
  std::vector<std::string> assignments;
  if (!preset.empty()) assignments.push_back("preset=" + preset);
  if (!store.empty()) assignments.push_back("store.path=" + store);
  if (!model.empty()) assignments.push_back("store.model=" + model);
  if (!learner.empty()) assignments.push_back("learner.name=" + learner);
  assignments.insert(assignments.end(), set.begin(), set.end());
  for (const std::string& assignment : assignments) {
    if (auto done = settings->Assign(assignment); !done) return tl::unexpected(done.error());
  }
  if (auto valid = settings->Validate(); !valid) return tl::unexpected(valid.error());
  return settings;
}

void InputFlags::AddTo(CLI::App* command) {
  command
      ->add_option("PATH", paths,
                   "Files, directories, Maildirs or mboxes, plain or compressed by gzip, bzip2, xz or zstd; "
                   "- is standard input")
      ->capture_default_str();
  command->add_option("--format", format, "What a PATH holds: auto, message (one), mbox")
      ->check(CLI::IsMember({"auto", "message", "mbox"}))
      ->capture_default_str();
  command->add_flag("--document", document, "The messages are plain text without mail headers");
}

Result<size_t> InputFlags::ForEach(const std::function<Result<void>(const RawMessage&)>& visit) const {
  const Format wanted = format == "message" ? Format::kMessage
                        : format == "mbox"  ? Format::kMbox
                                            : Format::kAuto;
  size_t unreadable = 0;
  RawMessage message;
  for (const std::string& path : paths) {
    auto source = OpenSource(path, wanted);
    if (!source) {
      Fail(source.error());
      ++unreadable;
      continue;
    }
    while (true) {
      const Result<bool> more = (*source)->Next(&message);
      if (!more) {
        Fail(more.error());
        ++unreadable;
        continue;
      }
      if (!*more) break;
      if (auto visited = visit(message); !visited) return tl::unexpected(visited.error());
    }
  }
  return unreadable;
}

int Fail(const Error& error) {
  fmt::print(stderr, "thresher: {}\n", error.message);
  return error.exit_code;
}

int Run(const std::function<Result<int>()>& body) {
  try {
    const Result<int> code = body();
    if (!code) return Fail(code.error());
    if (std::fflush(stdout) != 0) return Fail({kIo, "writing to standard output failed"});
    return *code;
  } catch (const std::exception& fault) {  // out of memory, most likely
    return Fail({kInternal, fault.what()});
  }
}

}  // namespace thresher::pipeline
