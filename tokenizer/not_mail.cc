#include "tokenizer/not_mail.h"

#include <algorithm>
#include <array>

#include "tokenizer/ascii.h"
#include "tokenizer/message_head.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kHeadBytes = 64u << 10;
constexpr size_t kBytesToJudge = 1024;

// Of RFC 5322, RFC 2045, RFC 5536 and delivery. A table or a configuration file has lines "name: value", too,
// so that not every name will do.
constexpr auto kNames = std::to_array<std::string_view>({"apparently-to",
                                                         "authentication-results",
                                                         "bcc",
                                                         "cc",
                                                         "date",
                                                         "delivered-to",
                                                         "delivery-date",
                                                         "disposition-notification-to",
                                                         "dkim-signature",
                                                         "domainkey-signature",
                                                         "envelope-to",
                                                         "errors-to",
                                                         "from",
                                                         "importance",
                                                         "in-reply-to",
                                                         "message-id",
                                                         "mime-version",
                                                         "newsgroups",
                                                         "organization",
                                                         "precedence",
                                                         "received",
                                                         "received-spf",
                                                         "references",
                                                         "reply-to",
                                                         "return-path",
                                                         "sender",
                                                         "subject",
                                                         "thread-index",
                                                         "to",
                                                         "user-agent"});
constexpr auto kPrefixes = std::to_array<std::string_view>({"x-", "list-", "resent-", "content-", "arc-"});

bool IsHeaderOfMail(std::string_view name) {
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view known) { return EqualsIgnoringCase(name, known); }) ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](std::string_view prefix) { return StartsWithIgnoringCase(name, prefix); });
}

// The first message of an mbox may hold the mailbox's own data, which the IMAP server of the University of
// Washington and programs on its library write there. No mail server has passed such a message on.
bool IsFolderData(const MessageHead& head) {
  bool is_named = false;
  bool is_numbered = false;
  for (const HeaderField& field : head.fields) {
    if (EqualsIgnoringCase(field.name, "received")) return false;
    is_named = is_named || (EqualsIgnoringCase(field.name, "subject") &&
                            field.value.find("FOLDER INTERNAL DATA") != std::string_view::npos);
    is_numbered = is_numbered || EqualsIgnoringCase(field.name, "x-imap") ||
                  EqualsIgnoringCase(field.name, "x-imapbase");
  }
  return is_named && is_numbered;
}

}  // namespace

std::string_view WhyNotMail(std::string_view bytes) {
  MessageHead head;
  ParseHead(bytes, kHeadBytes, &head);
  if (IsFolderData(head)) return "data of a mail program about its folder";
  if (!head.from_line.empty()) return {};
  if (std::any_of(head.fields.begin(), head.fields.end(),
                  [](const HeaderField& field) { return IsHeaderOfMail(field.name); }))
    return {};
  if (bytes.empty()) return "empty";
  if (bytes.substr(0, kBytesToJudge).find('\0') != std::string_view::npos) return "binary data";
  return "it has no header of a message";
}

}  // namespace thresher::tokenizer
