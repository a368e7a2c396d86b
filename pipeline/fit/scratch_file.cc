#include "pipeline/fit/scratch_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

namespace thresher::pipeline {
namespace {

tl::unexpected<Error> Failure(int code, std::string_view what, int number) {
  std::error_code ignored;
  return tl::unexpected(Error{code, fmt::format("a temporary file in {} cannot be {}: {}",
                                                std::filesystem::temp_directory_path(ignored).string(), what,
                                                std::strerror(number))});
}

}  // namespace

Result<ScratchFile> ScratchFile::Make() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error)
    return tl::unexpected(
        Error{kCantCreate, fmt::format("the folder for temporary files ($TMPDIR): {}", error.message())});
  std::string path = (folder / "thresher-fit-XXXXXX").string();
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) return Failure(kCantCreate, "made", errno);
  ::unlink(path.c_str());
  FilePointer file = FileOf(fd, "w+");
  if (file == nullptr) return Failure(kCantCreate, "made", errno);
  return ScratchFile(std::move(file));
}

ScratchFile::ScratchFile(ScratchFile&& other) noexcept
    : file_(std::move(other.file_)),
      bytes_(std::exchange(other.bytes_, 0)),
      mapped_(std::exchange(other.mapped_, {})) {}

ScratchFile::~ScratchFile() {
  if (!mapped_.empty()) ::munmap(mapped_.data(), mapped_.size());
}

Result<void> ScratchFile::Append(std::span<const std::byte> bytes) {
  if (bytes.empty()) return {};  // its data may be null
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    return Failure(kIo, "written", errno);
  bytes_ += bytes.size();
  return {};
}

Result<void> ScratchFile::Reserve(size_t bytes) {
  bytes_ = bytes;
  if (bytes == 0) return {};
  const int number = ::posix_fallocate(::fileno(file_.get()), 0, static_cast<off_t>(bytes));
  if (number != 0) return Failure(kIo, "written", number);
  return {};
}

Result<std::span<std::byte>> ScratchFile::Map() {
  if (std::fflush(file_.get()) != 0) return Failure(kIo, "written", errno);
  if (bytes_ == 0) return mapped_;
  void* const at = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, ::fileno(file_.get()), 0);
  if (at == MAP_FAILED) return Failure(kIo, "mapped", errno);
  mapped_ = {static_cast<std::byte*>(at), bytes_};
  return mapped_;
}

}  // namespace thresher::pipeline
