#include "pipeline/input/source.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "pipeline/input/file_messages.h"
#include "pipeline/input/folder_walk.h"

namespace thresher::pipeline {
namespace {

class FileSource final : public MessageSource {
 public:
  explicit FileSource(FileMessages file) : file_(std::move(file)) {}
  Result<bool> Next(RawMessage* message) override { return file_.Next(message); }

 private:
  FileMessages file_;
};

class FolderSource final : public MessageSource {
 public:
  FolderSource(FolderWalk walk, Format format, size_t message_limit)
      : walk_(std::move(walk)), format_(format), message_limit_(message_limit) {}

  Result<bool> Next(RawMessage* message) override {
    while (true) {
      if (file_) {
        Result<bool> more = file_->Next(message);
        if (more && *more) return more;
        file_.reset();
        if (!more) return more;
      }
      const Result<std::optional<std::string>> path = walk_.Next();
      if (!path) return tl::unexpected(path.error());
      if (!*path) return false;
      Result<FileMessages> opened = FileMessages::Open(**path, format_, message_limit_, Links::kRefuse);
      if (!opened) return tl::unexpected(opened.error());
      file_.emplace(std::move(*opened));
    }
  }
  std::vector<DotName> DotNames() const override { return walk_.dot_names(); }

 private:
  FolderWalk walk_;
  Format format_;
  size_t message_limit_;
  std::optional<FileMessages> file_;
};

}  // namespace

Result<std::unique_ptr<MessageSource>> OpenSource(const std::string& path, Format format,
                                                  size_t message_limit,
                                                  const std::vector<std::string>& left_out) {
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored)) {
    return std::make_unique<FolderSource>(FolderWalk(path, left_out), format, message_limit);
  }
  Result<FileMessages> file = FileMessages::Open(path, format, message_limit, Links::kFollow);
  if (!file) return tl::unexpected(file.error());
  return std::make_unique<FileSource>(std::move(*file));
}

}  // namespace thresher::pipeline
