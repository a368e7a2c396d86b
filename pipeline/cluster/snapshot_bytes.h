// The files of a folder as one sequence of bytes, and back.
//
// Of each file, in the order of their names: size u64, size of its name u16, both little-endian, name, bytes.
// Used by snapshot.cc only. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/error.h"
#include "storage/descriptor.h"

namespace thresher::pipeline {

// Takes some bytes; an error ends the work.
using TakeBytes = std::function<Result<void>(std::string_view)>;

// Gives the files of `folder` to `take`, in parts of any size up to a megabyte. REQUIRES: there are only
// files, which do not change.
Result<void> PackFolder(const std::filesystem::path& folder, const TakeBytes& take);

// Makes the files again. What it is given may be any bytes.
class Unpacking {
 public:
  // REQUIRES: `folder` is empty. More than `most_bytes` in all is refused.
  Unpacking(std::filesystem::path folder, uint64_t most_bytes)
      : folder_(std::move(folder)), room_(most_bytes) {}

  // kData if these are no files.
  Result<void> Take(std::string_view bytes);
  // kData if the last file is not whole.
  Result<void> Finish() const;

 private:
  size_t HeadSize() const;
  Result<void> Begin();
  Result<void> Write(std::string_view bytes);
  Result<void> End();
  Error Failed(const char* what) const;

  std::filesystem::path folder_;
  uint64_t room_;
  std::string head_;   // of the next file, as far as it is there
  std::string name_;   // of the file that is open
  uint64_t left_ = 0;  // of it
  storage::Descriptor file_;
};

}  // namespace thresher::pipeline
