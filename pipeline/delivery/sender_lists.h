// Senders, domains and mailing lists whose mail is always ham (allow) or always spam (block).
//
// A file has one entry in each line, "allow sender joe@example.org", "block domain example.org" (with all
// domains below it), "allow list-id news.example.org"; empty lines and what follows "#" do not count. Labels
// of domains that are not ASCII may be encoded or not, there and in mail. Angle brackets, a dot before a
// domain and one behind it count for nothing; a name that no mail can have is an error. Used wherever a
// verdict is made for delivery, or explained. Thread-safety: immutable once made.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "pipeline/error.h"
#include "pipeline/settings/settings.h"
#include "pipeline/verdict.h"
#include "tokenizer/message_head.h"

namespace thresher::pipeline {

class SenderLists {
 public:
  static constexpr size_t kMostBytes = size_t{1} << 20;  // of a file
  static constexpr size_t kMostEntry = 320;              // of a name in it

  SenderLists() = default;
  // `name` is that of the file, for errors: "FILE:LINE: what was expected", kConfig.
  static Result<SenderLists> Parse(std::string_view text, std::string_view name);
  // The file of the setting lists.file; no entries if that is empty.
  static Result<SenderLists> Load(const Settings& settings);

  struct Decision {
    Verdict verdict;    // Ham or Spam
    std::string entry;  // "allow:domain", …
  };
  // Nothing if the message is not listed. Of the entries that fit, one for the sender counts before one for
  // the domain, that before one for a domain above it, and the list last. An allow entry counts only for a
  // message with one From that has one address, and, if authserv_id is not empty, only if a server of that
  // name found that the domain sent it (sender_proof.h).
  std::optional<Decision> Decide(std::string_view message, std::string_view authserv_id) const;

  size_t size() const;

 private:
  enum Kind { kSender, kDomain, kListId, kKinds };
  enum class Action { kNone, kAllow, kBlock };
  struct Found {
    Action action = Action::kNone;
    Kind kind = kSender;
  };
  static Kind KindOf(std::string_view word);
  std::string_view AddLine(std::string_view line);
  Action Entry(Kind kind, std::string_view name) const;
  // The nearest entry that counts: one that does not hides no other.
  Found FindSender(std::string_view address, const std::function<bool(Action)>& counts) const;
  Found Find(const tokenizer::MessageHead& head, std::string_view authserv_id) const;

  std::array<std::unordered_map<std::string, Action>, kKinds> entries_;
};

}  // namespace thresher::pipeline
