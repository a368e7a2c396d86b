// Users that share one model: the tokens and message keys of one user's mail.
//
// A message of a named user has each of its tokens twice: once shared by all users and once as that user's
// own ("user:alice/subject:free"). A learner adds the weights of both, so that a user starts from what all
// users taught and can differ from it.
//
// Called by the tokenizer and the pipeline. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizer/feature_kind.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"

namespace thresher::tokenizer {

inline constexpr size_t kMaxUserName = 64;

// A name has 1 to kMaxUserName bytes, none of them a slash, a space or a control character.
bool IsUserName(std::string_view name);

// Appends each token of *features again as the token of `user`, with the same value. As long as nobody
// trained with this user's mail, these have no weight, and a message scores as it does without a user. They
// do not count towards the limit on tokens. Byte n-grams are not repeated: they say more about the program
// that wrote a message than about who wants it. REQUIRES: IsUserName(user).
void AddTokensOf(std::string_view user, const IdSpace& ids, Features* features);

// Whether a token is of a user's own.
inline bool IsTokenOfUser(std::string_view text) { return text.starts_with(kUserField); }
// The token that all users share. REQUIRES: IsTokenOfUser(text).
inline std::string_view WithoutUser(std::string_view text) { return text.substr(text.find('/') + 1); }

// The Message-ID of the user's copy of a message, so that users can give different labels to copies of one
// message; `message_id` itself if `user` is empty. The result contains a space, which no CleanMessageId
// does.
std::string MessageIdOf(std::string_view user, std::string_view message_id);

// What MessageIdOf made a Message-ID of: the user, empty if there was none, and the message's own Message-ID.
struct OwnedMessageId {
  std::string_view user;
  std::string_view message_id;
};
OwnedMessageId UserAndMessageId(std::string_view id);

}  // namespace thresher::tokenizer
