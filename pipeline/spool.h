// Features of messages that were classified but not taught, kept for feedback that comes later.
//
// One file per message in STORE/MODEL/spool/, written by rename, found by its name. Written by `filter` and
// `classify`, which hold no lock; read and removed by `feedback`. Bounded by count, bytes and age: the oldest
// go first. Thread-safety: any number of processes and threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"
#include "tokenizer/message_head.h"

namespace thresher::pipeline {

struct SpoolLimits {
  uint64_t max_messages = 10000;
  uint64_t max_bytes = uint64_t{256} << 20;
  double max_age_days = 30;
};

class Spool {
 public:
  // `id_space` is that of the model the features belong to.
  Spool(std::filesystem::path dir, const SpoolLimits& limits, const tokenizer::IdSpace& id_space);

  // Keeps `features`, texts included, under `key`. A failure loses this message's late feedback and nothing
  // else: the caller goes on.
  Result<void> Keep(const tokenizer::MessageKey& key, const tokenizer::Features& features) const;

  // What was kept under `key`; nothing if it never was, or is gone or damaged.
  std::optional<tokenizer::Features> Find(const tokenizer::MessageKey& key) const;
  // The names of the files there are now, in order.
  using Listing = std::vector<std::string>;
  Listing List() const;
  // The keys of `listing` that have this Message-ID and are still kept.
  std::vector<tokenizer::MessageKey> KeysOf(std::string_view message_id, const Listing& listing) const;

  // Whether anything is kept under `key`, damaged or not.
  bool Holds(const tokenizer::MessageKey& key) const;
  void Remove(const tokenizer::MessageKey& key) const;

  // Removes the oldest files beyond the limits. Keep does this for one message in 64.
  void Prune() const;

 private:
  std::filesystem::path PathOf(const tokenizer::MessageKey& key) const;

  std::filesystem::path dir_;
  SpoolLimits limits_;
  tokenizer::IdSpace id_space_;
};

}  // namespace thresher::pipeline
