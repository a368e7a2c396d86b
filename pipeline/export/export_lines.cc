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
  digest_before_ = digest_.Hex();
  ++number_;
  const auto read = NextLine(&reader_, &line_);
  if (!read) return tl::unexpected(read.error());
  if (*read == LineRead::kEnd) return std::nullopt;
  if (*read == LineRead::kTooLong) return tl::unexpected(Wrong(kLineIsTooLong));
  if (!line_.ends_with('\n')) return tl::unexpected(Wrong("the line is cut short"));
  digest_.Add(line_);
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
