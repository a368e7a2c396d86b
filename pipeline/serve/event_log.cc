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
    if (value.empty()) continue;
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
  std::string end = unread_ > 0 ? fmt::format(" unread={}\n", std::exchange(unread_, 0)) : "\n";
  line.resize(std::min<size_t>(line.size(), PIPE_BUF - end.size()));
  line += end;
  static_cast<void>(::write(fd_, line.data(), line.size()));
}

}  // namespace thresher::pipeline
