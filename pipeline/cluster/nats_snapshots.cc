#include "pipeline/cluster/nats_snapshots.h"

#include <vector>

namespace thresher::pipeline {
namespace {

constexpr int kPiecesAtOnce = 4;
constexpr int64_t kUnreadNs = 60'000'000'000;  // a reader that asks for nothing so long is dropped

}  // namespace

// Those of a daemon's one model, and those of others.
Result<void> NatsSnapshots::Make(const NatsLink& link) const {
  const std::string all = "thresher_snapshots." + settings_.stream;
  return stream_.Make(link, "models of nodes of a log of thresher", {all + ".*", all + ".*.*"});
}

Result<uint64_t> NatsSnapshots::Put(const NatsLink& link, const std::string& snapshot,
                                    std::string_view bytes) const {
  if (auto made = Make(link); !made) return tl::unexpected(made.error());
  jsPubOptions options;
  nats_->jsPubOptions_Init(&options);
  options.MaxWait = settings_.answer.count();
  options.ExpectStream = stream_name_.c_str();
  jsPubAck* acknowledged = nullptr;
  jsErrCode code{};
  const natsStatus status = nats_->js_Publish(&acknowledged, link.jet, (subjects_ + snapshot).c_str(),
                                              bytes.data(), static_cast<int>(bytes.size()), &options, &code);
  const Owned<jsPubAck> ack(acknowledged, nats_->jsPubAck_Destroy);
  if (status != NATS_OK) return tl::unexpected(Failed(link, "send a snapshot", status));
  return ack->Sequence;
}

// All pieces are there already.
Result<void> NatsSnapshots::Read(const NatsLink& link, const std::string& snapshot, bool headers_only,
                                 const TakeMessage& take) const {
  jsSubOptions options;
  nats_->jsSubOptions_Init(&options);
  options.Stream = stream_name_.c_str();
  options.Config.DeliverPolicy = js_DeliverAll;
  options.Config.AckPolicy = js_AckNone;
  options.Config.InactiveThreshold = kUnreadNs;
  options.Config.HeadersOnly = headers_only;
  options.Config.Replicas = 1;
  options.Config.MemoryStorage = true;
  natsSubscription* reader = nullptr;
  jsErrCode code{};
  natsStatus status = nats_->js_PullSubscribe(&reader, link.jet, (subjects_ + snapshot).c_str(), nullptr,
                                              nullptr, &options, &code);
  const Owned<natsSubscription> owned(reader, nats_->natsSubscription_Destroy);
  jsConsumerInfo* known = nullptr;
  if (status == NATS_OK) status = nats_->natsSubscription_GetConsumerInfo(&known, reader, nullptr, &code);
  const Owned<jsConsumerInfo> info(known, nats_->jsConsumerInfo_Destroy);
  uint64_t pending = known == nullptr ? 0 : known->NumPending;
  while (status == NATS_OK && pending > 0) {
    natsMsgList list{};
    status = nats_->natsSubscription_Fetch(&list, reader, kPiecesAtOnce, settings_.answer.count(), &code);
    const Owned<natsMsgList> messages(&list, nats_->natsMsgList_Destroy);
    for (int i = 0; status == NATS_OK && i < list.Count; ++i) {
      natsMsg* const piece = list.Msgs[i];
      jsMsgMetaData* found = nullptr;
      status = nats_->natsMsg_GetMetaData(&found, piece);
      const Owned<jsMsgMetaData> meta(found, nats_->jsMsgMetaData_Destroy);
      if (status != NATS_OK) break;
      pending = meta->NumPending;
      if (auto taken = take(piece, meta->Sequence.Stream); !taken) return taken;
    }
  }
  if (reader != nullptr) static_cast<void>(nats_->natsSubscription_Unsubscribe(reader));
  if (status != NATS_OK) return tl::unexpected(Failed(link, "read a snapshot", status));
  return {};
}

Result<void> NatsSnapshots::Get(const NatsLink& link, const std::string& snapshot,
                                const OrderedLog::TakePiece& take) const {
  return Read(link, snapshot, /*headers_only=*/false, [&](natsMsg* piece, uint64_t /*number*/) {
    return take({nats_->natsMsg_GetData(piece), static_cast<size_t>(nats_->natsMsg_GetDataLength(piece))});
  });
}

Result<void> NatsSnapshots::Remove(const NatsLink& link, const std::string& snapshot, uint64_t before,
                                   const GoesOn& goes_on) const {
  std::vector<uint64_t> numbers;
  auto done = Read(link, snapshot, /*headers_only=*/true, [&](natsMsg* /*piece*/, uint64_t number) {
    if (number < before) numbers.push_back(number);
    return Result<void>();
  });
  for (auto each = numbers.begin(); done && each != numbers.end(); ++each)
    done = goes_on() ? stream_.Remove(link, *each) : tl::unexpected(EndedEarly());
  return done;
}

}  // namespace thresher::pipeline
