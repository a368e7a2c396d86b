#include "pipeline/cluster/closed_position.h"

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

#include "storage/log_note.h"
#include "storage/read_file.h"
#include "storage/write_file.h"

namespace thresher::pipeline {
namespace {

std::filesystem::path ClosedPositionPath(const std::filesystem::path& dir) { return dir / "followed"; }

// What the file says after the position; empty if the model is not closed.
std::string ClosedBy(const std::filesystem::path& dir) {
  const storage::LogNoteStamp stamp = storage::StampOfLogNote(dir);
  if (stamp == storage::LogNoteStamp()) return "";
  return fmt::format(" {} {} {}\n", stamp.inode, stamp.seconds, stamp.nanoseconds);
}

}  // namespace

void WriteClosedPosition(const std::filesystem::path& dir, uint64_t position) {
  const std::string closed = ClosedBy(dir);
  const std::filesystem::path path = ClosedPositionPath(dir);
  if (!closed.empty() && storage::WritePrivateFile(path, fmt::format("{}{}", position, closed))) return;
  std::error_code none;
  std::filesystem::remove(path, none);
}

std::optional<uint64_t> ReadClosedPosition(const std::filesystem::path& dir) {
  const std::string closed = ClosedBy(dir);
  const auto text = storage::ReadWholeFile(ClosedPositionPath(dir));
  if (closed.empty() || !text || !text->ends_with(closed)) return std::nullopt;
  const std::string_view number = std::string_view(*text).substr(0, text->size() - closed.size());
  uint64_t position = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), position);
  if (read.ec != std::errc() || read.ptr != number.data() + number.size()) return std::nullopt;
  return position;
}

}  // namespace thresher::pipeline
