#include "pipeline/cluster/operation.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstring>
#include <optional>
#include <utility>

#include "pipeline/model/evidence.h"
#include "storage/byte_order.h"
#include "storage/example_log.h"

namespace thresher::pipeline {
namespace {

using storage::AppendLittle;
using tokenizer::MessageKey;

constexpr std::string_view kMagic = "thresher";
constexpr size_t kVersionAt = kMagic.size() + sizeof(uint64_t);
constexpr uint8_t kTeaches = 1;  // versions
constexpr uint8_t kForgets = 2;
constexpr uint8_t kTeachesByVerdict = 3;  // what reads only the others stops at it

enum Flag : uint8_t { kStreamed = 1, kIsReply = 2, kHasDelivered = 4, kHasUnkeyed = 8, kNoFlag = 16 };
constexpr uint8_t kAllOfUser = 1;  // the flag of what forgets

uint8_t VersionOf(const Operation& operation) {
  if (operation.act != Act::kTeach) return kForgets;
  return operation.circumstances.self_taught ? kTeachesByVerdict : kTeaches;
}

uint8_t FlagsOf(const Operation& operation) {
  if (operation.act != Act::kTeach) return operation.act == Act::kForgetAllOf ? kAllOfUser : 0;
  uint8_t flags = 0;
  if (operation.circumstances.streamed) flags |= kStreamed;
  if (operation.is_reply) flags |= kIsReply;
  if (operation.keys.delivered) flags |= kHasDelivered;
  if (operation.keys.unkeyed) flags |= kHasUnkeyed;
  return flags;
}

void AppendKey(const MessageKey& key, std::string* out) {
  AppendLittle(static_cast<uint16_t>(key.message_id.size()), out);
  AppendLittle(static_cast<uint16_t>(key.digest.size()), out);
  out->append(key.message_id).append(key.digest);
}

uint64_t ChecksumOf(std::string_view record) {
  return XXH3_64bits(record.data() + kVersionAt, record.size() - kVersionAt);
}

// Takes values from the beginning of a text. Once one was missing, is_whole is false.
struct Cursor {
  std::string_view rest;
  bool is_whole = true;

  template <class T>
  T Take() {
    if (rest.size() < sizeof(T)) return Miss<T>();
    const T value = storage::LoadLittle<T>(rest.data());
    rest.remove_prefix(sizeof(T));
    return value;
  }
  std::string TakeText(size_t size) {
    if (rest.size() < size) return Miss<std::string>();
    std::string text(rest.substr(0, size));
    rest.remove_prefix(size);
    return text;
  }
  MessageKey TakeKey() {
    const auto id_size = Take<uint16_t>();
    const auto digest_size = Take<uint16_t>();
    if (size_t{id_size} + digest_size > storage::kLongestMessageKey) return Miss<MessageKey>();
    MessageKey key;
    key.message_id = TakeText(id_size);
    key.digest = TakeText(digest_size);
    return key;
  }

 private:
  template <class T>
  T Miss() {
    is_whole = false;
    rest = {};
    return T();
  }
};

}  // namespace

std::string EncodeOperation(const Operation& operation) {
  const tokenizer::MessageKeys& keys = operation.keys;
  const bool teaches = operation.act == Act::kTeach;
  std::string bytes(kMagic);
  bytes.resize(kVersionAt);
  AppendLittle(VersionOf(operation), &bytes);
  AppendLittle(FlagsOf(operation), &bytes);
  AppendLittle(static_cast<int8_t>(teaches ? static_cast<int>(operation.label) : 0), &bytes);
  AppendLittle(operation.circumstances.turns, &bytes);
  AppendLittle(operation.identity, &bytes);
  AppendLittle(operation.author, &bytes);
  AppendLittle(operation.number, &bytes);
  AppendLittle(operation.time_us, &bytes);
  AppendKey(keys.own, &bytes);
  if (teaches && keys.delivered) AppendKey(*keys.delivered, &bytes);
  if (teaches && keys.unkeyed) AppendKey(*keys.unkeyed, &bytes);
  bytes += operation.features;
  const uint64_t checksum = ChecksumOf(bytes);
  std::memcpy(bytes.data() + kMagic.size(), &checksum, sizeof checksum);
  return bytes;
}

tl::expected<Operation, NoOperation> DecodeOperation(std::string_view bytes) {
  const tl::unexpected<NoOperation> foreign(NoOperation::kForeign);
  if (bytes.size() <= kVersionAt || !bytes.starts_with(kMagic)) return foreign;
  if (storage::LoadLittle<uint64_t>(bytes.data() + kMagic.size()) != ChecksumOf(bytes)) return foreign;
  Cursor cursor{bytes.substr(kVersionAt)};
  const auto version = cursor.Take<uint8_t>();
  if (version < kTeaches || version > kTeachesByVerdict)
    return version > kTeachesByVerdict ? tl::unexpected(NoOperation::kNewer) : foreign;
  Operation operation;
  auto flags = cursor.Take<uint8_t>();
  if (version == kForgets) {
    if (flags > kAllOfUser) return foreign;
    operation.act = flags == kAllOfUser ? Act::kForgetAllOf : Act::kForget;
    flags = 0;
  }
  const auto label = cursor.Take<int8_t>();
  operation.label = label > 0 ? Label::kSpam : Label::kHam;
  operation.circumstances.streamed = (flags & kStreamed) != 0;
  operation.circumstances.turns = cursor.Take<uint8_t>();
  operation.circumstances.self_taught = version == kTeachesByVerdict;
  operation.is_reply = (flags & kIsReply) != 0;
  operation.identity = cursor.Take<uint64_t>();
  operation.author = cursor.Take<uint64_t>();
  operation.number = cursor.Take<uint64_t>();
  operation.time_us = cursor.Take<int64_t>();
  operation.keys.own = cursor.TakeKey();
  if ((flags & kHasDelivered) != 0) operation.keys.delivered = cursor.TakeKey();
  if ((flags & kHasUnkeyed) != 0) operation.keys.unkeyed = cursor.TakeKey();
  operation.features = cursor.rest;
  const bool has_features =
      version != kForgets ? label == 1 || label == -1 : label == 0 && operation.features.empty();
  // The mail of nobody in particular is not that of a user.
  const bool has_key = operation.act != Act::kForgetAllOf || !operation.keys.own.message_id.empty();
  const bool is_sound = cursor.is_whole && flags < kNoFlag && has_features && has_key &&
                        operation.circumstances.turns <= kMostTurns && operation.author > 0 &&
                        operation.number > 0;
  return is_sound ? tl::expected<Operation, NoOperation>(std::move(operation)) : foreign;
}

std::string NameOf(const Operation& operation) {
  return fmt::format("{:016x}-{}", operation.author, operation.number);
}

}  // namespace thresher::pipeline
