#include "pipeline/model/identity.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "learners/registry.h"
#include "pipeline/model/store_error.h"
#include "tokenizer/text_libraries.h"

namespace thresher::pipeline {
namespace {

// Names in the store's meta family; see storage/FORMAT.md.
constexpr std::string_view kTokenizer = "tokenizer";
constexpr std::string_view kFeatures = "features";
constexpr std::string_view kSeed = "seed";
constexpr std::string_view kLearner = "learner";
constexpr std::string_view kLearnerOptions = "learner-options";
constexpr std::string_view kRehearsal = "rehearsal";
constexpr std::string_view kMessageLimits = "message-limits";  // only if the log holds messages

Result<std::string> Recorded(const storage::Meta& meta, std::string_view name) {
  const auto found = meta.find(name);
  if (found == meta.end()) return tl::unexpected(CorruptStore(fmt::format("meta has no '{}'", name)));
  return found->second;
}

Result<uint64_t> ParseSeed(const std::string& text) {
  uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, seed, 16);
  if (error != std::errc() || stopped != end) return tl::unexpected(CorruptStore("the seed is no number"));
  return seed;
}

// Nothing if `text` is no secret.
std::optional<std::string> ParseKeySecret(std::string_view text) {
  if (text.size() != 2 * tokenizer::KeyMaker::kSecretBytes) return std::nullopt;
  std::string secret;
  for (size_t at = 0; at < text.size(); at += 2) {
    unsigned char byte = 0;
    const char* const end = text.data() + at + 2;
    if (std::from_chars(text.data() + at, end, byte, 16).ptr != end) return std::nullopt;
    secret += static_cast<char>(byte);
  }
  return secret;
}

}  // namespace

std::string KeySecretText(std::string_view secret) {
  std::string text;
  for (const char c : secret) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

storage::Meta MetaOf(const ModelRecord& record) {
  storage::Meta meta = {{std::string(kFeatures), record.features},
                        {std::string(kSeed), fmt::format("{:016x}", record.seed)}};
  if (!record.key_secret.empty()) meta.emplace(kKeySecret, KeySecretText(record.key_secret));
  if (record.limits) meta.emplace(kMessageLimits, *record.limits);
  return WithLearning(WithTokenizer(std::move(meta)), *record.learner, record.rehearsal);
}

storage::Meta WithTokenizer(storage::Meta meta) {
  meta.insert_or_assign(std::string(kTokenizer), tokenizer::kTokenizerVersion);
  if (meta.contains(kMessageLimits))
    meta.insert_or_assign(std::string(kTextLibraries), tokenizer::TextLibraries());
  return meta;
}

storage::Meta WithFeatures(storage::Meta meta, const std::string& text) {
  meta.insert_or_assign(std::string(kFeatures), text);
  return meta;
}

storage::Meta WithLearning(storage::Meta meta, const learners::Learner& learner,
                           const learners::RehearsalOptions& rehearsal) {
  meta.insert_or_assign(std::string(kLearner), learner.Name());
  meta.insert_or_assign(std::string(kLearnerOptions), learner.OptionsText());
  meta.insert_or_assign(std::string(kRehearsal), learners::RehearsalText(rehearsal));
  return meta;
}

Result<ModelRecord> ReadRecord(const storage::Meta& meta, Remake remake) {
  const auto tokenizer = Recorded(meta, kTokenizer);
  const auto features = Recorded(meta, kFeatures);
  const auto seed_text = Recorded(meta, kSeed);
  const auto learner_name = Recorded(meta, kLearner);
  const auto learner_options = Recorded(meta, kLearnerOptions);
  for (const auto* field : {&tokenizer, &features, &seed_text, &learner_name, &learner_options}) {
    if (!*field) return tl::unexpected(field->error());
  }
  const auto limits = meta.find(kMessageLimits);
  const bool holds_messages = limits != meta.end();
  const bool may_be_other = remake == Remake::kYes && holds_messages;
  if (*tokenizer != tokenizer::kTokenizerVersion && !may_be_other) {
    return tl::unexpected(Error{
        kConfig, fmt::format("this model was made with tokenizer {}; this program has {}: {}", *tokenizer,
                             tokenizer::kTokenizerVersion,
                             holds_messages ? "`thresher rebuild` makes it again from the messages in its log"
                                            : "use the program it was made with, or teach a new model")});
  }
  const auto seed = ParseSeed(*seed_text);
  if (!seed) return tl::unexpected(seed.error());
  auto learner = learners::RestoreLearner(*learner_name, *learner_options);
  if (!learner) return tl::unexpected(Error{kConfig, "this model cannot be opened: " + learner.error()});
  const auto recorded = meta.find(kRehearsal);
  const auto rehearsal = learners::ReadRehearsal(recorded == meta.end() ? std::string() : recorded->second);
  if (!rehearsal) return tl::unexpected(CorruptStore("'rehearsal' in meta cannot be read"));
  const auto secret_text = meta.find(kKeySecret);
  const auto secret =
      secret_text == meta.end() ? std::optional<std::string>("") : ParseKeySecret(secret_text->second);
  if (!secret) return tl::unexpected(CorruptStore(fmt::format("'{}' in meta cannot be read", kKeySecret)));
  ModelRecord record{*features, *seed, *std::move(learner), *rehearsal, *secret};
  if (holds_messages) record.limits = limits->second;
  return record;
}

}  // namespace thresher::pipeline
