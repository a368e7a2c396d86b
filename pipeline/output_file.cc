#include "pipeline/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace thresher::pipeline {

Result<OutputFile> OutputFile::Open(const std::string& path) {
  if (path == "-") return OutputFile(stdout, "standard output");
  std::FILE* file = std::fopen(path.c_str(), "we");
  if (file == nullptr)
    return tl::unexpected(Error{kCantCreate, fmt::format("{}: {}", path, std::strerror(errno))});
  return OutputFile(file, path);
}

void OutputFile::Write(std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), file_.get()); }

Result<void> OutputFile::Close() {
  if (std::fflush(file_.get()) == 0 && std::ferror(file_.get()) == 0) return {};
  return tl::unexpected(Error{kIo, fmt::format("{}: {}", path_, std::strerror(errno))});
}

}  // namespace thresher::pipeline
