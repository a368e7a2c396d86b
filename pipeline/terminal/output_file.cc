#include "pipeline/terminal/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace thresher::pipeline {

Result<OutputFile> OutputFile::Open(const std::string& path) {
  if (path == "-") return OutputFile(stdout, "standard output");
  std::FILE* file = std::fopen(path.c_str(), "ae");
  if (file == nullptr)
    return tl::unexpected(Error{kCantCreate, fmt::format("{}: {}", path, std::strerror(errno))});
  return OutputFile(file, path);
}

Result<std::optional<OutputFile>> OutputFile::OpenIfNamed(const std::string& path) {
  if (path.empty()) return std::nullopt;
  auto file = Open(path);
  if (!file) return tl::unexpected(file.error());
  return *std::move(file);
}

void OutputFile::Write(std::string_view bytes) {
  Begin();
  if (!bytes.empty())
    std::fwrite(bytes.data(), 1, bytes.size(), file_.get());  // the data of an empty view may be null
}

Result<void> OutputFile::Close() {
  Begin();
  if (error_ == 0 && (std::fflush(file_.get()) != 0 || std::ferror(file_.get()) != 0)) error_ = errno;
  if (error_ == 0) return {};
  return tl::unexpected(Error{kIo, fmt::format("{}: {}", path_, std::strerror(error_))});
}

void OutputFile::Begin() {
  if (std::exchange(begun_, true) || file_.get() == stdout) return;
  const bool emptied =
      ::ftruncate(::fileno(file_.get()), 0) == 0 || errno == EINVAL;  // EINVAL: a pipe or a device
  if (!emptied) error_ = errno;
}

}  // namespace thresher::pipeline
