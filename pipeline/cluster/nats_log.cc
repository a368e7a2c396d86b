#include "pipeline/cluster/nats_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <mutex>
#include <type_traits>
#include <utility>

#include "pipeline/cluster/nats_buckets.h"
#include "pipeline/cluster/nats_link.h"
#include "pipeline/cluster/nats_removal.h"
#include "pipeline/cluster/nats_snapshots.h"

namespace thresher::pipeline {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr char kIdentityKey[] = "identity";
constexpr char kSnapshotKey[] = "snapshot";

class NatsLog final : public OrderedLog {
 public:
  NatsLog(const NatsLibrary& nats, const ClusterSettings& settings)
      : nats_(&nats),
        settings_(settings),
        subject_("thresher." + settings.stream),
        buckets_(nats, settings),
        snapshots_(nats, settings),
        removal_(nats, settings) {}
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
    return With(
        [&](const NatsLink& link) { return removal_.Before(link, settings_.stream, before, goes_on); });
  }

 private:
  using Link = std::shared_ptr<NatsLink>;

  Result<Link> Connected();
  // What `ask` finds through a connection.
  template <class Ask>
  std::invoke_result_t<Ask, const NatsLink&> With(const Ask& ask) {
    const auto link = Connected();
    if (!link) return tl::unexpected(link.error());
    return ask(**link);
  }
  Error Failed(const char* what, natsStatus status) const {
    return NatsFailure(*nats_, settings_, what, status);
  }
  natsStatus Info(const NatsLink& link, Owned<jsStreamInfo>* info) const;
  Result<void> Begin(const Link& link, uint64_t seq);
  Result<LogRecord> RecordOf(natsMsg* message, uint64_t* last) const;
  Result<Batch> NothingNew(const Link& link, uint64_t after);
  void DropReader();

  const NatsLibrary* nats_;
  ClusterSettings settings_;
  std::string subject_;
  NatsBuckets buckets_;
  NatsSnapshots snapshots_;
  NatsRemoval removal_;
  std::mutex mutex_;  // of link_
  Link link_;
  // Of the reading thread.
  Link reader_link_;
  natsSubscription* reader_ = nullptr;
  uint64_t next_ = 0;  // the record that the reader gives next
};

// Once connected, the library connects again by itself; what is asked meanwhile fails at once.
Result<NatsLog::Link> NatsLog::Connected() {
  const std::lock_guard lock(mutex_);
  if (link_ && nats_->natsConnection_Status(link_->connection) == NATS_CONN_STATUS_CLOSED) link_.reset();
  if (!link_) {
    auto link = NatsLink::Connect(*nats_, settings_);
    if (!link) return link;
    link_ = *std::move(link);
  }
  if (nats_->natsConnection_Status(link_->connection) != NATS_CONN_STATUS_CONNECTED)
    return tl::unexpected(Failed("reach a server", NATS_NOT_YET_CONNECTED));
  return link_;
}

natsStatus NatsLog::Info(const NatsLink& link, Owned<jsStreamInfo>* info) const {
  jsStreamInfo* found = nullptr;
  jsErrCode code{};
  const natsStatus status =
      nats_->js_GetStreamInfo(&found, link.jet, settings_.stream.c_str(), nullptr, &code);
  info->reset(found);
  return status;
}

Result<void> NatsLog::Create() {
  const auto link = Connected();
  if (!link) return tl::unexpected(link.error());
  Owned<jsStreamInfo> info(nullptr, nats_->jsStreamInfo_Destroy);
  natsStatus status = Info(**link, &info);
  if (status == NATS_NOT_FOUND) {
    jsStreamConfig config;
    nats_->jsStreamConfig_Init(&config);
    const char* subjects[] = {subject_.c_str()};
    config.Name = settings_.stream.c_str();
    config.Description = "feedback for thresher";
    config.Subjects = subjects;
    config.SubjectsLen = 1;
    config.Replicas = static_cast<int64_t>(settings_.replicas);
    config.Storage = js_FileStorage;
    config.DenyPurge = true;  // nats_removal.h
    jsStreamInfo* made = nullptr;
    jsErrCode code{};
    status = nats_->js_AddStream(&made, (*link)->jet, &config, nullptr, &code);
    info.reset(made);
  }
  if (status != NATS_OK) return tl::unexpected(Failed("make the stream", status));
  const jsStreamConfig& config = *info->Config;
  if (config.SubjectsLen != 1 || config.Subjects[0] != subject_) {
    return tl::unexpected(Error{
        kConfig, fmt::format("the stream '{}' is another program's: its subject is not {}; name another "
                             "--stream",
                             settings_.stream, subject_)});
  }
  return {};
}

