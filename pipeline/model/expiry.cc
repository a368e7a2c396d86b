#include "pipeline/model/expiry.h"

#include <algorithm>

#include "pipeline/model/store_error.h"

namespace thresher::pipeline {
namespace {

// The log is searched for expired examples once in so many examples. Each time at most twice kExpireEvery
// examples go, so that a clock that jumps does not empty the log.
constexpr uint64_t kExpireEvery = 256;
constexpr double kMicrosecondsPerDay = 86400e6;

}  // namespace

Result<void> Expiry::OnLogged(const storage::Example& example) {
  const LogLimits& keep = state_->globals.facts().keep;
  storage::LogExtent extent = state_->log.extent();
  extent.bytes += LoggedBytes(example);
  if (may_expire_ && example.seq % kExpireEvery == 0 && (keep.days > 0 || keep.bytes > 0)) {
    const auto now = static_cast<double>(example.time_us);
    const double oldest = now - keep.days * kMicrosecondsPerDay;
    const uint64_t end = std::min(extent.first_seq + 2 * kExpireEvery, example.seq);
    uint64_t ahead = 0;  // bytes of examples that go with the next old one
    const auto read = state_->log.Read(extent.first_seq - 1, [&](const storage::Example& each) {
      const auto time = static_cast<double>(each.time_us);
      const bool is_old = keep.days > 0 && time < oldest;
      const bool is_too_much = keep.bytes > 0 && extent.bytes > keep.bytes;
      if (each.seq >= end) return false;
      if (!is_old && !is_too_much) {
        // A clock that was wrong once must not keep all that came after.
        ahead += LoggedBytes(each);
        return keep.days > 0 && time > now + kMicrosecondsPerDay;
      }
      extent.bytes -= ahead + LoggedBytes(each);
      extent.first_seq = each.seq + 1;
      ahead = 0;
      return true;
    });
    if (!read) return StoreFailure(read.error());
  }
  state_->log.SetExtent(extent);
  return {};
}

}  // namespace thresher::pipeline
