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
    const double oldest = static_cast<double>(example.time_us) - keep.days * kMicrosecondsPerDay;
    const uint64_t end = std::min(extent.first_seq + 2 * kExpireEvery, example.seq);
    const auto read = state_->log.Read(extent.first_seq - 1, [&](const storage::Example& each) {
      const bool is_old = keep.days > 0 && static_cast<double>(each.time_us) < oldest;
      const bool is_too_much = keep.bytes > 0 && extent.bytes > keep.bytes;
      if (each.seq >= end || !(is_old || is_too_much)) return false;
      extent.bytes -= LoggedBytes(each);
      ++extent.first_seq;
      return true;
    });
    if (!read) return StoreFailure(read.error());
  }
  state_->log.SetExtent(extent);
  return {};
}

}  // namespace thresher::pipeline
