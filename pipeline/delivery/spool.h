// The features of messages that were classified but not taught, kept for later feedback.
//
// One file per message in STORE/MODEL/spool/, written by rename and found by its name. `filter` and
// `classify` write it without a lock; `feedback` reads and removes it. Count, bytes and age are bounded: the
// oldest files are removed first. Thread-safety: any number of processes and threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"
#include "pipeline/settings/spool_limits.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"
#include "tokenizer/message_head.h"

namespace thresher::pipeline {

class Spool {
 public:
  // `id_space` is that of the model the features belong to.
  Spool(std::filesystem::path dir, const SpoolLimits& limits, const tokenizer::IdSpace& id_space);

  // Keeps `features`, texts included, under `key`. After a failure the caller goes on: only late feedback on
  // this message is lost.
  Result<void> Keep(const tokenizer::MessageKey& key, const tokenizer::Features& features) const;

  // The features kept under `key`; nothing if there are none or the file is damaged.
  std::optional<tokenizer::Features> Find(const tokenizer::MessageKey& key) const;
  // The names of all files, sorted.
  using Listing = std::vector<std::string>;
  Listing List() const;
  // The keys of `listing` that have this Message-ID and are still kept.
  std::vector<tokenizer::MessageKey> KeysOf(std::string_view message_id, const Listing& listing) const;

  // Whether there is a file for `key`, damaged or not.
  bool Holds(const tokenizer::MessageKey& key) const;
  void Remove(const tokenizer::MessageKey& key) const;

  // Removes the files of all messages with such a Message-ID; returns how many.
  size_t RemoveIf(const std::function<bool(std::string_view message_id)>& is_meant) const;

  // Removes the oldest files beyond the limits. Keep does this for one message in 64.
  void Prune() const;

 private:
  std::filesystem::path PathOf(const tokenizer::MessageKey& key) const;

  std::filesystem::path dir_;
  SpoolLimits limits_;
  tokenizer::IdSpace id_space_;
};

// The spool of the model that `settings` name, which has this `id_space`.
Spool SpoolOf(const Settings& settings, const tokenizer::IdSpace& id_space);

}  // namespace thresher::pipeline
