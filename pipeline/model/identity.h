// What a model was made with, and keeps for life: tokenizer version, features, seed, learner and its options,
// rehearsal, the secret of its message keys, what its log holds. A rebuild may replace the learner, and, if
// the log holds messages, the tokenizer and the features.
//
// Recorded in the store's meta family when the model is made, read by pipeline/opening when it is opened.
// Thread-safety: plain values and pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "learners/learner.h"
#include "learners/steps/rehearsal_options.h"
#include "pipeline/error.h"
#include "storage/database.h"
#include "tokenizer/feature_decoder.h"
#include "tokenizer/id_space.h"
#include "tokenizer/message_key.h"
#include "tokenizer/options.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

struct ModelIdentity {
  // With limits that a model records only if its log holds messages (Options::keep_message).
  tokenizer::Options features;
  uint64_t seed = 0;
  std::shared_ptr<const learners::Learner> learner;  // shared with those that score beside the model
  learners::RehearsalOptions rehearsal;
  std::string key_secret;  // empty: an older release made the model, and none has written to it since

  // A tokenizer with these features and this seed.
  tokenizer::Tokenizer MakeTokenizer() const { return {features, seed}; }
  tokenizer::IdSpace MakeIdSpace() const { return tokenizer::IdSpace(seed); }
  // Of the model's examples.
  tokenizer::FeatureDecoder MakeDecoder() const { return {features, seed}; }
  // Of the keys of this model's messages.
  tokenizer::KeyMaker MakeKeyMaker() const { return {key_secret, features.marks}; }
};

// The record as it is stored. The features are a text that is opaque here: pipeline/settings writes and reads
// it.
struct ModelRecord {
  std::string features;
  uint64_t seed = 0;
  std::shared_ptr<const learners::Learner> learner;
  learners::RehearsalOptions rehearsal;  // the defaults where an older program recorded none
  std::string key_secret;                // empty where an older program recorded none
  // Of a model whose log holds messages: the tokenizer's limits, a text that is opaque here, too.
  std::optional<std::string> limits = std::nullopt;
};

// Other features with which a model is made again from a log that holds messages.
struct OtherFeatures {
  tokenizer::Options options;
  std::string text;  // as in ModelRecord
};

// Whether the model is opened to be made again from its log: then the command line may name another learner
// than the recorded one. If the log holds messages, it may name other features, and the tokenizer may be
// another.
enum class Remake { kNo, kYes };

// The learner's options are recorded complete, so that a later change of a default leaves existing models
// alone.
storage::Meta MetaOf(const ModelRecord& record);
// An error if this program has another tokenizer and may not (kConfig), or the record is not whole (kData).
Result<ModelRecord> ReadRecord(const storage::Meta& meta, Remake remake);

// The libraries that have a part in what a message is tokenised to, with their versions. Recorded by a model
// whose log holds messages; absent in others.
inline constexpr std::string_view kTextLibraries = "text-libraries";

// The secret of message keys, as hexadecimal digits. Not among what MetaOf writes if it is empty.
inline constexpr std::string_view kKeySecret = "key-secret";
std::string KeySecretText(std::string_view secret);

// A rebuild also records under which labels the examples were taught; absent in a model that was never
// rebuilt.
inline constexpr std::string_view kLabels = "labels";
inline constexpr std::string_view kTaughtLabels = "as-taught";
inline constexpr std::string_view kCorrectedLabels = "corrected";

// What a model and the log that it follows have agreed upon (pipeline/cluster); absent in a model that
// follows none.
inline constexpr std::string_view kFollows = "follows";

// The record with this program's tokenizer, in what has to do with it.
storage::Meta WithTokenizer(storage::Meta meta);

// The record with other features.
storage::Meta WithFeatures(storage::Meta meta, const std::string& text);

// The record with another way to learn.
storage::Meta WithLearning(storage::Meta meta, const learners::Learner& learner,
                           const learners::RehearsalOptions& rehearsal);

}  // namespace thresher::pipeline
