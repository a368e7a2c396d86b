#include "pipeline/cluster/nats_buckets.h"

namespace thresher::pipeline {
namespace {

// Entries of nodes that are gone leave.
constexpr int64_t kKeepEntriesNs = int64_t{24} * 3600 * 1'000'000'000;

}  // namespace

Owned<kvStore> NatsBuckets::Open(const NatsLink& link, const std::string& name, natsStatus* status) const {
  kvStore* store = nullptr;
  *status = nats_->js_KeyValue(&store, link.jet, name.c_str());
  return {store, nats_->kvStore_Destroy};
}

Owned<kvStore> NatsBuckets::Make(const NatsLink& link, const std::string& name, const char* description,
                                 int64_t keep_ns, natsStatus* status) const {
  kvConfig config;
  nats_->kvConfig_Init(&config);
  config.Bucket = name.c_str();
  config.Description = description;
  config.TTL = keep_ns;
  config.Replicas = static_cast<int>(settings_.replicas);
  kvStore* store = nullptr;
  *status = nats_->js_CreateKeyValue(&store, link.jet, &config);
  return {store, nats_->kvStore_Destroy};
}

Result<std::optional<std::string>> NatsBuckets::Get(const NatsLink& link, const char* key) const {
  natsStatus status = NATS_OK;
  const auto store = Open(link, agreed_, &status);
  kvEntry* found = nullptr;
  if (status == NATS_OK) status = nats_->kvStore_Get(&found, store.get(), (keys_ + key).c_str());
  const Owned<kvEntry> entry(found, nats_->kvEntry_Destroy);
  if (status == NATS_NOT_FOUND) return std::nullopt;
  if (status != NATS_OK) return tl::unexpected(Failed(link, "read what was agreed upon", status));
  return std::string(nats_->kvEntry_ValueString(found));
}

Result<void> NatsBuckets::Put(const NatsLink& link, const char* key, const std::string& text) const {
  natsStatus status = NATS_OK;
  const auto store = Open(link, agreed_, &status);
  if (status == NATS_OK)
    status = nats_->kvStore_PutString(nullptr, store.get(), (keys_ + key).c_str(), text.c_str());
  if (status != NATS_OK) return tl::unexpected(Failed(link, "write what all nodes read", status));
  return {};
}

Result<std::string> NatsBuckets::PutFirst(const NatsLink& link, const char* key,
                                          const std::string& text) const {
  natsStatus status = NATS_OK;
  const auto store =
      Make(link, agreed_, "what the nodes of a log of thresher agreed upon", /*keep_ns=*/0, &status);
  // If the key is there already, this fails.
  uint64_t revision = 0;
  if (status == NATS_OK)
    status = nats_->kvStore_CreateString(&revision, store.get(), (keys_ + key).c_str(), text.c_str());
  // Another replica may answer, and not have it yet.
  if (status == NATS_OK) return text;
  const Error failed = Failed(link, "agree upon a model", status);
  const auto agreed = Get(link, key);
  if (!agreed) return tl::unexpected(agreed.error());
  return *agreed ? Result<std::string>(**agreed) : tl::unexpected(failed);
}

Result<void> NatsBuckets::PutEntry(const NatsLink& link, const std::string& node,
                                   const std::string& text) const {
  natsStatus status = NATS_OK;
  auto store = Open(link, nodes_, &status);
  if (status == NATS_NOT_FOUND)
    store = Make(link, nodes_, "what the nodes of a log of thresher say", kKeepEntriesNs, &status);
  if (status == NATS_OK)
    status = nats_->kvStore_PutString(nullptr, store.get(), (keys_ + node).c_str(), text.c_str());
  if (status != NATS_OK) return tl::unexpected(Failed(link, "say what this node is", status));
  return {};
}

// A watcher gives what there is, then nothing.
Result<std::vector<OrderedLog::Entry>> NatsBuckets::Entries(const NatsLink& link) const {
  std::vector<OrderedLog::Entry> entries;
  natsStatus status = NATS_OK;
  const auto store = Open(link, nodes_, &status);
  if (status == NATS_NOT_FOUND) return entries;
  kvWatchOptions options;
  nats_->kvWatchOptions_Init(&options);
  options.IgnoreDeletes = true;
  kvWatcher* made = nullptr;
  if (status == NATS_OK) status = nats_->kvStore_Watch(&made, store.get(), (keys_ + "*").c_str(), &options);
  const Owned<kvWatcher> watcher(made, nats_->kvWatcher_Destroy);
  while (status == NATS_OK) {
    kvEntry* found = nullptr;
    status = nats_->kvWatcher_Next(&found, made, settings_.answer.count());
    const Owned<kvEntry> entry(found, nats_->kvEntry_Destroy);
    if (status == NATS_OK && found == nullptr) return entries;
    if (status == NATS_OK)
      entries.push_back({nats_->kvEntry_ValueString(found), nats_->kvEntry_Created(found) / 1000});
  }
  return tl::unexpected(Failed(link, "read what the nodes say", status));
}

}  // namespace thresher::pipeline
