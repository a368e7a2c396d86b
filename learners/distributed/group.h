// Processes that compute together: each has a number, its rank, and sends bytes to others.
//
// Implemented by pipeline/mpi over MPI, and by the tests with threads. Called by everything in this folder
// and by pipeline/distributed. If a process ends or cannot be reached, the implementation ends all of them:
// no call fails. Thread-safety: one thread in each process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thresher::learners::distributed {

class Group {
 public:
  Group() = default;
  virtual ~Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  virtual size_t rank() const = 0;
  virtual size_t size() const = 0;

  // May wait until the other process receives. Messages between two processes arrive in order.
  void Send(size_t to, std::span<const std::byte> bytes) {
    bytes_sent_ += bytes.size();
    DoSend(to, bytes);
  }
  // REQUIRES: as many bytes as the other process sends.
  void Receive(size_t from, std::span<std::byte> bytes) { DoReceive(from, bytes); }

  template <class T>
  void SendNumbers(size_t to, std::span<const T> numbers) {
    Send(to, std::as_bytes(numbers));
  }
  template <class T>
  void ReceiveNumbers(size_t from, std::span<T> numbers) {
    Receive(from, std::as_writable_bytes(numbers));
  }

  // The numbers of process 0, to all: log2(size) messages one after the other.
  template <class T>
  void Broadcast(std::span<T> numbers) {
    for (size_t knowing = 1; knowing < size(); knowing *= 2) {
      if (rank() < knowing && rank() + knowing < size()) {
        SendNumbers(rank() + knowing, std::span<const T>(numbers));
      } else if (rank() >= knowing && rank() < 2 * knowing) {
        ReceiveNumbers(rank() - knowing, numbers);
      }
    }
  }

  // By this process so far.
  uint64_t bytes_sent() const { return bytes_sent_; }

 private:
  virtual void DoSend(size_t to, std::span<const std::byte> bytes) = 0;
  virtual void DoReceive(size_t from, std::span<std::byte> bytes) = 0;

  uint64_t bytes_sent_ = 0;
};

// The parts that the data is divided into, and which process has which. A process has consecutive parts; it
// has at least one if there are as many parts as processes.
struct Parts {
  size_t count = 0;
  size_t processes = 1;

  size_t FirstOf(size_t rank) const { return count * rank / processes; }
  size_t OwnerOf(size_t part) const { return ((part + 1) * processes - 1) / count; }
};

}  // namespace thresher::learners::distributed
