// The user whose mail it is, from the recipients that a mail server names.
//
// Called by MilterSession. Thread-safety: a pure function.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace thresher::pipeline {

// `form`: none; local, the part before @; address. In lower case, without what follows a "+" in the local
// part. Empty for `none`, where that is no user's name, and where the recipients are several users.
std::string UserOfRecipients(std::span<const std::string> recipients, std::string_view form);

}  // namespace thresher::pipeline
