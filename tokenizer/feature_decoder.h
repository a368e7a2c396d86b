// Decodes what a log or a spool holds of a message: its features, or the message itself, which is tokenised
// again.
//
// Called by the pipeline for all examples of a model. Copies share one tokenizer, which is made for the first
// message. Thread-safety: any number of threads; messages are tokenised one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "tokenizer/features.h"
#include "tokenizer/id_space.h"
#include "tokenizer/options.h"

namespace thresher::tokenizer {

class FeatureDecoder {
 public:
  // Those of the model.
  FeatureDecoder(const Options& options, uint64_t seed);

  const IdSpace& id_space() const { return id_space_; }

  // Of what EncodeFeatures wrote; nothing if `bytes` is not such an encoding, or is one of a message and the
  // options do not keep messages. Accepts any bytes. The features of a message are those that Tokenizer made
  // of it, if the options, ICU and GMime are the same.
  std::optional<Features> Decode(std::string_view bytes) const;

 private:
  struct Shared;

  IdSpace id_space_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace thresher::tokenizer
