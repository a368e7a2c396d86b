#include "pipeline/serve/event_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdlib>

namespace thresher::pipeline {
namespace {

constexpr size_t kMostEnd = sizeof " unread=18446744073709551615\n" - 1;
// So that one write has it.
constexpr size_t kMostLogLine = PIPE_BUF - kMostEnd;

// A value as it is, or in quotes, so that a line can be split again whatever names others chose; as much of
// it as there is room for. REQUIRES: room for the quotes.
void Append(std::string_view value, std::string* line) {
  const bool is_plain = std::all_of(value.begin(), value.end(), [](char c) {
    return c > ' ' && c <= '~' && c != '"' && c != '=' && c != '\\';
  });
  if (is_plain) {
    line->append(value.substr(0, kMostLogLine - line->size()));
    return;
  }
  line->push_back('"');
  for (const char c : value) {
    const bool is_shown = c >= ' ' && c != '\x7f';
    const std::string text = !is_shown               ? fmt::format("\\x{:02x}", static_cast<unsigned char>(c))
                             : c == '"' || c == '\\' ? std::string({'\\', c})
                                                     : std::string(1, c);
    if (line->size() + text.size() + 1 > kMostLogLine) break;
    line->append(text);
  }
  line->push_back('"');
}

// Whether a write of at most PIPE_BUF bytes does not wait.
bool IsReady(int fd) {
  pollfd writing{.fd = fd, .events = POLLOUT, .revents = 0};
  return ::poll(&writing, 1, 0) == 1 && (writing.revents & POLLOUT) != 0;
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
    constexpr std::string_view kBesides = " =\"\"";
    if (value.empty() || line.size() + name.size() + kBesides.size() > kMostLogLine) continue;
    if (!line.empty()) line.push_back(' ');
    line.append(name).push_back('=');
    Append(value, &line);
  }
  Put(std::move(line));
}

// Where nobody reads, nothing can be said, and requests must not wait for it.
void EventLog::Put(std::string line) {
  const std::lock_guard lock(mutex_);
  if (!IsReady(fd_)) {
    ++unread_;
    return;
  }
  line += unread_ > 0 ? fmt::format(" unread={}\n", std::exchange(unread_, 0)) : "\n";
  static_cast<void>(::write(fd_, line.data(), line.size()));
}

}  // namespace thresher::pipeline
