#include "pipeline/export/export_lines.h"

#include <fmt/format.h>

#include <utility>

namespace thresher::pipeline {

Result<ExportLines> ExportLines::Open(const std::string& path) {
  auto stream = OpenStream(path);
  if (!stream) return tl::unexpected(stream.error());
  return ExportLines(path == "-" ? "standard input" : path, *std::move(stream));
}

Result<std::optional<FlatObject>> ExportLines::Next() {
  digest_before_ = digest_->Hex();
  line_.clear();
  ++number_;
  do {
    const auto piece = reader_.Next();
    if (!piece) return tl::unexpected(piece.error());
    if (piece->bytes.empty()) break;
    if (line_.size() + piece->bytes.size() > kLongestExportLine)
      return tl::unexpected(Wrong(fmt::format("the line is longer than {} bytes", kLongestExportLine)));
    line_ += piece->bytes;
  } while (!line_.ends_with('\n'));
  if (line_.empty()) return std::nullopt;
  if (!line_.ends_with('\n')) return tl::unexpected(Wrong("the line is cut short"));
  digest_->Add(line_);
  auto object = FlatObject::Parse(line_);
  if (!object) {
    return tl::unexpected(Wrong(fmt::format(
        "expected a JSON object of at most {} texts and numbers, each key once", FlatObject::kMostMembers)));
  }
  return object;
}

Error ExportLines::Wrong(std::string_view what) const {
  return {kData, fmt::format("{}, line {}: {}", path_, number_, what)};
}

}  // namespace thresher::pipeline
