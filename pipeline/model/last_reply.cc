#include "pipeline/model/last_reply.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace thresher::pipeline {
namespace {

constexpr double kUndoing = 80;

// As stored: the reply, then a mark. What else globals end with is this mark only by a chance of 2^-64.
struct StoredReply {
  LastReply reply;
  uint64_t mark = 0;
};
constexpr uint64_t kMark = 0x7370'6c79'2d6c'6173;
static_assert(std::is_trivially_copyable_v<StoredReply> && sizeof(StoredReply) == 32);

}  // namespace

double LastReply::Left(uint64_t of_message, uint64_t now) const {
  if (taught == 0 || of_message != message) return 0;
  const auto known = static_cast<double>(taught);
  const double later = std::max(static_cast<double>(now) - known, 0.0);
  return excess * known / (known + kUndoing * later);
}

void LastReply::AppendTo(std::vector<std::byte>* stored) const {
  if (taught == 0) return;
  const StoredReply last{.reply = *this, .mark = kMark};
  const auto bytes = std::as_bytes(std::span(&last, 1));
  stored->insert(stored->end(), bytes.begin(), bytes.end());
}

bool LastReply::TakeFromEnd(std::span<const std::byte>* stored) {
  StoredReply last;
  if (stored->size() >= sizeof last) std::memcpy(&last, stored->last(sizeof last).data(), sizeof last);
  if (last.mark != kMark) {
    *this = LastReply();
    return true;
  }
  const LastReply& read = last.reply;
  if (read.taught == 0 || !(read.excess >= 0) || !std::isfinite(read.excess)) return false;
  *this = read;
  *stored = stored->first(stored->size() - sizeof last);
  return true;
}

}  // namespace thresher::pipeline
