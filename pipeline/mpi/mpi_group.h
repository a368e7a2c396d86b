// The processes that mpirun has started, as a group.
//
// Used by main.cc of this folder. If a process of the group ends, or is killed, mpirun ends all others and
// says which it was. Thread-safety: one thread in each process; one group in a process.
#pragma once

#include "learners/distributed/group.h"

namespace thresher::pipeline {

class MpiGroup final : public learners::distributed::Group {
 public:
  MpiGroup();
  ~MpiGroup() override;

  size_t rank() const override { return rank_; }
  size_t size() const override { return size_; }

  // Ends all processes at once: where this one fails, the others would wait for it.
  [[noreturn]] static void EndAll(int exit_code);

 private:
  void DoSend(size_t to, std::span<const std::byte> bytes) override;
  void DoReceive(size_t from, std::span<std::byte> bytes) override;

  size_t rank_ = 0;
  size_t size_ = 1;
};

}  // namespace thresher::pipeline