Result<uint64_t> NatsLog::Publish(const std::string& name, std::string_view bytes) {
  const auto link = Connected();
  if (!link) return tl::unexpected(link.error());
  jsPubOptions options;
  nats_->jsPubOptions_Init(&options);
  options.MaxWait = kNatsAnswerMs;
  options.MsgId = name.c_str();
  options.ExpectStream = settings_.stream.c_str();
  jsPubAck* acknowledged = nullptr;
  jsErrCode code{};
  const natsStatus status = nats_->js_Publish(&acknowledged, (*link)->jet, subject_.c_str(), bytes.data(),
                                              static_cast<int>(bytes.size()), &options, &code);
  const Owned<jsPubAck> ack(acknowledged, nats_->jsPubAck_Destroy);
  if (status != NATS_OK) return tl::unexpected(Failed("publish", status));
  return ack->Sequence;
}

void NatsLog::DropReader() {
  if (reader_ == nullptr) return;
  // Where this fails, the server drops it when nobody has asked for a while.
  static_cast<void>(nats_->natsSubscription_Unsubscribe(reader_));
  nats_->natsSubscription_Destroy(reader_);
  reader_ = nullptr;
  reader_link_.reset();
}

Result<void> NatsLog::Begin(const Link& link, uint64_t seq) {
  DropReader();
  jsSubOptions options;
  nats_->jsSubOptions_Init(&options);
  options.Stream = settings_.stream.c_str();
  options.Config.DeliverPolicy = js_DeliverByStartSequence;
  options.Config.OptStartSeq = seq;
  options.Config.AckPolicy = js_AckNone;
  options.Config.InactiveThreshold = 60 * kSecondNs;
  options.Config.Replicas = 1;
  options.Config.MemoryStorage = true;
  jsErrCode code{};
  const natsStatus status =
      nats_->js_PullSubscribe(&reader_, link->jet, subject_.c_str(), nullptr, nullptr, &options, &code);
  if (status != NATS_OK) {
    reader_ = nullptr;
    return tl::unexpected(Failed("read", status));
  }
  reader_link_ = link;
  next_ = seq;
  return {};
}

Result<LogRecord> NatsLog::RecordOf(natsMsg* message, uint64_t* last) const {
  jsMsgMetaData* found = nullptr;
  const natsStatus status = nats_->natsMsg_GetMetaData(&found, message);
  const Owned<jsMsgMetaData> meta(found, nats_->jsMsgMetaData_Destroy);
  if (status != NATS_OK) return tl::unexpected(Failed("read", status));
  *last = meta->Sequence.Stream + meta->NumPending;
  const auto size = static_cast<size_t>(nats_->natsMsg_GetDataLength(message));
  return LogRecord{.seq = meta->Sequence.Stream,
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
    return tl::unexpected(Failed("read", status));
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
  return batch;
}

// The server may have lost the reader: then there is more than it gave.
Result<OrderedLog::Batch> NatsLog::NothingNew(const Link& link, uint64_t after) {
  Owned<jsStreamInfo> info(nullptr, nats_->jsStreamInfo_Destroy);
  if (const natsStatus status = Info(*link, &info); status != NATS_OK) {
    DropReader();
    return tl::unexpected(Failed("read", status));
  }
  Batch batch;
  batch.first = info->State.FirstSeq;
  batch.last = info->State.LastSeq;
  if (batch.last != after) DropReader();
  return batch;
}

bool IsStreamName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

}  // namespace

Result<std::unique_ptr<OrderedLog>> MakeNatsLog(const ClusterSettings& settings) {
  if (!IsStreamName(settings.stream)) {
    return tl::unexpected(
        Error{kConfig,
              fmt::format("--stream (cluster.stream): expected up to 64 letters, digits, - and _, not '{}'",
                          settings.stream)});
  }
  const auto nats = NatsLibrary::Get();
  if (!nats) return tl::unexpected(nats.error());
  return std::make_unique<NatsLog>(**nats, settings);
}

}  // namespace thresher::pipeline
