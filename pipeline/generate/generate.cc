#include "pipeline/generate/generate.h"

#include <fmt/format.h>

#include <fstream>
#include <string_view>
#include <system_error>

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMessagesPerFolder = 1000;

Error Cannot(int exit_code, std::string_view doing, const fs::path& path, std::error_code error) {
  return {exit_code, fmt::format("cannot {} {}: {}", doing, path.string(), error.message())};
}

Result<void> MakeFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!error) return {};
  return tl::unexpected(Cannot(kCantCreate, "make the folder", path, error));
}

Result<void> WriteFile(const fs::path& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (file) return {};
  return tl::unexpected(Cannot(kIo, "write", path, std::error_code(errno, std::generic_category())));
}

// A corpus written over another would contain messages of both.
Result<void> PrepareFolder(const fs::path& out) {
  if (auto made = MakeFolder(out); !made) return made;
  std::error_code error;
  const bool empty = fs::is_empty(out, error);
  if (error) return tl::unexpected(Cannot(kCantCreate, "read the folder", out, error));
  if (!empty) return tl::unexpected(Error{kCantCreate, fmt::format("{} is not empty", out.string())});
  return {};
}

std::string Readme(const GenerateOptions& options) {
  return fmt::format(
      "Synthetic mail, made by thresher generate: seed {}, {} messages, spam fraction {}.\n\n"
      "Nothing in it is real. Names are made up, hosts are below example.com, example.net, example.org and "
      ".example,\n"
      "addresses in the blocks kept for documentation. The same numbers give the same bytes anywhere.\n"
      "full/index is a TREC index: one line per message, in order, its class and its file.\n",
      options.seed, options.messages, options.spam_fraction);
}

// Writes the messages and appends their lines to `index`.
Result<GenerateSummary> WriteMessages(const GenerateOptions& options, std::string& index) {
  MailGenerator generator(options.seed, options.spam_fraction);
  GenerateSummary summary;
  for (size_t i = 0; i < options.messages; ++i) {
    const std::string folder = fmt::format("data/{:03}", i / kMessagesPerFolder);
    const std::string name = fmt::format("{}/{:03}", folder, i % kMessagesPerFolder);
    if (i % kMessagesPerFolder == 0) {
      if (auto made = MakeFolder(options.out / folder); !made) return tl::unexpected(made.error());
    }
    const SyntheticMessage message = generator.Next();
    if (auto written = WriteFile(options.out / name, message.bytes); !written)
      return tl::unexpected(written.error());
    index += fmt::format("{} ../{}\n", message.spam ? "spam" : "ham", name);
    ++(message.spam ? summary.spam : summary.ham);
    summary.bytes += message.bytes.size();
  }
  return summary;
}

}  // namespace

Result<GenerateSummary> Generate(const GenerateOptions& options) {
  if (!(options.spam_fraction >= 0 && options.spam_fraction <= 1)) {
    return tl::unexpected(Error{kUsage, "the spam fraction must lie between 0 and 1"});
  }
  std::string index;
  const Result<void> prepared =
      PrepareFolder(options.out).and_then([&] { return MakeFolder(options.out / "full"); }).and_then([&] {
        return WriteFile(options.out / "README", Readme(options));
      });
  if (!prepared) return tl::unexpected(prepared.error());
  auto summary = WriteMessages(options, index);
  if (!summary) return summary;
  if (auto written = WriteFile(options.out / "full/index", index); !written)
    return tl::unexpected(written.error());
  return summary;
}

}  // namespace thresher::pipeline
