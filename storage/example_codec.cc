#include "storage/example_codec.h"

#include <xxhash.h>

#include <cstring>

#include "storage/byte_order.h"

namespace thresher::storage {
namespace {

// checksum u64 · time_us i64 · label i8 · evidence u8 · message_id size u16 · digest size u16, then the
// three texts. The checksum is seeded with the sequence number, so that an example is never taken for
// another.
constexpr size_t kChecksumBytes = 8;
constexpr size_t kTimeAt = 8;
constexpr size_t kLabelAt = 16;
constexpr size_t kEvidenceAt = 17;
constexpr size_t kMessageIdSizeAt = 18;
constexpr size_t kDigestSizeAt = 20;
constexpr size_t kHeaderBytes = 22;

uint64_t Checksum(uint64_t seq, std::string_view after_checksum) {
  return XXH3_64bits_withSeed(after_checksum.data(), after_checksum.size(), seq);
}

}  // namespace

std::string ExampleKey(uint64_t seq) {
  std::string key;
  AppendBig(seq, &key);
  return key;
}

std::string EncodeExample(uint64_t seq, const Example& example) {
  std::string bytes;
  bytes.reserve(kHeaderBytes + example.message_id.size() + example.digest.size() + example.features.size());
  bytes.resize(kChecksumBytes);
  AppendLittle(example.time_us, &bytes);
  AppendLittle(example.label, &bytes);
  AppendLittle(example.evidence, &bytes);
  AppendLittle(static_cast<uint16_t>(example.message_id.size()), &bytes);
  AppendLittle(static_cast<uint16_t>(example.digest.size()), &bytes);
  bytes.append(example.message_id).append(example.digest).append(example.features);
  const uint64_t checksum = Checksum(seq, std::string_view(bytes).substr(kChecksumBytes));
  std::memcpy(bytes.data(), &checksum, sizeof checksum);
  return bytes;
}

std::optional<Example> DecodeExample(uint64_t seq, std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return std::nullopt;
  if (LoadLittle<uint64_t>(bytes.data()) != Checksum(seq, bytes.substr(kChecksumBytes))) return std::nullopt;
  const size_t message_id_size = LoadLittle<uint16_t>(bytes.data() + kMessageIdSizeAt);
  const size_t digest_size = LoadLittle<uint16_t>(bytes.data() + kDigestSizeAt);
  if (message_id_size + digest_size > bytes.size() - kHeaderBytes) return std::nullopt;
  Example example;
  example.seq = seq;
  example.time_us = LoadLittle<int64_t>(bytes.data() + kTimeAt);
  example.label = LoadLittle<int8_t>(bytes.data() + kLabelAt);
  example.evidence = LoadLittle<uint8_t>(bytes.data() + kEvidenceAt);
  example.message_id = bytes.substr(kHeaderBytes, message_id_size);
  example.digest = bytes.substr(kHeaderBytes + message_id_size, digest_size);
  example.features = bytes.substr(kHeaderBytes + message_id_size + digest_size);
  return example;
}

// The size comes first: a Message-ID may contain any byte, so no separator could end it.
std::string MessageKeyPrefix(std::string_view message_id) {
  std::string key;
  AppendBig(static_cast<uint16_t>(message_id.size()), &key);
  key.append(message_id);
  return key;
}

std::string MessageKeyBytes(std::string_view message_id, std::string_view digest) {
  return MessageKeyPrefix(message_id).append(digest);
}

}  // namespace thresher::storage
