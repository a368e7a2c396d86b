// The message that a reply means, as far as it is known here: from the spool, or from the log.
//
// Used by `feedback`, `forget` and the daemon. Thread-safety: that of the model's.
#pragma once

#include <optional>
#include <string_view>

#include "pipeline/delivery/reply.h"
#include "pipeline/delivery/spool.h"
#include "pipeline/error.h"
#include "pipeline/model/model.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

struct MeantMessage {
  tokenizer::MessageKeys keys;
  // Nothing if there is nothing to do: the message was taught under the reply's label, and the spool does not
  // have it.
  std::optional<tokenizer::Features> features;
};

// The one message known under the reply's Message-ID (and digest, if given) as the user's. `spooled`: what
// the spool lists. Errors of this reply only: kNoInput if nothing is known of it any more, kData if several
// messages are meant or the only features are damaged ones in the spool.
Result<MeantMessage> FindMeant(const Model& model, const Spool& spool, const Spool::Listing& spooled,
                               std::string_view user, const Reply& reply);

// Whether an error of FindMeant concerns nobody else: others may still be taken.
bool IsOfOneReply(const Error& error);

}  // namespace thresher::pipeline
