#include "tests/pipeline/model/onlookers.h"

namespace thresher::pipeline {

Onlookers::Onlookers(LiveScorer& live, const std::vector<tokenizer::Features>& messages,
                     const Expected& expected)
    : live_(live), messages_(messages), expected_(expected), rounds_(kThreads) {
  for (auto& rounds : rounds_) threads_.emplace_back([this, &rounds] { Look(&rounds); });
}

Onlookers::~Onlookers() {
  stop_ = true;
  for (std::thread& thread : threads_) thread.join();
}

void Onlookers::Look(std::atomic<uint64_t>* rounds) {
  LiveScorer::Reader reader(live_);
  uint64_t last_seq = 0;
  while (!stop_) {
    for (size_t i = 0; i < messages_.size(); ++i) {
      const Score score = *reader.Classify(messages_[i]);
      const uint64_t seq = reader.applied_seq();
      const bool known = seq >= last_seq && seq < expected_.size();
      if (!known || score.margin != expected_[seq][i].margin ||
          score.probability != expected_[seq][i].probability)
        ++wrong_;
      last_seq = seq;
      std::this_thread::yield();  // else, where others need the processor, it would be taken amid a scoring
    }
    ++*rounds;
  }
}

// The round that one is at may have begun long ago.
void Onlookers::AwaitRound() {
  for (const auto& rounds : rounds_) {
    const uint64_t enough = rounds + 2;
    while (rounds < enough) std::this_thread::yield();
  }
}

}  // namespace thresher::pipeline
