#include "pipeline/cluster/nats_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <type_traits>
#include <utility>

#include "pipeline/cluster/nats_buckets.h"
#include "pipeline/cluster/nats_link.h"
#include "pipeline/cluster/nats_names.h"
#include "pipeline/cluster/nats_snapshots.h"
#include "pipeline/cluster/nats_stream.h"
#include "pipeline/cluster/snapshot.h"

namespace thresher::pipeline {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr char kIdentityKey[] = "identity";
constexpr char kSnapshotKey[] = "snapshot";

class NatsLog final : public OrderedLog {
 public:
  NatsLog(std::shared_ptr<NatsConnector> connector, const NatsNames& names)
      : connector_(std::move(connector)),
        nats_(&connector_->nats()),
        settings_(connector_->settings()),
        subject_(names.subject),
        stream_(*nats_, settings_, settings_.stream),
        buckets_(*nats_, settings_, names.keys),
        snapshots_(*nats_, settings_, names.snapshots) {}
  ~NatsLog() override { DropReader(); }
  NatsLog(const NatsLog&) = delete;
  NatsLog& operator=(const NatsLog&) = delete;

  Result<void> Create() override;
  Result<std::optional<std::string>> Agreed() override {
    return With([&](const NatsLink& link) { return buckets_.Get(link, kIdentityKey); });
  }
  Result<std::string> Agree(const std::string& text) override {
    return With([&](const NatsLink& link) { return buckets_.PutFirst(link, kIdentityKey, text); });
  }
  Result<uint64_t> Publish(const std::string& name, std::string_view bytes) override;
  Result<Batch> Read(uint64_t after, size_t most, std::chrono::milliseconds patience) override;
  Result<uint64_t> Last() override {
    return With([&](const NatsLink& link) { return stream_.LastOf(link, subject_); });
  }
  Result<Rest> After(uint64_t after) override;
  void EndReading() override;
  Result<void> PutEntry(const std::string& node, const std::string& text) override {
    return With([&](const NatsLink& link) { return buckets_.PutEntry(link, node, text); });
  }
  Result<std::vector<Entry>> Entries() override {
    return With([&](const NatsLink& link) { return buckets_.Entries(link); });
  }
  Result<uint64_t> PutPiece(const std::string& snapshot, std::string_view bytes) override {
    return With([&](const NatsLink& link) { return snapshots_.Put(link, snapshot, bytes); });
  }
  Result<void> GetPieces(const std::string& snapshot, const TakePiece& take) override {
    return With([&](const NatsLink& link) { return snapshots_.Get(link, snapshot, take); });
  }
  Result<void> DropPiecesOf(const std::string& snapshot) override {
    return With([&](const NatsLink& link) { return snapshots_.DropAllOf(link, snapshot); });
  }
  Result<void> DropPieces(uint64_t before, const GoesOn& goes_on) override {
    return With([&](const NatsLink& link) { return snapshots_.Drop(link, before, goes_on); });
  }
  Result<std::optional<std::string>> Announced() override {
    return With([&](const NatsLink& link) { return buckets_.Get(link, kSnapshotKey); });
  }
  Result<void> Announce(const std::string& text) override {
    return With([&](const NatsLink& link) { return buckets_.Put(link, kSnapshotKey, text); });
  }
  Result<void> DropRecords(uint64_t before, const GoesOn& goes_on) override {
    return With([&](const NatsLink& link) { return stream_.RemoveBefore(link, subject_, before, goes_on); });
  }

 private:
  using Link = std::shared_ptr<NatsLink>;

