// Taught messages that somebody wants forgotten: which they are, and that they go from log and spool
// together.
//
// Used by `forget` and the daemon. Thread-safety: that of the model's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/delivery/spool.h"
#include "pipeline/error.h"
#include "pipeline/model/model.h"
#include "tokenizer/features.h"
#include "tokenizer/message_key.h"

namespace thresher::pipeline {

// The key under which the user's message was taught, by its Message-ID as keys have it. kNoInput: none was,
// or it has expired and is not rehearsed any more; kData: several were.
Result<tokenizer::MessageKey> TaughtKey(const Model& model, std::string_view user,
                                        std::string_view message_id, std::string_view digest);
// The same of a message itself.
Result<tokenizer::MessageKey> TaughtKey(const Model& model, const tokenizer::MessageKeys& keys,
                                        const tokenizer::Features& features);

struct ForgottenMessages {
  uint64_t messages = 0;
  uint64_t examples = 0;  // that left the log
  uint64_t spooled = 0;   // messages that were classified only and left the spool, if all of a user's went
  std::vector<tokenizer::MessageKey> keys = {};  // of those that left the log
};

Result<ForgottenMessages> ForgetThese(Model& model, const Spool& spool,
                                      const std::vector<tokenizer::MessageKey>& keys);
// The error if there is nothing of the user's to forget.
Error NothingToForget(std::string_view user);
// The error if all of a user's messages left the log, but Spool::RemoveIf had this one.
Error LeftInSpool(const Error& error);
// All of a user's, also what was classified and may come as feedback. NothingToForget if there is nothing;
// LeftInSpool if they left the log alone.
Result<ForgottenMessages> ForgetAllOf(std::string_view user, Model& model, const Spool& spool);

}  // namespace thresher::pipeline
