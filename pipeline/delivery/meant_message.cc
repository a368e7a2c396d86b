#include "pipeline/delivery/meant_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using tokenizer::MessageKey;

Result<MessageKey> FindKey(const Model& model, const Spool& spool, const Spool::Listing& spooled,
                           std::string_view user, const Reply& reply) {
  const std::string id = tokenizer::MessageIdOf(user, reply.message_id);
  auto taught = model.Messages().KeysOf(id);
  if (!taught) return tl::unexpected(taught.error());
  std::vector<MessageKey> keys = *std::move(taught);
  for (MessageKey& kept : spool.KeysOf(id, spooled)) {
    if (std::find(keys.begin(), keys.end(), kept) == keys.end()) keys.push_back(std::move(kept));
  }
  return OneKey(std::move(keys), reply.message_id, reply.digest,
                fmt::format("was classified or taught here {}; {}, or teach the message itself with "
                            "`thresher learn`",
                            ForWhom(user), NameItsUser(user)));
}

// `kept`: what the spool has, or why that cannot be had.
Result<std::optional<tokenizer::Features>> FeaturesFor(const Model& model, const MessageKey& key, Label label,
                                                       Result<std::optional<tokenizer::Features>> kept) {
  if (kept && *kept) return *std::move(kept);
  const auto before = model.Messages().LabelOf(key);
  if (!before) return tl::unexpected(before.error());
  if (*before == label) return std::nullopt;
  auto taught = model.Messages().FeaturesOf(key);
  if (!taught) return tl::unexpected(taught.error());
  if (*taught) return *std::move(taught);
  if (!kept) return tl::unexpected(kept.error());
  return tl::unexpected(Error{
      kNoInput, "the features of this message have expired; teach the message itself with `thresher learn`"});
}

}  // namespace

Result<MeantMessage> FindMeant(const Model& model, const Spool& spool, const Spool::Listing& spooled,
                               std::string_view user, const Reply& reply) {
  auto key = FindKey(model, spool, spooled, user, reply);
  if (!key) return tl::unexpected(key.error());
  auto features = FeaturesFor(model, *key, reply.label, spool.Find(*key));
  if (!features) return tl::unexpected(features.error());
  return MeantMessage{{.own = *std::move(key), .delivered = {}, .unkeyed = {}}, *std::move(features)};
}

bool IsOfOneReply(const Error& error) { return error.exit_code == kNoInput || error.exit_code == kData; }

}  // namespace thresher::pipeline
