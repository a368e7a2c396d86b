#include "pipeline/trec/result_file.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "pipeline/input/line_reader.h"

namespace thresher::pipeline {

Result<eval::Results> ReadResultFile(const std::string& path) {
  Result<std::unique_ptr<ByteStream>> stream = OpenStream(path);
  if (!stream) return tl::unexpected(stream.error());
  LineReader lines(std::move(*stream));
  eval::ResultReader reader;
  while (true) {
    const Result<LineReader::Piece> piece = lines.Next();
    if (!piece) return tl::unexpected(piece.error());
    if (piece->bytes.empty()) return reader.Take();
    if (!piece->begins_line) continue;  // the rest of a line that is too long
    if (piece->bytes.size() == LineReader::kPieceBytes && !piece->ends_line()) {
      reader.Reject(fmt::format("longer than {} bytes", LineReader::kPieceBytes));
    } else {
      reader.Read(piece->bytes);
    }
  }
}

}  // namespace thresher::pipeline
