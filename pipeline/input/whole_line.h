// Reads a stream line by line, each as a whole, up to a limit on their length.
//
// Called by the readers of indexes, results, examples, folder models and exports. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "pipeline/input/line_reader.h"

namespace thresher::pipeline {

// The limit for lines of examples and weights, which are as long as what they describe.
inline constexpr size_t kLongestLine = size_t{64} << 20;
inline constexpr std::string_view kLineIsTooLong = "a line of more than 64 MiB";

enum class LineRead { kEnd, kLine, kTooLong };

// Sets *line to the next line, with its line end if it has one. kTooLong: the line has more than `limit`
// bytes, *line has no more than these of it, and the next call goes on with the line after it. An error is of
// the stream. REQUIRES: all of `reader` is read by this function.
inline Result<LineRead> NextLine(LineReader* reader, std::string* line, size_t limit = kLongestLine) {
  line->clear();
  while (true) {
    const auto piece = reader->Next();
    if (!piece) return tl::unexpected(piece.error());
    if (piece->bytes.empty()) return line->empty() ? LineRead::kEnd : LineRead::kLine;
    if (line->empty() && !piece->begins_line) continue;  // the rest of a line that was too long
    if (line->size() + piece->bytes.size() > limit) return LineRead::kTooLong;
    line->append(piece->bytes);
    if (piece->ends_line()) return LineRead::kLine;
  }
}

}  // namespace thresher::pipeline
