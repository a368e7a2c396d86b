#include "pipeline/cluster/nats_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <mutex>
#include <utility>

#include "pipeline/cluster/nats_link.h"

namespace thresher::pipeline {
namespace {

constexpr int64_t kSecondNs = 1'000'000'000;
constexpr char kIdentityKey[] = "identity";
constexpr char kNodeKey[] = "node.";

class NatsLog final : public OrderedLog {
 public:
  NatsLog(const NatsLibrary& nats, const ClusterSettings& settings)
      : nats_(&nats),
        settings_(settings),
        subject_("thresher." + settings.stream),
        bucket_("thresher-" + settings.stream) {}
  ~NatsLog() override { DropReader(); }
  NatsLog(const NatsLog&) = delete;
  NatsLog& operator=(const NatsLog&) = delete;

  Result<void> Create() override;
  Result<std::optional<std::string>> Agreed() override;
  Result<std::string> Agree(const std::string& text) override;
  Result<uint64_t> Publish(const std::string& name, std::string_view bytes) override;
  Result<Batch> Read(uint64_t after, size_t most, std::chrono::milliseconds patience) override;
  Result<void> PutEntry(const std::string& node, const std::string& text) override;
  Result<std::vector<Entry>> Entries() override;

 private:
  using Link = std::shared_ptr<NatsLink>;

  Result<Link> Connected();
  Error Failed(const char* what, natsStatus status) const {
    return NatsFailure(*nats_, settings_, what, status);
  }
  Owned<kvStore> Store(const NatsLink& link, natsStatus* status) const;
  natsStatus Info(const NatsLink& link, Owned<jsStreamInfo>* info) const;
  Result<void> Begin(const Link& link, uint64_t seq);
  Result<LogRecord> RecordOf(natsMsg* message, uint64_t* last) const;
  Result<Batch> NothingNew(const Link& link, uint64_t after);
  void DropReader();

  const NatsLibrary* nats_;
  ClusterSettings settings_;
  std::string subject_;
  std::string bucket_;
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
    config.DenyDelete = true;
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

Owned<kvStore> NatsLog::Store(const NatsLink& link, natsStatus* status) const {
  kvStore* store = nullptr;
  *status = nats_->js_KeyValue(&store, link.jet, bucket_.c_str());
  return {store, nats_->kvStore_Destroy};
}

Result<std::optional<std::string>> NatsLog::Agreed() {
  const auto link = Connected();
  if (!link) return tl::unexpected(link.error());
  natsStatus status = NATS_OK;
  const auto store = Store(**link, &status);
  kvEntry* found = nullptr;
  if (status == NATS_OK) status = nats_->kvStore_Get(&found, store.get(), kIdentityKey);
  const Owned<kvEntry> entry(found, nats_->kvEntry_Destroy);
  if (status == NATS_NOT_FOUND) return std::nullopt;
  if (status != NATS_OK) return tl::unexpected(Failed("read what was agreed upon", status));
  return std::string(nats_->kvEntry_ValueString(found));
}

Result<std::string> NatsLog::Agree(const std::string& text) {
  const auto link = Connected();
  if (!link) return tl::unexpected(link.error());
  kvConfig config;
  nats_->kvConfig_Init(&config);
  config.Bucket = bucket_.c_str();
  config.Description = "what the nodes of a log of thresher agreed upon";
  config.Replicas = static_cast<int>(settings_.replicas);
  kvStore* made = nullptr;
  natsStatus status = nats_->js_CreateKeyValue(&made, (*link)->jet, &config);
  const Owned<kvStore> store(made, nats_->kvStore_Destroy);
  // If the key is there already, this fails.
  uint64_t revision = 0;
  if (status == NATS_OK)
    status = nats_->kvStore_CreateString(&revision, store.get(), kIdentityKey, text.c_str());
  const Error failed = Failed("agree upon a model", status);
  const auto agreed = Agreed();
  if (!agreed) return tl::unexpected(agreed.error());
  return *agreed ? Result<std::string>(**agreed) : tl::unexpected(failed);
}

Result<void> NatsLog::PutEntry(const std::string& node, const std::string& text) {
  const auto link = Connected();
  if (!link) return tl::unexpected(link.error());
  natsStatus status = NATS_OK;
  const auto store = Store(**link, &status);
  if (status == NATS_OK)
    status = nats_->kvStore_PutString(nullptr, store.get(), (kNodeKey + node).c_str(), text.c_str());
  if (status != NATS_OK) return tl::unexpected(Failed("say what this node is", status));
  return {};
}

// A watcher gives what there is, then nothing.
Result<std::vector<OrderedLog::Entry>> NatsLog::Entries() {
  const auto link = Connected();
  if (!link) return tl::unexpected(link.error());
  natsStatus status = NATS_OK;
  const auto store = Store(**link, &status);
  if (status == NATS_NOT_FOUND)
    return tl::unexpected(Error{
        kNoInput,
        fmt::format("the servers have no log '{}' of thresher: no node has begun it", settings_.stream)});
  kvWatchOptions options;
  nats_->kvWatchOptions_Init(&options);
  options.IgnoreDeletes = true;
  kvWatcher* made = nullptr;
  if (status == NATS_OK)
    status = nats_->kvStore_Watch(&made, store.get(), (std::string(kNodeKey) + "*").c_str(), &options);
  const Owned<kvWatcher> watcher(made, nats_->kvWatcher_Destroy);
  std::vector<Entry> entries;
  while (status == NATS_OK) {
    kvEntry* found = nullptr;
    status = nats_->kvWatcher_Next(&found, made, kNatsAnswerMs);
    const Owned<kvEntry> entry(found, nats_->kvEntry_Destroy);
    if (status == NATS_OK && found == nullptr) return entries;
    if (status == NATS_OK)
      entries.push_back({nats_->kvEntry_ValueString(found), nats_->kvEntry_Created(found) / 1000});
  }
  return tl::unexpected(Failed("read what the nodes say", status));
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
