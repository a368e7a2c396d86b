#include "pipeline/delivery/forget_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "pipeline/delivery/known_message.h"
#include "pipeline/delivery/reply.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using tokenizer::MessageKey;

constexpr char kOrExpired[] = "or it has expired from the log";

std::string NotTaughtHere(std::string_view user) {
  return fmt::format("was taught here {}, {}; {}", ForWhom(user), kOrExpired, NameItsUser(user));
}

ForgottenMessages Told(const Forgotten& forgotten, uint64_t spooled) {
  ForgottenMessages told{.messages = forgotten.messages, .examples = forgotten.examples, .spooled = spooled};
  for (const storage::MessageKeyText& key : forgotten.keys) told.keys.push_back({key.message_id, key.digest});
  return told;
}

}  // namespace

Result<MessageKey> TaughtKey(const Model& model, std::string_view user, std::string_view message_id,
                             std::string_view digest) {
  auto known = model.Messages().KeysOf(tokenizer::MessageIdOf(user, message_id));
  if (!known) return tl::unexpected(known.error());
  auto expired = model.Messages().ExpiredKeys();
  if (!expired) return tl::unexpected(expired.error());
  for (MessageKey& key : *expired) {
    if (key.message_id == tokenizer::MessageIdOf(user, message_id) && !std::ranges::count(*known, key))
      known->push_back(std::move(key));
  }
  return OneKey(*std::move(known), message_id, digest, NotTaughtHere(user));
}

Result<MessageKey> TaughtKey(const Model& model, const tokenizer::MessageKeys& keys,
                             const tokenizer::Features& features) {
  const auto known = FindKnown(model.Messages(), keys, features);
  if (!known) return tl::unexpected(known.error());
  if (*known) return (*known)->key;
  const auto expired = model.Messages().ExpiredKeys();
  if (!expired) return tl::unexpected(expired.error());
  for (const MessageKey& key : *expired) {
    if (key == keys.own || key == keys.delivered) return key;
  }
  const std::string_view user = tokenizer::UserAndMessageId(keys.own.message_id).user;
  return tl::unexpected(Error{kNoInput, fmt::format("no such message {}", NotTaughtHere(user))});
}

Result<ForgottenMessages> ForgetThese(Model& model, const Spool& spool, const std::vector<MessageKey>& keys) {
  std::set<std::pair<std::string_view, std::string_view>> meant;
  for (const MessageKey& key : keys) meant.emplace(key.message_id, key.digest);
  // First, so that an interrupted command leaves nothing in the spool that the model no longer knows.
  for (const MessageKey& key : keys) spool.Remove(key);
  const auto forgotten = model.Forget([&](const storage::Example& example) {
    return meant.contains({example.message_id, example.digest});
  });
  if (!forgotten) return tl::unexpected(forgotten.error());
  return Told(*forgotten, 0);
}

Error NothingToForget(std::string_view user) {
  return {kNoInput,
          fmt::format("no message{}{} was taught here, {}", user.empty() ? "" : " of ", user, kOrExpired)};
}

Error LeftInSpool(const Error& error) {
  return {
      error.exit_code,
      fmt::format("the log has none of the user's messages any more, but the spool may: {}", error.message)};
}

Result<ForgottenMessages> ForgetAllOf(std::string_view user, Model& model, const Spool& spool) {
  const auto is_theirs = [&](std::string_view message_id) {
    return tokenizer::UserAndMessageId(message_id).user == user;
  };
  const auto spooled = spool.RemoveIf(is_theirs);
  const auto forgotten =
      model.Forget([&](const storage::Example& example) { return is_theirs(example.message_id); });
  if (!forgotten) return tl::unexpected(forgotten.error());
  if (!spooled) return tl::unexpected(LeftInSpool(spooled.error()));
  if (forgotten->examples == 0 && *spooled == 0) return tl::unexpected(NothingToForget(user));
  return Told(*forgotten, *spooled);
}

}  // namespace thresher::pipeline
