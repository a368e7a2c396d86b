#include "pipeline/cluster/nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace thresher::pipeline {
namespace {

using nlohmann::json;

constexpr std::string_view kNodeForm = "thresher-node";
constexpr std::array<std::string_view, 4> kStates = {"follows", "not-followed", "unequal", "differs"};
// A node that was not seen for so long is away. By the servers' clock alone.
constexpr int64_t kAwayUs = 60'000'000;

uint64_t Unsigned(const json& number) {
  if (!number.is_number_unsigned()) throw std::invalid_argument("no whole number");
  return number.get<uint64_t>();
}

// Throws if the JSON is not as TextOf writes it.
NodeEntry EntryOf(const json& found) {
  if (found.at("form") != kNodeForm || found.at("format") != 1) throw std::invalid_argument("another form");
  const auto state = std::find(kStates.begin(), kStates.end(), found.at("state").get<std::string>());
  if (state == kStates.end()) throw std::invalid_argument("another state");
  NodeEntry entry{.id = Unsigned(found.at("id")),
                  .name = found.at("name").get<std::string>(),
                  .version = found.at("version").get<std::string>(),
                  .state = static_cast<NodeState>(state - kStates.begin()),
                  .position = Unsigned(found.at("position")),
                  .last = Unsigned(found.at("last")),
                  .outbox = Unsigned(found.at("outbox")),
                  .wants = Unsigned(found.at("wants")),
                  .renewed = Unsigned(found.at("renewed")),
                  .trouble = found.at("trouble").get<std::string>(),
                  .digests = {}};
  for (const json& each : found.at("digests"))
    entry.digests.push_back({Unsigned(each.at(0)), each.at(1).get<std::string>()});
  return entry;
}

std::optional<std::string> DigestAfter(const NodeEntry& node, uint64_t record) {
  for (const ModelDigest& each : node.digests) {
    if (each.record == record) return each.digest;
  }
  return std::nullopt;
}

// The others that are there.
std::vector<const NodeEntry*> Present(const NodeEntry& own, const std::vector<NodeEntry>& nodes) {
  const int64_t newest_us = NewestOf(nodes);
  std::vector<const NodeEntry*> present;
  for (const NodeEntry& each : nodes) {
    if (each.id != own.id && !IsAway(each, newest_us)) present.push_back(&each);
  }
  return present;
}

// Nothing if no other node has a digest after this record.
std::optional<Comparison> CompareAfter(const ModelDigest& own, const std::vector<const NodeEntry*>& others) {
  std::map<std::string, size_t> votes = {{own.digest, 1}};
  const NodeEntry* another = nullptr;
  bool is_compared = false;
  for (const NodeEntry* const each : others) {
    const auto digest = DigestAfter(*each, own.record);
    if (!digest) continue;
    is_compared = true;
    ++votes[*digest];
    if (*digest != own.digest) another = each;
  }
  if (!is_compared) return std::nullopt;
  const Comparison equal{NodeState::kFollowing, "", own.record};
  if (another == nullptr) return equal;
  const auto most = std::max_element(votes.begin(), votes.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  const size_t nodes = others.size() + 1;
  const bool is_majority = most->second * 2 > nodes;
  if (is_majority && most->first == own.digest) return equal;
  if (is_majority) {
    return Comparison{NodeState::kDiffers,
                      fmt::format("after record {} the model was ({}), and that of {} of {} nodes ({})",
                                  own.record, own.digest, most->second, nodes, most->first),
                      own.record};
  }
  return Comparison{
      NodeState::kUnequal,
      fmt::format("after record {} the model was ({}), and that of node {} ({}): no model is that "
                  "of most nodes (docs/cluster.md)",
                  own.record, own.digest, another->name, *DigestAfter(*another, own.record)),
      own.record};
}

}  // namespace

int64_t NewestOf(const std::vector<NodeEntry>& nodes) {
  int64_t newest_us = 0;
  for (const NodeEntry& each : nodes) newest_us = std::max(newest_us, each.seen_us);
  return newest_us;
}

bool IsAway(const NodeEntry& node, int64_t newest_us) { return newest_us - node.seen_us > kAwayUs; }

bool MeetingIsDue(std::chrono::milliseconds since, size_t entries, bool has_new_digest) {
  using std::chrono::milliseconds;
  constexpr milliseconds kShortest{2000};
  constexpr milliseconds kLongest{20'000};
  const milliseconds interval = std::clamp(milliseconds(20 * entries), kShortest, kLongest);
  return since >= interval || (has_new_digest && interval == kShortest);
}

std::string_view NameOf(NodeState state) { return kStates[static_cast<size_t>(state)]; }

std::string TextOf(const NodeEntry& entry) {
  json digests = json::array();
  for (const ModelDigest& each : entry.digests) digests.push_back({each.record, each.digest});
  const json text = {{"form", kNodeForm},
                     {"format", 1},
                     {"id", entry.id},
                     {"name", entry.name},
                     {"version", entry.version},
                     {"state", NameOf(entry.state)},
                     {"position", entry.position},
                     {"last", entry.last},
                     {"outbox", entry.outbox},
                     {"wants", entry.wants},
                     {"renewed", entry.renewed},
                     {"trouble", entry.trouble},
                     {"digests", digests}};
  return text.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<NodeEntry> ReadNodeEntry(std::string_view text) {
  try {
    return EntryOf(json::parse(text));
  } catch (const std::exception&) {
    return tl::unexpected(Error{kData, "the entry of a node cannot be read"});
  }
}

Result<std::vector<NodeEntry>> ReadNodes(OrderedLog& log) {
  const auto found = log.Entries();
  if (!found) return tl::unexpected(found.error());
  std::vector<NodeEntry> nodes;
  for (const OrderedLog::Entry& each : *found) {
    auto node = ReadNodeEntry(each.text);
    if (!node) continue;
    node->seen_us = each.time_us;
    nodes.push_back(*std::move(node));
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const auto& a, const auto& b) { return std::tie(a.name, a.id) < std::tie(b.name, b.id); });
  return nodes;
}

Comparison CompareWithNodes(const NodeEntry& own, const std::vector<NodeEntry>& nodes) {
  const auto others = Present(own, nodes);
  for (size_t i = own.digests.size(); i > 0; --i) {
    if (auto compared = CompareAfter(own.digests[i - 1], others)) return *std::move(compared);
  }
  // The others have gone on so far that none has a digest after the same record any more.
  for (const NodeEntry& each : nodes) {
    if (each.id != own.id || each.state != NodeState::kDiffers || each.digests != own.digests) continue;
    return {NodeState::kDiffers, "the model was found to differ from that of most nodes",
            own.digests.empty() ? 0 : own.digests.back().record};
  }
  return {};
}

}  // namespace thresher::pipeline
