// The daemon's log: one line for each event, "event=learn protocol=spamd key=0123456789abcdef …".
//
// It names messages by their keys and never contains a word of them. Called by WatchedService and daemon.cc.
// Thread-safety: any threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace thresher::pipeline {

class EventLog {
 public:
  enum class Kind { kError, kDaemon, kChange, kRequest };
  using Fields = std::initializer_list<std::pair<std::string_view, std::string>>;

  // Writes to the descriptor, with the time unless the journal adds it.
  EventLog(int fd, std::string_view level) : fd_(fd) { SetLevel(level); }

  // As the setting serve.log names it.
  void SetLevel(std::string_view level);
  bool Wants(Kind kind) const { return kind <= last_; }
  // Fields without a value are left out. A line for which a pipe has no room, since nobody reads it, is lost;
  // the next one says how many were: "unread=N". A line has at most PIPE_BUF bytes: a value that is too long
  // ends earlier, with its quotes, and fields behind it for which there is no room are left out.
  void Write(Kind kind, const Fields& fields);

 private:
  void Put(std::string line);

  std::mutex mutex_;  // of writing
  int fd_;
  uint64_t unread_ = 0;
  std::atomic<Kind> last_;
};

}  // namespace thresher::pipeline
