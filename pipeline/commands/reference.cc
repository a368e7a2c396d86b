// thresher reference: what is written about the program from its own tables and help texts.
#include <fmt/format.h>

#include <filesystem>
#include <sstream>
#include <system_error>

#include "pipeline/commands/command.h"
#include "pipeline/commands/completion.h"
#include "pipeline/commands/manual_page.h"
#include "pipeline/commands/reference_page.h"
#include "pipeline/terminal/output_file.h"

namespace thresher::pipeline {
namespace {

struct ReferenceFlags {
  const CommandLine* line = nullptr;
  std::string file;
  std::string into;
};

struct ReferenceFile {
  std::string path;
  std::string text;
};

std::string DefaultConfiguration() {
  std::ostringstream text;
  PrintSettings(Settings(), text);
  return std::move(text).str();
}

// Those below share/ are where an installation has them.
std::vector<ReferenceFile> AllFiles(const ProgramText& program) {
  std::vector<ReferenceFile> files = {
      {"docs/settings.md", SettingsPage()},
      {"docs/learner-options.md", LearnerOptionsPage()},
      {"config.yaml", DefaultConfiguration()},
      {"share/bash-completion/completions/thresher", BashCompletion(program)},
      {"share/zsh/vendor-completions/_thresher", ZshCompletion(program)},
      {"share/fish/vendor_completions.d/thresher.fish", FishCompletion(program)},
      {"share/man/man5/thresher.yaml.5", SettingsManual()},
      {"share/man/man1/thresher.1", ProgramManual(program)},
  };
  for (const CommandText& command : program.commands)
    files.push_back({fmt::format("share/man/man1/thresher-{}.1", command.name), CommandManual(command)});
  return files;
}

Result<void> WriteInto(const std::filesystem::path& folder, const ReferenceFile& file) {
  const std::filesystem::path path = folder / file.path;
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  if (failed) {
    return tl::unexpected(
        Error{kCantCreate, fmt::format("{}: {}", path.parent_path().string(), failed.message())});
  }
  auto out = OutputFile::Open(path);
  if (!out) return tl::unexpected(out.error());
  out->Write(file.text);
  return out->Close();
}

Result<int> Reference(const ReferenceFlags& flags) {
  bool found = false;
  for (const ReferenceFile& file : AllFiles(flags.line->Describe())) {
    if (!flags.into.empty()) {
      if (auto written = WriteInto(flags.into, file); !written) return tl::unexpected(written.error());
    } else if (flags.file.empty()) {
      fmt::print("{}\n", file.path);
    } else if (flags.file == file.path) {
      fmt::print("{}", file.text);
      found = true;
    }
  }
  if (flags.file.empty() || found) return 0;
  return tl::unexpected(
      Error{kUsage, fmt::format("there is no '{}'; `thresher reference` lists the files", flags.file)});
}

}  // namespace

void AddReference(CommandLine& line) {
  Command command =
      line.Add("reference", "Print or write man pages, completions for shells and reference pages");
  command.Footer("All are made of this program's settings and help texts. Without FILE, lists their names.");
  ReferenceFlags& flags = command.Runs(Reference);
  flags.line = &line;
  command.Add("FILE", &flags.file, "The one to print");
  command.Add("--into", &flags.into, "Write all of them into this directory").Excludes({"FILE"});
}

}  // namespace thresher::pipeline
