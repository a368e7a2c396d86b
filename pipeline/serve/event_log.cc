#include "pipeline/serve/event_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace thresher::pipeline {
namespace {

// A value as it is, or in quotes, so that a line can be split again whatever names others chose.
void Append(std::string_view value, std::string* line) {
  const bool is_plain = std::all_of(value.begin(), value.end(), [](char c) {
    return c > ' ' && c <= '~' && c != '"' && c != '=' && c != '\\';
  });
  if (is_plain) {
    line->append(value);
    return;
  }
  line->push_back('"');
  for (const char c : value) {
    if (c == '"' || c == '\\') line->push_back('\\');
    if (c >= ' ' && c != '\x7f') {
      line->push_back(c);
    } else {
      line->append(fmt::format("\\x{:02x}", static_cast<unsigned char>(c)));
    }
  }
  line->push_back('"');
}

}  // namespace

void EventLog::SetLevel(std::string_view level) {
  last_ = level == "errors" ? Kind::kDaemon : level == "changes" ? Kind::kChange : Kind::kRequest;
}

void EventLog::Write(Kind kind, const Fields& fields) {
  if (!Wants(kind)) return;
  static const bool kJournalTellsTime = std::getenv("JOURNAL_STREAM") != nullptr;
  std::string line;
  if (!kJournalTellsTime) {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    line = fmt::format("time={:%FT%T}Z", now);
  }
  for (const auto& [name, value] : fields) {
    if (value.empty()) continue;
    if (!line.empty()) line.push_back(' ');
    line.append(name).push_back('=');
    Append(value, &line);
  }
  line.push_back('\n');
  // One write, so that lines of several threads do not mix. Where nobody reads, nothing can be said.
  static_cast<void>(::write(fd_, line.data(), line.size()));
}

}  // namespace thresher::pipeline
