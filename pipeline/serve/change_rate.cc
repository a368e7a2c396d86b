#include "pipeline/serve/change_rate.h"

#include <algorithm>

namespace thresher::pipeline {

bool ChangeRate::Allow(const Peer& peer, Clock::time_point now) {
  if (per_second_ == 0 || peer.is_owner) return true;
  const double most = std::max(1.0, per_second_ * kBurstSeconds);
  const std::lock_guard lock(mutex_);
  if (clients_.size() >= kMostClients && !clients_.contains(peer.name)) DropIdle(now);
  // Where there are too many, those that are new share one allowance.
  const bool is_told_apart = clients_.size() < kMostClients || clients_.contains(peer.name);
  const auto [found, is_new] =
      clients_.try_emplace(is_told_apart ? peer.name : "others", Allowance{most, now});
  Allowance& allowance = found->second;
  const double seconds = std::chrono::duration<double>(now - allowance.at).count();
  allowance.left = std::min(most, allowance.left + std::max(0.0, seconds) * per_second_);
  allowance.at = now;
  if (allowance.left < 1) return false;
  allowance.left -= 1;
  return true;
}

// Those that have all of their allowance again.
void ChangeRate::DropIdle(Clock::time_point now) {
  std::erase_if(clients_, [&](const auto& client) {
    return std::chrono::duration<double>(now - client.second.at).count() >= kBurstSeconds;
  });
}

}  // namespace thresher::pipeline
