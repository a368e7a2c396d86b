#include "pipeline/serve/recent_verdicts.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "pipeline/terminal/token_text.h"
#include "tokenizer/ascii.h"
#include "tokenizer/charset.h"
#include "tokenizer/head_scanner.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

// Headers beyond that are not looked at: a head of a megabyte must not cost more than the verdict.
constexpr size_t kMostHeadBytes = size_t{64} << 10;

struct ShownHeaders {
  std::string_view sender;
  std::string_view subject;
};

// The first of each, as mail programs show them.
ShownHeaders HeadersOf(std::string_view message) {
  ShownHeaders found;
  tokenizer::HeadScanner scanner(message.substr(0, kMostHeadBytes));
  for (tokenizer::HeaderField field; scanner.Next(&field);) {
    const std::string_view value = field.value.substr(0, RecentVerdicts::kMostHeaderBytes);
    if (found.sender.empty() && tokenizer::EqualsIgnoringCase(field.name, "from")) found.sender = value;
    if (found.subject.empty() && tokenizer::EqualsIgnoringCase(field.name, "subject")) found.subject = value;
    if (!found.sender.empty() && !found.subject.empty()) break;
  }
  return found;
}

std::string ShownText(std::string_view value) {
  tokenizer::CharsetConverter converter;
  return std::string(tokenizer::Trim(converter.DecodeHeader(value)));
}

double SecondsOf(int64_t microseconds) { return static_cast<double>(microseconds) / 1e6; }

}  // namespace

void RecentVerdicts::Add(std::string_view protocol, std::string_view model, std::string_view message,
                         const Judged& judged, int64_t time_us) {
  if (most_ == 0) return;
  const ShownHeaders headers = HeadersOf(message);
  Seen seen{.change = 0,
            .time_us = time_us,
            .protocol = std::string(protocol),
            .model = std::string(model),
            .key = judged.key,
            .verdict = judged.verdict,
            .listed = judged.listed,
            .score = judged.score,
            .bytes = message.size(),
            .sender = std::string(headers.sender),
            .subject = std::string(headers.subject),
            .taught = {}};
  const std::lock_guard lock(mutex_);
  seen.change = ++changes_;
  messages_.push_back(std::move(seen));
  if (messages_.size() > most_) messages_.pop_front();
}

void RecentVerdicts::Tell(const tokenizer::MessageKey& key, Label label) {
  const std::lock_guard lock(mutex_);
  for (Seen& seen : messages_) {
    if (seen.key != key) continue;
    seen.taught = label;
    seen.change = ++changes_;
  }
}

void RecentVerdicts::Forget(std::span<const tokenizer::MessageKey> keys) {
  std::set<std::pair<std::string_view, std::string_view>> forgotten;
  for (const tokenizer::MessageKey& key : keys) forgotten.emplace(key.message_id, key.digest);
  const std::lock_guard lock(mutex_);
  for (Seen& seen : messages_) {
    if (!seen.taught || !forgotten.contains({seen.key.message_id, seen.key.digest})) continue;
    seen.taught.reset();
    seen.change = ++changes_;
  }
}

nlohmann::ordered_json RecentVerdicts::JsonOf(const Seen& seen) {
  const auto [user, message_id] = tokenizer::UserAndMessageId(seen.key.message_id);
  return {{"time", SecondsOf(seen.time_us)},
          {"protocol", seen.protocol},
          {"model", seen.model},
          {"user", std::string(user)},
          {"id", Listable(message_id)},
          {"key", seen.key.digest},
          {"from", ShownText(seen.sender)},
          {"subject", ShownText(seen.subject)},
          {"bytes", seen.bytes},
          {"verdict", NameOf(seen.verdict)},
          {"listed", seen.listed},
          {"probability", seen.score.probability},
          {"margin", seen.score.margin},
          {"taught", seen.taught ? nlohmann::ordered_json(NameOf(*seen.taught)) : nullptr}};
}

nlohmann::ordered_json RecentVerdicts::After(uint64_t after) const {
  std::vector<Seen> changed;
  uint64_t last = 0;
  {
    const std::lock_guard lock(mutex_);
    last = changes_;
    std::copy_if(messages_.rbegin(), messages_.rend(), std::back_inserter(changed),
                 [&](const Seen& seen) { return seen.change > after; });
  }
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  for (const Seen& seen : changed) messages.push_back(JsonOf(seen));
  return {
      {"since", SecondsOf(since_us_)}, {"last", last}, {"kept", most_}, {"messages", std::move(messages)}};
}

}  // namespace thresher::pipeline
