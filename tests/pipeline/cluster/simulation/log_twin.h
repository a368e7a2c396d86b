// What all models of a log must have, by a slow and obvious reading of it: the twin of Follower.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "learners/learner.h"
#include "pipeline/cluster/operation.h"
#include "pipeline/cluster/ordered_log.h"

namespace thresher::pipeline {

struct LogTwin {
  using Key = std::pair<std::string, std::string>;  // Message-ID, digest

  std::set<std::pair<uint64_t, uint64_t>> done;  // author, number
  std::map<Key, Label> labels;
  std::map<Key, tokenizer::MessageKey> keys;  // all that were ever taught
  uint64_t examples = 0;

  void Take(const LogRecord& record, uint64_t identity) {
    const auto operation = DecodeOperation(record.bytes);
    if (!operation || operation->identity != identity) return;
    if (!done.insert({operation->author, operation->number}).second) return;
    const tokenizer::MessageKey& own = operation->keys.own;
    const Key key{own.message_id, own.digest};
    keys[key] = own;
    if (operation->act == Act::kForget) {
      labels.erase(key);
    } else if (const auto known = labels.find(key);
               known == labels.end() || known->second != operation->label) {
      labels[key] = operation->label;
      ++examples;
    }
  }
};

}  // namespace thresher::pipeline
