// The daemon's log: one line for each event, "event=learn protocol=spamd key=0123456789abcdef …".
//
// It names messages by their keys and never contains a word of them. Called by WatchedService and daemon.cc.
// Thread-safety: any threads.
#pragma once

#include <atomic>
#include <initializer_list>
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
  // Fields without a value are left out.
  void Write(Kind kind, const Fields& fields);

 private:
  int fd_;
  std::atomic<Kind> last_;
};

}  // namespace thresher::pipeline
