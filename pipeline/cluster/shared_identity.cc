#include "pipeline/cluster/shared_identity.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <map>
#include <nlohmann/json.hpp>

#include "pipeline/model/identity.h"

namespace thresher::pipeline {
namespace {

constexpr char kForm[] = "thresher-log";
constexpr int kIdentityVersion = 1;

// Each part by its name, as people see it.
std::map<std::string, std::string> PartsOf(const SharedIdentity& identity) {
  std::map<std::string, std::string> parts(identity.meta.begin(), identity.meta.end());
  parts["stream"] = identity.stream;
  parts["log.keep_days"] = fmt::format("{}", identity.keep.days);
  parts["log.keep_bytes"] = fmt::format("{}", identity.keep.bytes);
  parts["the model that it began with"] = identity.base.empty() ? "a new one" : identity.base;
  return parts;
}

}  // namespace

std::string SharedIdentity::Text() const {
  const nlohmann::json json = {{"form", kForm},
                               {"version", kIdentityVersion},
                               {"stream", stream},
                               {"meta", std::map<std::string, std::string>(meta.begin(), meta.end())},
                               {"keep_days", keep.days},
                               {"keep_bytes", keep.bytes},
                               {"base", base}};
  return json.dump(-1, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace);
}

uint64_t SharedIdentity::Digest() const {
  const std::string text = Text();
  return XXH3_64bits(text.data(), text.size());
}

std::string SharedIdentity::Name() const { return fmt::format("{:016x}", Digest()); }

Result<SharedIdentity> ReadSharedIdentity(std::string_view text) {
  const auto wrong = [](std::string_view what) {
    return tl::unexpected(
        Error{kData, fmt::format("what the nodes of the log agreed upon cannot be read: {}", what)});
  };
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || json.value("form", nlohmann::json()) != kForm)
    return wrong("it is not thresher's");
  if (json.value("version", nlohmann::json()) != kIdentityVersion) return wrong("it has another version");
  const auto part = [&](const char* name) { return json.value(name, nlohmann::json()); };
  const bool is_whole = part("stream").is_string() && part("meta").is_object() && part("base").is_string() &&
                        part("keep_days").is_number() && part("keep_bytes").is_number_unsigned();
  if (!is_whole) return wrong("it is not whole");
  SharedIdentity identity{
      .stream = part("stream").get<std::string>(),
      .meta = {},
      .keep = {.days = part("keep_days").get<double>(), .bytes = part("keep_bytes").get<uint64_t>()},
      .base = part("base").get<std::string>()};
  const nlohmann::json meta = part("meta");
  for (const auto& [name, value] : meta.items()) {
    if (!value.is_string()) return wrong("it is not whole");
    identity.meta.emplace(name, value.get<std::string>());
  }
  if (!identity.keep.IsSound()) return wrong("it is not whole");
  return identity;
}

std::string DifferencesOf(const SharedIdentity& agreed, const SharedIdentity& own) {
  std::map<std::string, std::string> theirs = PartsOf(agreed);
  std::map<std::string, std::string> ours = PartsOf(own);
  std::map<std::string, std::string> all = theirs;
  all.insert(ours.begin(), ours.end());
  std::string text;
  for (const auto& [name, any] : all) {
    if (theirs[name] == ours[name]) continue;
    text += text.empty() ? "" : "; ";
    const bool is_secret = name == kKeySecret || name == "seed";
    text += is_secret ? name : fmt::format("{}: {}, not {}", name, theirs[name], ours[name]);
  }
  return text;
}

}  // namespace thresher::pipeline