  Result<Link> Connected() { return connector_->Connected(); }
  // What `ask` finds through a connection.
  template <class Ask>
  std::invoke_result_t<Ask, const NatsLink&> With(const Ask& ask) {
    const auto link = Connected();
    return link ? ask(**link) : tl::unexpected(link.error());
  }
  Error Failed(const NatsLink& link, const char* what, natsStatus status, jsErrCode code = {}) const {
    if (code == JSStreamNotFoundErr) return LogRemoved(settings_);
    return NatsFailure(link, settings_, what, status);
  }
  Result<Owned<jsStreamInfo>> Info(const NatsLink& link) const;
  Result<Owned<natsSubscription>> ReaderFrom(const NatsLink& link, uint64_t seq) const;
  Result<void> Begin(const Link& link, uint64_t seq);
  Result<LogRecord> RecordOf(natsMsg* message, uint64_t* last) const;
  Result<void> LinkUp(const NatsLink& link, uint64_t after, std::vector<LogRecord>* records);
  Result<bool> HasAllAfter(const NatsLink& link, uint64_t after) const;
  Result<Batch> NothingNew(const Link& link, uint64_t after);
  void DropReader();

  std::shared_ptr<NatsConnector> connector_;
  const NatsLibrary* nats_;
  ClusterSettings settings_;
  std::string subject_;
  NatsStream stream_;
  NatsBuckets buckets_;
  NatsSnapshots snapshots_;
  std::mutex mutex_;  // of what follows
  bool is_ended_ = false;
  natsSubscription* reader_ = nullptr;  // changed by the reading thread only
  // Of the reading thread.
  Link reader_link_;
  uint64_t next_ = 0;  // the record that the reader gives next
};

Result<Owned<jsStreamInfo>> NatsLog::Info(const NatsLink& link) const {
  jsStreamInfo* found = nullptr;
  jsErrCode code{};
  const natsStatus status =
      nats_->js_GetStreamInfo(&found, link.jet, settings_.stream.c_str(), nullptr, &code);
  if (status != NATS_OK) return tl::unexpected(Failed(link, "read", status, code));
  return Owned<jsStreamInfo>(found, nats_->jsStreamInfo_Destroy);
}

// With the subjects of all models: a daemon may have one, and another one several.
Result<void> NatsLog::Create() {
  const std::string one = "thresher." + settings_.stream;
  return With([&](const NatsLink& link) {
    return stream_.Make(link, "feedback for thresher", {one, one + ".*"});
  });
}

Result<uint64_t> NatsLog::Publish(const std::string& name, std::string_view bytes) {
  const auto link = Connected();
  if (!link) return tl::unexpected(link.error());
  jsPubOptions options;
  nats_->jsPubOptions_Init(&options);
  options.MaxWait = settings_.answer.count();
  options.MsgId = name.c_str();
  options.ExpectStream = settings_.stream.c_str();
  jsPubAck* acknowledged = nullptr;
  jsErrCode code{};
  const natsStatus status = nats_->js_Publish(&acknowledged, (*link)->jet, subject_.c_str(), bytes.data(),
                                              static_cast<int>(bytes.size()), &options, &code);
  const Owned<jsPubAck> ack(acknowledged, nats_->jsPubAck_Destroy);
  if (status != NATS_OK) return tl::unexpected(Failed(**link, "publish", status));
  return ack->Sequence;
}

// The library wakes who waits for the reader.
void NatsLog::EndReading() {
  const std::lock_guard lock(mutex_);
  is_ended_ = true;
  if (reader_ != nullptr) static_cast<void>(nats_->natsSubscription_Unsubscribe(reader_));
}

void NatsLog::DropReader() {
  const std::lock_guard lock(mutex_);
  if (reader_ == nullptr) return;
  // Where this fails, the server drops it when nobody has asked for a while.
  static_cast<void>(nats_->natsSubscription_Unsubscribe(reader_));
  nats_->natsSubscription_Destroy(reader_);
  reader_ = nullptr;
  reader_link_.reset();
}

Result<Owned<natsSubscription>> NatsLog::ReaderFrom(const NatsLink& link, uint64_t seq) const {
  jsSubOptions options;
  nats_->jsSubOptions_Init(&options);
  options.Stream = settings_.stream.c_str();
  options.Config.DeliverPolicy = js_DeliverByStartSequence;
  options.Config.OptStartSeq = seq;
  options.Config.AckPolicy = js_AckNone;
  options.Config.InactiveThreshold = 60 * kSecondNs;
  options.Config.Replicas = 1;
  options.Config.MemoryStorage = true;
  natsSubscription* reader = nullptr;
  jsErrCode code{};
  const natsStatus status =
      nats_->js_PullSubscribe(&reader, link.jet, subject_.c_str(), nullptr, nullptr, &options, &code);
  if (status != NATS_OK) return tl::unexpected(Failed(link, "read", status, code));
  return Owned<natsSubscription>(reader, nats_->natsSubscription_Destroy);
}

Result<void> NatsLog::Begin(const Link& link, uint64_t seq) {
  DropReader();
  auto reader = ReaderFrom(*link, seq);
  if (!reader) return tl::unexpected(reader.error());
  {
    const std::lock_guard lock(mutex_);
    reader_ = reader->release();
    if (is_ended_) static_cast<void>(nats_->natsSubscription_Unsubscribe(reader_));
  }
  reader_link_ = link;
  next_ = seq;
  return {};
}

Result<LogRecord> NatsLog::RecordOf(natsMsg* message, uint64_t* last) const {
  jsMsgMetaData* found = nullptr;
  const natsStatus status = nats_->natsMsg_GetMetaData(&found, message);
  const Owned<jsMsgMetaData> meta(found, nats_->jsMsgMetaData_Destroy);
  if (status != NATS_OK) return tl::unexpected(Failed(*reader_link_, "read", status));
  *last = meta->Sequence.Stream + meta->NumPending;
  const auto size = static_cast<size_t>(nats_->natsMsg_GetDataLength(message));
  return LogRecord{.seq = meta->Sequence.Stream,
                   .previous = 0,
                   .time_us = meta->Timestamp / 1000,
                   .bytes = std::string(nats_->natsMsg_GetData(message), size)};
}

Result<OrderedLog::Batch> NatsLog::Read(uint64_t after, size_t most, std::chrono::milliseconds patience) {
  const auto link = Connected();
  if (!link) return tl::unexpected(link.error());
  if (reader_ == nullptr || reader_link_ != *link || next_ != after + 1) {
    if (auto begun = Begin(*link, after + 1); !begun) return tl::unexpected(begun.error());
  }
  natsMsgList list{};
  jsErrCode code{};
  const natsStatus status =
      nats_->natsSubscription_Fetch(&list, reader_, static_cast<int>(most), patience.count(), &code);
  const Owned<natsMsgList> messages(&list, nats_->natsMsgList_Destroy);
  if (status == NATS_TIMEOUT) return NothingNew(*link, after);
  if (status != NATS_OK) {
    DropReader();
    return tl::unexpected(Failed(**link, "read", status));
  }
  Batch batch;
  for (int i = 0; i < list.Count; ++i) {
    auto record = RecordOf(list.Msgs[i], &batch.last);
    if (!record) {
      DropReader();
      return tl::unexpected(record.error());
    }
    next_ = record->seq + 1;
    batch.records.push_back(*std::move(record));
  }
  if (auto linked = LinkUp(**link, after, &batch.records); !linked) {
    DropReader();
    return tl::unexpected(linked.error());
  }
  return batch;
}

// Numbers that are missing are those of other models. That nothing of this one is among them is asked of the
// server that leads the stream: the reader, or the server that has it, may have left something out.
Result<void> NatsLog::LinkUp(const NatsLink& link, uint64_t after, std::vector<LogRecord>* records) {
  uint64_t previous = after;
  for (LogRecord& record : *records) {
    record.previous = previous;
    previous = record.seq;
    if (record.seq == record.previous + 1) continue;
    const auto next = stream_.NextAfter(link, subject_, record.previous);
    if (!next) return tl::unexpected(next.error());
    if (*next != record.seq) {
      return tl::unexpected(Error{
          kBusy, fmt::format("the log '{}': a server gave record {} after record {}, and another one has "
                             "record {} there",
                             settings_.stream, record.seq, record.previous, *next)});
    }
  }
  if (records->empty() || records->front().seq == after + 1) return {};
  const auto has_all = HasAllAfter(link, after);
  if (!has_all) return tl::unexpected(has_all.error());
  if (!*has_all) records->front().previous = records->front().seq - 1;
  return {};
}

// What is removed is the beginning: up to a snapshot, which has at least one record.
Result<bool> NatsLog::HasAllAfter(const NatsLink& link, uint64_t after) const {
  if (after > 0) return stream_.Has(link, subject_, after);
  const auto text = buckets_.Get(link, kSnapshotKey);
  if (!text) return tl::unexpected(text.error());
  const auto note = *text ? ReadSnapshotNote(**text) : SnapshotNote();
  return note && note->record == 0;
}

// A reader of its own knows how many there are; the first one tells when it came. Their bytes are known of
// all models together.
Result<OrderedLog::Rest> NatsLog::After(uint64_t after) {
  const auto link = Connected();
  if (!link) return tl::unexpected(link.error());
  auto reader = ReaderFrom(**link, after + 1);
  if (!reader) return tl::unexpected(reader.error());
  jsConsumerInfo* known = nullptr;
  jsErrCode code{};
  natsStatus status = nats_->natsSubscription_GetConsumerInfo(&known, reader->get(), nullptr, &code);
  const Owned<jsConsumerInfo> waiting(known, nats_->jsConsumerInfo_Destroy);
  const bool is_empty = status == NATS_OK && known->NumPending == 0;
  natsMsgList list{};
  if (status == NATS_OK && !is_empty)
    status = nats_->natsSubscription_Fetch(&list, reader->get(), 1, settings_.answer.count(), &code);
  const Owned<natsMsgList> messages(&list, nats_->natsMsgList_Destroy);
  static_cast<void>(nats_->natsSubscription_Unsubscribe(reader->get()));
  if (is_empty) return Rest{};
  if (status != NATS_OK || list.Count != 1) return tl::unexpected(Failed(**link, "read", status));
  jsMsgMetaData* found = nullptr;
  const natsStatus is_known = nats_->natsMsg_GetMetaData(&found, list.Msgs[0]);
  const Owned<jsMsgMetaData> meta(found, nats_->jsMsgMetaData_Destroy);
  if (is_known != NATS_OK) return tl::unexpected(Failed(**link, "read", is_known));
  const auto info = Info(**link);
  if (!info) return tl::unexpected(info.error());
  const uint64_t records = meta->NumPending + 1;
  return Rest{.first = meta->Sequence.Stream,
              .records = records,
              .bytes = records * ((*info)->State.Bytes / std::max<uint64_t>((*info)->State.Msgs, 1)),
              .oldest_us = meta->Timestamp / 1000};
}

// The server may have lost the reader, or the user may not ask it: then there is more than it gave.
Result<OrderedLog::Batch> NatsLog::NothingNew(const Link& link, uint64_t after) {
  const auto last = stream_.LastOf(*link, subject_);
  if (!last) {
    DropReader();
    return tl::unexpected(last.error());
  }
  Batch batch{.records = {}, .first = *last, .last = *last};
  if (*last == after) return batch;
  DropReader();
  batch.first = 0;
  if (*last > after && link->LastDenied().find(".CONSUMER.MSG.NEXT.") != std::string_view::npos)
    return tl::unexpected(Failed(*link, "read", NATS_TIMEOUT));
  if (*last > after) return batch;
  const auto info = Info(*link);
  if (!info) return tl::unexpected(info.error());
  batch.first = (*info)->State.FirstSeq;
  // Of a log without records nobody knows what the last one was.
  if (*last == 0) batch.last = std::min((*info)->State.LastSeq, after);
  return batch;
}

}  // namespace

Result<Logs> MakeNatsLogs(const ClusterSettings& settings) {
  if (!IsLogName(settings.stream)) {
    return tl::unexpected(
        Error{kConfig,
              fmt::format("--stream (cluster.stream): expected up to 64 letters, digits, - and _, not '{}'",
                          settings.stream)});
  }
  const auto nats = NatsLibrary::Get();
  if (!nats) return tl::unexpected(nats.error());
  return [connector = std::make_shared<NatsConnector>(**nats, settings)](const std::string& model) {
    return std::make_unique<NatsLog>(connector, NatsNamesOf(connector->settings().stream, model));
  };
}

}  // namespace thresher::pipeline
