// What `thresher cluster status` prints, from what the daemon says (GET /log).
//
// Called by cluster.cc. Thread-safety: pure functions.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {

// How far a node is. The log of a node that was started again and cannot reach it has not been read.
inline std::string LogPositionText(uint64_t position, uint64_t last, bool is_followed) {
  if (last < position) return fmt::format("record {} applied; the log has not been read yet", position);
  if (last > 0) return fmt::format("record {} of {} applied", position, last);
  return is_followed ? "the log has no record yet: nothing was taught"
                     : "no record applied; the log has not been read yet";
}

// The table of all nodes, and what is wrong with each.
inline std::string ClusterNodesText(const nlohmann::json& nodes) {
  static constexpr char kRow[] = "{:16}  {:12}  {:12}  {:>10}  {:>8}  {:>6}  {:>6}  {:10}  {}\n";
  std::string out = fmt::format(kRow, "node", "machine", "state", "record", "lag", "outbox", "seen",
                                "version", "digest (after record)");
  std::string troubles;
  for (const nlohmann::json& node : nodes) {
    const auto text = [&](const char* name) { return Printable(node.value(name, std::string())); };
    const auto number = [&](const char* name) { return node.value(name, uint64_t{0}); };
    out += fmt::format(kRow, text("id"), text("name"), text("state"), number("position"), number("lag"),
                       number("outbox"), fmt::format("{} s", number("seconds_ago")), text("version"),
                       number("digest_record") == 0
                           ? "none"
                           : fmt::format("{} ({})", text("digest"), number("digest_record")));
    if (!text("trouble").empty()) troubles += fmt::format("{}: {}\n", text("id"), text("trouble"));
  }
  return out + troubles;
}

inline std::string ClusterStatusText(const nlohmann::json& log) {
  const auto text = [&](const char* name) { return Printable(log.value(name, std::string())); };
  const auto number = [&](const char* name) { return log.value(name, uint64_t{0}); };
  const bool is_followed = log.value("followed", false);
  std::string out;
  const auto add = [&]<class... T>(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(out), format, std::forward<T>(values)...);
  };
  add("log {} of model {}\n", text("stream"), text("model"));
  add("{}\n", is_followed ? "followed" : "not followed: " + text("trouble"));
  if (const std::string differs = text("differs"); !differs.empty()) add("differs: {}\n", differs);
  add("{}\n", LogPositionText(number("position"), number("last"), is_followed));
  add("{} messages in the outbox\n", number("outbox"));
  add("records since the start: {} applied, {} twice in the log, {} foreign\n", number("applied"),
      number("duplicates"), number("foreign"));
  add("digest: {}\n", text("digest"));
  add("snapshot: {}\n",
      number("snapshot") == 0 ? "none" : fmt::format("after record {}", number("snapshot")));
  if (const std::string why = text("snapshot_trouble"); !why.empty())
    add("trouble with the last snapshot: {}\n", why);
  return out + "\n" + ClusterNodesText(log.value("nodes", nlohmann::json::array()));
}

}  // namespace thresher::pipeline
