#include "pipeline/cluster/nats_removal.h"

namespace thresher::pipeline {

Result<void> NatsRemoval::Before(const NatsLink& link, const std::string& stream, uint64_t number,
                                 const GoesOn& goes_on) const {
  jsStreamInfo* found = nullptr;
  jsErrCode code{};
  const natsStatus status = nats_->js_GetStreamInfo(&found, link.jet, stream.c_str(), nullptr, &code);
  const Owned<jsStreamInfo> info(found, nats_->jsStreamInfo_Destroy);
  if (status != NATS_OK) return tl::unexpected(Failed(status));
  for (uint64_t each = info->State.FirstSeq; each < number && each <= info->State.LastSeq; ++each) {
    if (!goes_on()) return tl::unexpected(Error{kBusy, "the removal of old records was ended early"});
    if (auto removed = One(link, stream, each); !removed) return removed;
  }
  return {};
}

Result<void> NatsRemoval::One(const NatsLink& link, const std::string& stream, uint64_t number) const {
  jsErrCode code{};
  const natsStatus status = nats_->js_DeleteMsg(link.jet, stream.c_str(), number, nullptr, &code);
  if (status == NATS_OK || code == JSSequenceNotFoundErr || code == JSNoMessageFoundErr) return {};
  return tl::unexpected(Failed(status));
}

}  // namespace thresher::pipeline
