#include "tokenizer/feature_decoder.h"

#include <mutex>
#include <utility>

#include "tokenizer/feature_codec.h"
#include "tokenizer/tokenizer.h"

namespace thresher::tokenizer {

struct FeatureDecoder::Shared {
  Shared(Options of_model, uint64_t seed_of_model) : options(std::move(of_model)), seed(seed_of_model) {}

  Options options;
  uint64_t seed;
  std::mutex mutex;  // guards the tokenizer
  std::optional<Tokenizer> tokenizer;
};

FeatureDecoder::FeatureDecoder(const Options& options, uint64_t seed)
    : id_space_(seed), shared_(std::make_shared<Shared>(options, seed)) {}

std::optional<Features> FeatureDecoder::Decode(std::string_view bytes) const {
  const auto message = MessageIn(bytes);
  if (!message) return DecodeFeatures(bytes, id_space_);
  // The limits that would cut it are not recorded.
  if (!shared_->options.keep_message) return std::nullopt;
  const std::scoped_lock lock(shared_->mutex);
  if (!shared_->tokenizer) shared_->tokenizer.emplace(shared_->options, shared_->seed);
  Features features;
  if (!shared_->tokenizer->TokenizeRecord(message->record, &features)) return std::nullopt;
  features.truncated |= message->truncated;
  return features;
}

}  // namespace thresher::tokenizer
