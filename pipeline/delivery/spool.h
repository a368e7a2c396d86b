// The features of messages that were classified but not taught, kept for later feedback; of a model whose log
// holds messages, the messages.
//
// One file per message in STORE/MODEL/spool/, written by rename and found by its name. Who
// classifies writes it under a lock that is held for some microseconds (spool_usage.h); who teaches reads and
// removes it. Count and bytes are bounded at every moment, age is looked at once a day; spool_shares.h says
// what leaves first. Thread-safety: any number of processes and threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/delivery/spool_usage.h"
#include "pipeline/error.h"
#include "pipeline/settings/settings.h"
#include "pipeline/settings/spool_limits.h"
#include "tokenizer/feature_decoder.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

class Spool {
 public:
  // `decoder` is that of the model the features belong to.
  Spool(std::filesystem::path dir, const SpoolLimits& limits, tokenizer::FeatureDecoder decoder);

  // Keeps `features`, texts included, under `key`; what is kept under it already stays as it is. After a
  // failure, of a message that is too large too, the caller goes on: only late feedback on it is lost.
  Result<void> Keep(const tokenizer::MessageKey& key, const tokenizer::Features& features) const;

  // The features kept under `key`, fit to be taught; nothing if there are none. kData if the file is damaged,
  // kIo if it cannot be read.
  Result<std::optional<tokenizer::Features>> Find(const tokenizer::MessageKey& key) const;
  // The names of all files, sorted; kIo if the spool cannot be read.
  using Listing = std::vector<std::string>;
  Result<Listing> List() const;
  // The name of the file for `key` alone, if there is one.
  Listing ListOf(const tokenizer::MessageKey& key) const;
  // The keys of `listing` that have this Message-ID and are still kept, or may have it: a damaged file does
  // not say.
  std::vector<tokenizer::MessageKey> KeysOf(std::string_view message_id, const Listing& listing) const;

  // Whether there is a file for `key`, damaged or not.
  bool Holds(const tokenizer::MessageKey& key) const;
  void Remove(const tokenizer::MessageKey& key) const;

  // Removes the files of all messages with such a Message-ID; returns how many. Damaged files go as well, as
  // nobody can say whose they are. kIo if a file cannot be read or removed; the others are gone then.
  Result<size_t> RemoveIf(const std::function<bool(std::string_view message_id)>& is_meant) const;

 private:
  Result<void> MakeRoom(const SpoolUsage& usage, uint64_t bytes) const;
  Result<SpoolTotals> RemoveWhatLeaves(uint64_t bytes) const;
  std::filesystem::path PathOf(const tokenizer::MessageKey& key) const;

  std::filesystem::path dir_;
  SpoolLimits limits_;
  tokenizer::FeatureDecoder decoder_;
};

// The spool of the model that `settings` name, which has this decoder.
Spool SpoolOf(const Settings& settings, const tokenizer::FeatureDecoder& decoder);

}  // namespace thresher::pipeline
