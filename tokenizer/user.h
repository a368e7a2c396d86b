// Whose mail it is: what tells one user's tokens and messages from everybody's in one model.
//
// A message of a named user has each of its tokens twice, as everybody's and as the user's
// ("user:alice/subject:free"), so that a learner's weights add up: what all know, and where this user
// differs. Called by the tokenizer and the pipeline. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tokenizer/features.h"
#include "tokenizer/id_space.h"
#include "tokenizer/message_head.h"

namespace thresher::tokenizer {

inline constexpr size_t kMaxUserName = 64;

// A name has 1 to kMaxUserName bytes, none of them a slash, a space or a control character.
bool IsUserName(std::string_view name);

// Appends each token of *features as `user`'s own, with the same value: to a user nobody has taught for, a
// message scores as it does to everybody. They count towards no limit. Byte n-grams, which say more of how a
// message was made than of who wants it, are everybody's only. REQUIRES: IsUserName(user).
void AddTokensOf(std::string_view user, const IdSpace& ids, Features* features);

// A Message-ID as the user's: who has a copy of a message may say of it what others do not. That of
// `message_id` itself if `user` is empty. No Message-ID of a KeyOf() has the space that stands in it.
std::string MessageIdOf(std::string_view user, std::string_view message_id);

// The key of the user's copy of a message; KeyOf(message) if `user` is empty.
MessageKey KeyOf(std::string_view message, std::string_view user);

}  // namespace thresher::tokenizer
