// Threads of one process as a group, for tests: messages are queues.
#pragma once

#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "learners/distributed/group.h"

namespace thresher::learners::distributed {

struct Mailboxes {
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::pair<size_t, size_t>, std::deque<std::vector<std::byte>>> messages;  // from, to
};

class ThreadGroup final : public Group {
 public:
  ThreadGroup(Mailboxes& mailboxes, size_t rank, size_t size)
      : mailboxes_(mailboxes), rank_(rank), size_(size) {}

  size_t rank() const override { return rank_; }
  size_t size() const override { return size_; }

 private:
  void DoSend(size_t to, std::span<const std::byte> bytes) override {
    const std::scoped_lock lock(mailboxes_.mutex);
    mailboxes_.messages[{rank_, to}].emplace_back(bytes.begin(), bytes.end());
    mailboxes_.arrived.notify_all();
  }
  void DoReceive(size_t from, std::span<std::byte> bytes) override {
    std::unique_lock lock(mailboxes_.mutex);
    auto& queue = mailboxes_.messages[{from, rank_}];
    mailboxes_.arrived.wait(lock, [&] { return !queue.empty(); });
    if (!bytes.empty()) std::memcpy(bytes.data(), queue.front().data(), bytes.size());
    queue.pop_front();
  }

  Mailboxes& mailboxes_;
  size_t rank_;
  size_t size_;
};

// Calls body(group) in `processes` threads.
inline void RunInThreads(size_t processes, const std::function<void(Group&)>& body) {
  Mailboxes mailboxes;
  std::vector<std::jthread> threads;
  for (size_t rank = 0; rank < processes; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadGroup group(mailboxes, rank, processes);
      body(group);
    });
  }
}

}  // namespace thresher::learners::distributed
