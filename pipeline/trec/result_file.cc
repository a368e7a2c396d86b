#include "pipeline/trec/result_file.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "pipeline/input/byte_order_mark.h"
#include "pipeline/input/whole_line.h"

namespace thresher::pipeline {
namespace {

constexpr size_t kLongestResult = size_t{64} << 10;

}  // namespace

Result<eval::Results> ReadResultFile(const std::string& path) {
  Result<std::unique_ptr<ByteStream>> stream = OpenStream(path);
  if (!stream) return tl::unexpected(stream.error());
  LineReader lines(std::move(*stream));
  eval::ResultReader reader;
  std::string line;
  for (bool is_first = true;; is_first = false) {
    const auto read = NextLine(&lines, &line, kLongestResult);
    if (!read) return tl::unexpected(read.error());
    if (*read == LineRead::kEnd) return reader.Take();
    if (*read == LineRead::kTooLong) {
      reader.Reject(fmt::format("longer than {} bytes", kLongestResult));
    } else {
      reader.Read(is_first ? AfterByteOrderMark(line) : line);
    }
  }
}

}  // namespace thresher::pipeline
