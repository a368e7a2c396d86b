#include "pipeline/serve/http_json.h"

#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

namespace thresher::pipeline {
namespace {

// JSON takes up to thirty times its bytes in memory, and what nests deeply a hundred times.
constexpr size_t kMostJsonBytes = size_t{4} << 20;
constexpr int kDeepestJson = 3;  // {"messages": [{…}]}

struct JsonOutline {
  bool is_too_deep = false;
  size_t members = 0;  // names with values, of all objects; if it is JSON
};

JsonOutline OutlineOf(std::string_view json) {
  JsonOutline outline;
  int depth = 0;
  bool in_text = false;
  for (size_t i = 0; i < json.size() && !outline.is_too_deep; ++i) {
    const char c = json[i];
    if (in_text && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_text = !in_text;
    } else if (!in_text && (c == '[' || c == '{')) {
      outline.is_too_deep = ++depth > kDeepestJson;
    } else if (!in_text && (c == ']' || c == '}')) {
      --depth;
    } else if (!in_text && c == ':') {
      ++outline.members;
    }
  }
  return outline;
}

size_t MembersIn(const nlohmann::json& json) {
  size_t members = json.is_object() ? json.size() : 0;
  for (const nlohmann::json& each : json) members += each.is_structured() ? MembersIn(each) : 0;
  return members;
}

}  // namespace

tl::expected<nlohmann::json, HttpResponse> JsonIn(const HttpRequest& request) {
  if (request.body.size() > kMostJsonBytes)
    return tl::unexpected(
        HttpResponse::Problem(413, fmt::format("expected at most {} bytes of JSON", kMostJsonBytes)));
  const JsonOutline outline = OutlineOf(request.body);
  if (outline.is_too_deep) return nlohmann::json(nlohmann::json::value_t::discarded);
  auto json = nlohmann::json::parse(request.body, nullptr, false);
  // Of two labels nobody knows which one is meant; parse takes the last.
  if (json.is_structured() && MembersIn(json) != outline.members)
    return tl::unexpected(HttpResponse::Problem(400, "the JSON has a name twice"));
  return json;
}

}  // namespace thresher::pipeline
