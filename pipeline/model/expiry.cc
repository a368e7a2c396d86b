#include "pipeline/model/expiry.h"

#include <algorithm>
#include <utility>

#include "pipeline/model/store_error.h"

namespace thresher::pipeline {
namespace {

// The log is searched for expired examples once in so many examples. Each time at most twice kExpireEvery
// examples go, so that a clock that jumps does not empty the log.
constexpr uint64_t kExpireEvery = 256;
constexpr double kMicrosecondsPerDay = 86400e6;
constexpr uint64_t kMostAhead = 1 << 14;  // examples of a clock that was ahead that are read each time

void DropUpTo(uint64_t seq, uint64_t bytes, storage::LogExtent* extent) {
  extent->first_seq = seq + 1;
  extent->bytes -= bytes;
}

}  // namespace

Result<void> Expiry::OnLogged(const storage::Example& example) {
  const LogLimits& keep = state_->globals.facts().keep;
  storage::LogExtent extent = state_->log.extent();
  extent.bytes += LoggedBytes(example);
  if (may_expire_ && example.seq % kExpireEvery == 0 && (keep.days > 0 || keep.bytes > 0)) {
    const auto now = static_cast<double>(example.time_us);
    const double oldest = now - keep.days * kMicrosecondsPerDay;
    const uint64_t end = std::min(extent.first_seq + 2 * kExpireEvery, example.seq);
    uint64_t ahead = 0;  // bytes of examples that go before the next old one
    const auto read = state_->log.Read(extent.first_seq - 1, [&](const storage::Example& each) {
      const auto time = static_cast<double>(each.time_us);
      const bool is_old = keep.days > 0 && time < oldest;
      const bool is_ahead = keep.days > 0 && time > now + kMicrosecondsPerDay;
      const bool is_too_much = keep.bytes > 0 && extent.bytes > keep.bytes;
      if (each.seq >= end) {
        if (is_old && ahead > 0) DropUpTo(end - 1, ahead, &extent);
        return is_ahead && ahead > 0 && each.seq < end + kMostAhead;
      }
      if (!is_old && !is_too_much) {
        // A clock that was wrong once must not keep all that came after.
        ahead += LoggedBytes(each);
        return is_ahead;
      }
      DropUpTo(each.seq, std::exchange(ahead, 0) + LoggedBytes(each), &extent);
      return true;
    });
    if (!read) return StoreFailure(read.error());
  }
  state_->log.SetExtent(extent);
  return {};
}

}  // namespace thresher::pipeline
