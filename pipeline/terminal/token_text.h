// Texts of messages as commands print them: a feature's text and its field, names of files and messages.
//
// Called by the commands. Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace thresher::pipeline {

// What the columns `ham` and `spam` of both commands count.
inline constexpr char kCountsMeaning[] =
    "ham and spam count how often the weight was learned from messages of that class, also again from the\n"
    "same one (rehearsal); what the model was sure of already is not learned from.";

// "subject" of "subject:free"; docs/tokens.md lists the fields.
std::string_view FieldOf(std::string_view text);

// The text with characters that are not safe (character.h) as \xHH for each byte, so that a hostile message
// or file name cannot control the terminal or forge a line.
std::string Printable(std::string_view text);
// The same with backslashes, < and > as \xHH, so that every byte can be read back (ListedMessageId).
std::string Listable(std::string_view text);

}  // namespace thresher::pipeline
