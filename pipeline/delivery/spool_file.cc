#include "pipeline/delivery/spool_file.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "pipeline/model/soundness.h"
#include "tokenizer/digest.h"
#include "tokenizer/feature_codec.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kVersion1 = "thresher-spool 1\n";
constexpr std::string_view kVersion2 = "thresher-spool 2\n";

// Takes the first line of *bytes, without its newline; nothing if there is no newline.
std::optional<std::string_view> TakeLine(std::string_view* bytes) {
  const size_t end = bytes->find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = bytes->substr(0, end);
  bytes->remove_prefix(end + 1);
  return line;
}

}  // namespace

std::string EncodeSpoolFile(const tokenizer::MessageKey& key, const tokenizer::Features& features,
                            const tokenizer::IdSpace& id_space) {
  std::string content = key.message_id + "\n" + key.digest + "\n";
  tokenizer::EncodeFeatures(features, id_space, &content);
  return std::string(kVersion2) + tokenizer::DigestOf(content) + "\n" + content;
}

tl::expected<SpoolFile, std::string> DecodeSpoolFile(std::string_view bytes) {
  const bool has_checksum = bytes.starts_with(kVersion2);
  if (!has_checksum && !bytes.starts_with(kVersion1))
    return tl::unexpected(std::string("it is no spool file"));
  bytes.remove_prefix(kVersion2.size());
  const auto checksum = has_checksum ? TakeLine(&bytes) : std::nullopt;
  if (has_checksum && checksum != tokenizer::DigestOf(bytes))
    return tl::unexpected(std::string("it does not match its checksum"));
  const auto message_id = TakeLine(&bytes);
  const auto digest = has_checksum ? TakeLine(&bytes) : std::string_view();
  if (!message_id || !digest) return tl::unexpected(std::string("it is not whole"));
  return SpoolFile{{std::string(*message_id), std::string(*digest)}, std::string(bytes)};
}

tl::expected<tokenizer::Features, std::string> FeaturesOf(const SpoolFile& file,
                                                          const tokenizer::FeatureDecoder& decoder) {
  auto features = decoder.Decode(file.features);
  if (!features) return tl::unexpected(std::string("its features cannot be decoded"));
  if (auto wrong = WrongWithFeatures(*features, decoder.id_space(), TextsOfTokens::kAll))
    return tl::unexpected(*std::move(wrong));
  return *std::move(features);
}

}  // namespace thresher::pipeline
