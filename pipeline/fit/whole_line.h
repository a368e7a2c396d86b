// Reads whole lines of a stream, up to a limit on their length.
//
// Called by the readers of examples and folder models. Thread-safety: one thread.
#pragma once

#include <string>

#include "pipeline/input/line_reader.h"

namespace thresher::pipeline {

// Whether there was another line; sets *line to it, with its line end if it has one. A line above 64 MiB is
// an error.
inline Result<bool> NextLine(LineReader* reader, std::string* line) {
  constexpr size_t kLongest = size_t{64} << 20;
  line->clear();
  while (true) {
    const auto piece = reader->Next();
    if (!piece) return tl::unexpected(piece.error());
    line->append(piece->bytes);
    if (piece->bytes.empty() || piece->ends_line()) return !line->empty();
    if (line->size() > kLongest) return tl::unexpected(Error{kData, "a line of more than 64 MiB"});
  }
}

}  // namespace thresher::pipeline
